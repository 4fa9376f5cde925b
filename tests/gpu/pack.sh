#!/usr/bin/env bash
# Gathers what tests/gpu/run.sh needs on a machine that has a GPU and the CUDA toolkit but none of our libraries:
#
#     tests/gpu/pack.sh BUILD FOLDER
#
# FOLDER then holds the program, the GPU library, the pairs test, the shared libraries that they need, and run.sh.
set -euo pipefail
[ $# = 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
build=$1 folder=$2 here=$(dirname "$0")
mkdir -p "$folder/lib"
for file in kintsugi-image kintsugi-image-cuda.so tests/pairs/pairs; do
    [ -e "$build/$file" ] || { echo "$build/$file is not built (is nvcc there?)" >&2; exit 1; }
    cp "$build/$file" "$folder/"
done
cp "$here/run.sh" "$folder/"
# The C library stays the machine's own; cuFFT comes from its CUDA toolkit.
ldd "$build/kintsugi-image" "$build/tests/pairs/pairs" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|libcufft|ld-linux[^/]*)\.so' | while read -r library; do
    cp -L "$library" "$folder/lib/"
done
du -sh "$folder"
