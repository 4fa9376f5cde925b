#!/usr/bin/env bash
# Gathers what tests/gpu/run.sh needs on a machine that has a GPU and the CUDA toolkit but none of our libraries:
#
#     tests/gpu/pack.sh BUILD FOLDER
#
# FOLDER then holds the program, the GPU library, the pairs, speed and decode tests, the shared libraries that they need,
# run.sh and what it calls of Python. PLUGIN names another GPU library than BUILD's: the emulated card, to try the package
# without a GPU.
set -euo pipefail
[ $# = 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
build=$1 folder=$2 here=$(dirname "$0")
plugin=${PLUGIN:-$build/kintsugi-image-cuda.so}
programs=("$build/kintsugi-image" "$build/tests/pairs/pairs" "$build/tests/gpu/speed" "$build/tests/gpu/decode")
mkdir -p "$folder/lib"
for file in "${programs[@]}" "$plugin"; do
    [ -e "$file" ] || { echo "$file is not built (is nvcc there?)" >&2; exit 1; }
done
cp "${programs[@]}" "$here/run.sh" "$here/peers.py" "$here/../pairs/differences.py" "$folder/"
cp "$plugin" "$folder/kintsugi-image-cuda.so"
# The C library stays the machine's own; cuFFT comes from its CUDA toolkit.
ldd "${programs[@]}" "$plugin" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
    grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|libcufft|ld-linux[^/]*)\.so' | while read -r library; do
    cp -L "$library" "$folder/lib/"
done
# Where the toolkit's cuFFT is of another generation, a packed one serves: PACK_CUFFT=yes takes it along (300 MB).
if [ "${PACK_CUFFT:-no}" = yes ]; then
    ldd "$plugin" | awk '/libcufft\.so/ {print $3}' | while read -r library; do cp -L "$library" "$folder/lib/"; done
fi
du -sh "$folder" | cut -f1
