#!/usr/bin/env hy
(import os.path sys helper)

(assert (= (get snakemake.input 0) "Snakefile"))
(assert (= snakemake.input.named ["Snakefile" "helper.py"]))
(assert (= snakemake.params.t "say \"hi\" \\ $HOME @(1) é"))
(assert (= (get snakemake.params "many") ["a" "]]"]))
(assert (= snakemake.threads 2))
(assert (= snakemake.resources.mem_mb 100))
(assert (= (get snakemake.config "deep") {"a" None  "b" [True "x"]}))
(assert (= snakemake.rule "run"))
(assert (is snakemake.bench_iteration None))
(assert (= __name__ "__main__"))
(with [out (open (get snakemake.output 0) "w")]
  (print helper.word snakemake.wildcards.script (os.path.basename __file__) (. (sys._getframe) f_lineno) :file out))
