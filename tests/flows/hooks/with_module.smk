module m:
    snakefile:
        "m.smk"


use rule * from m as m_*


onstart:
    m.onstart()


onsuccess:
    m.onsuccess()
    m.onsuccess(log=log)


onerror:
    onsuccess()


rule all:
    default_target: True
    input:
        "m.txt",
