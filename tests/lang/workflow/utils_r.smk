# R() of Snakemake's utils needs rpy2; what stands in a job script is read.
from snakemake.utils import R, read_job_properties

try:
    R("1 + 1")
except ValueError as error:
    print("rpy2" in str(error))  # expect: True
with open("job.sh", "w") as script:
    script.write('#!/bin/sh\n# properties = {"rule": "a", "threads": 2}\ntrue\n')
print(read_job_properties("job.sh"))  # expect: {'rule': 'a', 'threads': 2}
from snakemake.utils import report as old_report

try:
    old_report("text", "a.html")
except NotImplementedError as error:
    print("snakemake.utils" in str(error))  # expect: True
