#!/usr/bin/env bash
# On a machine with a GPU: the pairs test, compute-sanitizer, every stage on the CPU and on the card, and one table.
#
#     tests/gpu/run.sh [FOLDER]      FOLDER: made by tests/gpu/pack.sh; by default the one run.sh lies in
#
#     SIZE="4x4 --tile 1440x1920 --planes 12"   the acquisition that is timed (default 3x3 --tile 720x960 --planes 9)
#     SANITIZE=no                               leaves compute-sanitizer out
set -euo pipefail
folder=$(cd "${1:-$(dirname "$0")}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
export LD_LIBRARY_PATH=$folder/lib:$cuda/lib64:$cuda/targets/x86_64-linux/lib:${LD_LIBRARY_PATH:-}
export KINTSUGI_GPU_PLUGIN=$folder/kintsugi-image-cuda.so
image=$folder/kintsugi-image
failed=0

"$image" info
if ! "$image" info --json | grep -q '"device":"gpu"'; then
    echo "nothing was run: there is no card that works"
    exit 1
fi

# count FILE: "N passed, M failed" of a TAP file
count() {
    local good bad
    good=$(grep -c '^ok' "$1" || true) bad=$(grep -c '^not ok' "$1" || true)
    [ "$bad" = 0 ] && [ "$good" != 0 ] || failed=1
    echo "$good passed, $bad failed"
}

echo
"$folder/pairs" gpu >"$work/pairs" || true
grep -A1 '^not ok' "$work/pairs" || true
pairs=$(count "$work/pairs")

sanitized() { # sanitized TOOL: its verdict on the pairs
    local tool
    tool=$(command -v compute-sanitizer || echo "$cuda/bin/compute-sanitizer")
    [ "${SANITIZE:-yes}" = yes ] || { echo "left out"; return; }
    [ -x "$tool" ] || { echo "no compute-sanitizer here"; return; }
    "$tool" --tool "$1" --error-exitcode 9 "$folder/pairs" gpu >"$work/$1" 2>&1 || failed=1
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$1" | tail -1 | sed 's/^=* *//'
}
memcheck=$(sanitized memcheck)
racecheck=$(sanitized racecheck)

read -r -a size <<<"${SIZE:-3x3 --tile 720x960 --planes 9}"
"$image" phantom "$work/cpu" --seed 1 --cycles 2 --channels 2 --overlap 0.3 --difficulty 1 --no-truth-images --quiet \
    --grid "${size[@]}"
cp -r "$work/cpu" "$work/gpu"

seconds() { # seconds COMMAND...: how long it takes
    local start=$EPOCHREALTIME
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; failed=1; }
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.2f", b - a}'
}

rows=
for stage in "stitch --cycle 1" "stitch --cycle 2" "deconv --cycle 1" "deconv --cycle 2" "edof --cycle 1" "edof --cycle 2" register; do
    read -r -a words <<<"$stage"
    for device in cpu gpu; do
        declare "$device=$(seconds "$image" "${words[0]}" "$work/$device" "${words[@]:1}" --device "$device" --quiet)"
    done
    rows+=$(awk -v s="$stage" -v c="$cpu" -v g="$gpu" 'BEGIN {printf "| %s | %s s | %s s | %.1f |", s, c, g, c / g}')$'\n'
done

echo "
$(date -u +%F), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>&1 | head -1 || true), $(nproc) cores; tests/gpu/run.sh

| | |
|---|---|
| pairs, CPU and card | $pairs |
| memcheck | $memcheck |
| racecheck | $racecheck |

| stage, ${size[*]} | CPU | card | ratio |
|---|---|---|---|
${rows%$'\n'}"
exit "$failed"
