#!/usr/bin/env bash
# Packs a build, and runs what is packed as a bare machine would, on the emulated card: check.sh BUILD PLUGIN
set -euo pipefail
build=$1 plugin=$2 here=$(dirname "$(readlink -f "$0")")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
PLUGIN=$plugin "$here/pack.sh" "$build" "$place/pack"
cd /
env -i PATH=/usr/bin:/bin HOME="$place" TMPDIR="$place" BUDGET=1000 SIDE=128 PLANES=3 CYCLE=no \
    SIZE="2x2 --tile 160x176 --planes 5" PAIRS="settle upload rl_step domain_keep" \
    "$place/pack/run.sh" >"$place/out" 2>&1 || { cat "$place/out"; exit 1; }
cat "$place/out"
# Every table is there, and has what it should have.
for row in '^| pairs, CPU and card | [1-9][0-9]* passed, 0 failed' '^| memcheck |' '^| racecheck |' \
    '^| copy | [0-9.]* | [0-9.]* | [0-9.]* | 100 %' '^| alm_step |' \
    '^| a step of Richardson-Lucy, one launch | [0-9.]* ' '^| a step with transforms by cuFFT, one launch |' \
    '^CuPy is not installed here' \
    '^| deconv | [0-9.]* | [0-9.]* |' '^| register |' '^| edof | [1-9][0-9]* | [01] |' \
    '^Reading and decoding .* else: [0-9.]* s on all cores'; do
    grep -q "$row" "$place/out" || { echo "there is no line $row"; exit 1; }
done
