#!/bin/sh
# Fuzzes a part of the engine with clang's libFuzzer and both sanitizers, without meson:
#
#     tests/fuzz/run.sh parse [SECONDS [WORKDIR]]
#
# New inputs are kept in WORKDIR (default: a directory under /tmp), the committed corpus is read only.
# Exit status 0: nothing was found. A crash leaves WORKDIR/crash-*. 77: there is no clang with libFuzzer, or it
# lacks OpenMP.
set -eu
name=${1:?usage: run.sh NAME [SECONDS [WORKDIR]]}
seconds=${2:-60}
work=${3:-/tmp/kintsugi-fuzz-$name}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
case $name in
parse) floors='base syntax' libs= ;;
yaml | json | foreign | eval) floors='base syntax loop python modules' libs='-lyaml -luv -lpthread' ;;
rst | http) floors=base libs= ;;
tiff) floors= libs='-ltiff' ;;
project) floors= libs='-ljansson -fno-pie -no-pie -Wl,--unresolved-symbols=ignore-in-object-files' ;;
reports) floors= libs='-ljansson -ltiff -lpng -lfftw3f -fopenmp -fno-pie -no-pie -Wl,--unresolved-symbols=ignore-in-object-files' ;;
slurm) floors='base loop hpc' libs='-luv -lpthread' ;;
queue) floors='base loop exec' libs='-luv -lpthread' ;;
*) echo "run.sh: no fuzz target named '$name'" >&2; exit 2 ;;
esac
most=4096
case $name in slurm | reports) most=16384 ;; esac # what scontrol says of accounts, or a stage of planes, is longer
sources=
for floor in $floors; do
    sources="$sources $(ls "$root/src/$floor"/*.c)"
done
# Of these files only what reads text is run: what they call of others never is, and need not be there.
case $name in
tiff) files='core/image image/tiff_read image/tiff_says core/io_wait' ;;
project) files='core/image core/json core/part core/text image/experiment image/raw image/ometiff isolate/exposures
    regist/transforms regist/regist regist/field stitch/stitch stitch/report stitch/solve' ;;
reports) files='core/image core/each core/rank core/json core/part core/text core/io_wait device/warp image/experiment
    image/tiff_read image/tiff_says image/tiff_write image/png regist/regist regist/field regist/transforms
    qc/qc qc/json qc/limits qc/table qc/gather qc/view qc/svg qc/page qc/truth qc/truth_images qc/truth_places qc/truth_maps' ;;
*) files= ;;
esac
for file in $files; do
    sources="$sources $root/kernels/$file.c"
done
[ "$name" = rst ] && sources="$sources $root/src/report/rst.c $root/src/report/rst_inline.c"
mkdir -p "$work/found" "$work/python"
# Its OpenMP comes in a package of its own.
header=
case " $libs " in *" -fopenmp "*) header='#include <omp.h>' ;; esac
printf '%s\nint LLVMFuzzerTestOneInput(void) { return 0; }\n' "$header" |
    clang -fsanitize=fuzzer -x c - -o "$work/fuzz" || exit 77
python3 "$root/src/python/lib/embed.py" "$work/python/library_text.h" "$root"/src/python/lib/*.py
# shellcheck disable=SC2086
clang -g -O1 -std=c11 -D_GNU_SOURCE '-DKF_VERSION="fuzz"' \
    '-DCMPLX(r,i)=((double _Complex){r,i})' -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -I "$root/src" -I "$root/kernels" -I "$work" "$here/$name.c" $sources -lpcre2-8 $libs -lm -o "$work/fuzz"
dict=
[ -f "$here/$name.dict" ] && dict="-dict=$here/$name.dict"
exec "$work/fuzz" $dict -artifact_prefix="$work/" -max_total_time="$seconds" -timeout=60 -error_exitcode=1 -max_len="$most" \
    -print_final_stats=1 "$work/found" "$here/corpus/$name"
