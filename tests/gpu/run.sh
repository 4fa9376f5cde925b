#!/usr/bin/env bash
# On a machine with a GPU: the pairs test, the speed of every primitive (beside CuPy and cuCIM where they are installed),
# every stage on the CPU and on the card, compute-sanitizer, a whole cycle on the card; one report of tables at the end,
# for docs/benchmarks.md. What comes first tells most: if it is cut off, the report has what there is until then.
#
#     tests/gpu/run.sh [FOLDER]      FOLDER: made by tests/gpu/pack.sh; by default the one run.sh lies in
#
#     BUDGET=570                                seconds for all; what no time is left for is left out, and said
#     REPORT=FILE                               the report is also there, from the first table on
#     SIZE="4x4 --tile 1440x1920 --planes 12"   the acquisition of the stages (default 3x3 --tile 720x960 --planes 9)
#     SIDE=2048 PLANES=20                       pixels and planes of the primitives
#     CYCLE=yes                                 a cycle of 9x7 tiles, 4 channels, 20 planes on the card: 40 GB in memory
#                                               (/dev/shm) where it has that much, else in TMPDIR
#     SANITIZE=no                               leaves compute-sanitizer out
#     PAIRS="sum dot"                           only these pairs
set -euo pipefail
folder=$(cd "${1:-$(dirname "$0")}" && pwd)
work=$(mktemp -d)
large=$work # where the cycle lies: files in memory are what a page cache would be, without a disk behind it
room=$(df --output=avail -BG /dev/shm 2>/dev/null | tr -dc 0-9 || true) # GB
[ "${room:-0}" -lt 40 ] || large=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work" "$large"' EXIT
[ -z "${REPORT:-}" ] || REPORT=$(realpath -m "$REPORT")
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
export KINTSUGI_GPU_PLUGIN=$folder/kintsugi-image-cuda.so OMP_WAIT_POLICY=passive
libraries=$folder/lib:$cuda/lib64:$cuda/targets/x86_64-linux/lib
failed=0
none="not reached"
pairs=$none memcheck=$none racecheck=$none peers="Peers in Python: $none." decoded="?"
rows="| $none | | | | | |" apart="| $none | | | |" cycle="| $none | | |"

# ours COMMAND...: with the libraries that were packed, which are not for the system's own programs
ours() { LD_LIBRARY_PATH=$libraries:${LD_LIBRARY_PATH:-} "$@"; }

# A toolkit of pip's or conda's has cuFFT elsewhere.
cufft=$(ours ldd "$KINTSUGI_GPU_PLUGIN" | awk '/libcufft.*not found/ {print $1}')
if [ -n "$cufft" ]; then
    found=$(timeout 60 find / -xdev -name "$cufft*" -print -quit 2>/dev/null || true)
    [ -z "$found" ] || libraries+=:$(dirname "$found")
fi

left() { echo $((${BUDGET:-570} - SECONDS)); }
# within SECONDS COMMAND...: at most so long, and no longer than what is left of all
within() {
    local most=$1 time
    shift
    time=$(left)
    timeout -k 5 $((most < time ? most : time > 1 ? time : 1)) "$@"
}
say() {
    echo "[$SECONDS s] $*"
    [ -z "${REPORT:-}" ] || report >"$REPORT"
}
image() { ours within "$1" "$folder/kintsugi-image" "${@:2}"; }

image 60 info || true
if ! image 60 info --json | grep -q '"device":"gpu"'; then
    echo "nothing was run: there is no card that works"
    ours ldd "$KINTSUGI_GPU_PLUGIN" "$folder/kintsugi-image" | grep 'not found' || true
    exit 1
fi

# ---- the report ----------------------------------------------------------------------------------------------

card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1 || true)
card=${card:-$(image 60 info | sed -n '1s/^GPU 0: //p')}
read -r -a size <<<"${SIZE:-3x3 --tile 720x960 --planes 9}"

report() {
    echo "
$(date -u +%F), $card, $(nproc) cores; tests/gpu/run.sh

| | |
|---|---|
| pairs, CPU and card | $pairs |
| memcheck | $memcheck |
| racecheck | $racecheck |

$(cat "$work/speed" 2>/dev/null || echo "The primitives: $none.")

$peers

| stage, ${size[*]}, 2 channels | CPU s | waiting for files | card s | waiting for files | ratio |
|---|---|---|---|---|---|
${rows%$'\n'}

| stage, CPU and card | images | largest difference | most samples that differ, share |
|---|---|---|---|
$apart

Reading and decoding the tiles of its second cycle, and nothing else: $decoded s on all cores. The last column is what
ROUTE_CPU_FACTOR (src/run/route.h) stands for while nothing is known of a rule.

| a cycle on the card: 9x7 tiles of 1440 x 1920, 4 channels, 20 planes, in ${large%/*} | s | waiting for files |
|---|---|---|
${cycle%$'\n'}"
}

# However it ends: what was found is printed, and nothing is left lying around. Where it is cut off, output may be going
# to a file just then.
exec 3>&1
finish() {
    local status=$?
    trap - EXIT
    report >&3
    rm -rf "$work" "$large"
    exit "$status"
}
trap finish EXIT
trap 'say "cut off" >&3; exit 143' TERM INT

# ---- are the results right -----------------------------------------------------------------------------------

# count FILE: "N passed, M failed" of TAP
count() {
    local good bad
    good=$(grep -c '^ok' "$1" || true) bad=$(grep -c '^not ok' "$1" || true)
    echo "$good passed, $bad failed"
}

say "pairs"
for name in ${PAIRS:-all}; do
    [ "$name" = all ] && name=
    ours within 150 "$folder/pairs" gpu $name >>"$work/pairs" || failed=1
done
grep -A1 '^not ok' "$work/pairs" || true
pairs=$(count "$work/pairs")
say "pairs: $pairs"
grep -q '^ok' "$work/pairs" || failed=1

# ---- how fast are the primitives -----------------------------------------------------------------------------

say "primitives"
ours within 120 "$folder/speed" gpu "${SIDE:-2048}" "${PLANES:-20}" >"$work/speed" 2>&1 || failed=1
cat "$work/speed"

say "peers in Python"
peers=$(within 100 python3 "$folder/peers.py" "${SIDE:-2048}" "${PLANES:-20}" "$work/speed" 2>"$work/log") ||
    peers="They were not measured: $(tail -n 1 "$work/log")"

# ---- how fast are the stages ---------------------------------------------------------------------------------

# number KEY FILE: of a JSON object on one line
number() {
    sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p" "$2" | head -1
}

# stage PROJECT DEVICE WORDS...: seconds, and those of them that the disk was waited for
stage() {
    local project=$1 device=$2
    shift 2
    image 200 "$1" "$project" "${@:2}" --device "$device" --quiet --json >"$work/json" 2>"$work/log" || {
        cat "$work/log" >&2
        echo "failed 0"
        return 1
    }
    echo "$(number wall_s "$work/json") $(number io_wait_s "$work/json")"
}

say "stages"
image 100 phantom "$work/cpu" --seed 1 --cycles 2 --channels 2 --overlap 0.3 --difficulty 1 --no-truth-images --quiet \
    --grid "${size[@]}" || failed=1
cp -r "$work/cpu" "$work/gpu" || failed=1
rows=
for name in stitch deconv edof register; do
    read -r cpu cpu_io <<<"0 0"
    read -r gpu gpu_io <<<"0 0"
    for cycle in 1 2; do
        words=("$name" --cycle "$cycle")
        [ "$name" = register ] && words=("$name")
        [ "$name $cycle" = "register 2" ] && continue
        for device in cpu gpu; do
            read -r took io <<<"$(stage "$work/$device" "$device" "${words[@]}")" || true
            [ "$took" != failed ] || { failed=1; took=0; }
            declare "$device=$took" "${device}_io=$io" # of the second cycle, which finds the card warm
        done
    done
    rows+=$(awk -v s="$name" -v c="$cpu" -v ci="$cpu_io" -v g="$gpu" -v gi="$gpu_io" \
        'BEGIN {printf "| %s | %.2f | %.2f | %.2f | %.2f | %.1f |", s, c, ci, g, gi, (g > 0 ? c / g : 0)}')$'\n'
    say "$name: $cpu s on the CPU, $gpu s on the card"
done

say "differences"
apart=$(within 100 python3 "$folder/differences.py" "$work/cpu" "$work/gpu" 2>"$work/log") || {
    [ -n "$apart" ] && failed=1 || apart="| not compared: $(tail -n 1 "$work/log") | | | |"
}

# decoding FOLDER: seconds to read and decode its tiles, and nothing else
decoding() {
    ours within 100 "$folder/decode" "$1" 2>>"$work/log" || echo "failed"
}
tiles=$(printf '%s\n' "$work"/gpu/data/raw/* | tail -1)
decoded=$(decoding "$tiles")
[ "$decoded" != failed ] || failed=1

# ---- what compute-sanitizer finds -----------------------------------------------------------------------------

sanitized() { # sanitized TOOL: its verdict on the small pairs
    local tool status=0
    tool=$(command -v compute-sanitizer || echo "$cuda/bin/compute-sanitizer")
    [ "${SANITIZE:-yes}" = yes ] || { echo "left out"; return; }
    [ -x "$tool" ] || { echo "no compute-sanitizer here"; return; }
    ours within 100 "$tool" --tool "$1" --error-exitcode 9 "$folder/pairs" small >"$work/$1" 2>&1 || status=$?
    grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$work/$1" | tail -1 | sed 's/^=* *//' >"$work/verdict" || true
    if [ "$status" = 124 ]; then
        echo "out of time after $(count "$work/$1")," \
            "$(grep -cE '^=+ .*(Invalid|hazard|Error)' "$work/$1" || true) reports"
    else
        echo "$(cat "$work/verdict"), $(count "$work/$1")"
    fi
    [ "$status" = 0 ] || [ "$status" = 124 ] || { grep '^=====' "$work/$1" | head -40 >&2; return 1; }
}
say "memcheck"
memcheck=$(sanitized memcheck) || failed=1
say "memcheck: $memcheck"
racecheck=$(sanitized racecheck) || failed=1
say "racecheck: $racecheck"

# ---- a whole cycle -------------------------------------------------------------------------------------------

# Five planes of one channel are made; the other planes and channels are links to them.
make_cycle() {
    local raw file tile z c planes=20 channels=4
    image 150 phantom "$large/cycle" --seed 1 --cycles 1 --channels 1 --planes 5 --grid 9x7 --tile 1440x1920 \
        --overlap 0.3 --no-truth-images --quiet || return 1
    raw=$(echo "$large"/cycle/data/raw/*)
    for file in "$raw"/*_Z001_CH1.tif; do
        tile=${file%_Z001_CH1.tif}
        for ((c = 1; c <= channels; c++)); do
            for ((z = 1; z <= planes; z++)); do
                ln -f "${tile}_Z00$((z % 8 < 5 ? z % 8 + 1 : 9 - z % 8))_CH1.tif" \
                    "$(printf '%s_Z%03d_CH%d.tif' "$tile" "$z" "$c").new"
            done
        done
    done
    for file in "$raw"/*.new; do mv -f "$file" "${file%.new}"; done
    rm -f "$large"/cycle/meta/dark_CH*.tif
    printf 'M%s\n' 1 2 3 4 >"$large/cycle/meta/CHANNELNAMES.txt"
    local waves='"1": [358, 461], "2": [488, 525], "3": [560, 575], "4": [648, 668]'
    sed -i -z -e "s/\"n_zplanes\": [0-9]*/\"n_zplanes\": $planes/" \
        -e "s/\"channels_per_cycle\": 1/\"channels_per_cycle\": $channels/" \
        -e "s/\"wavelengths\": {.*}\n}/\"wavelengths\": {$waves}\n}/" \
        "$large/cycle/meta/experiment.json"
}

cycle="| left out | | |"
if [ "${CYCLE:-yes}" = yes ] && [ "$(left)" -gt 150 ]; then
    say "a cycle"
    if make_cycle; then
        cycle=
        for name in stitch deconv edof; do
            read -r took io <<<"$(stage "$large/cycle" gpu "$name" --cycle 1)" || true
            [ "$took" != failed ] || failed=1
            say "$name of a cycle: $took s"
            cycle+="| $name | $took | $io |"$'\n'
        done
        took=$(decoding "$(echo "$large"/cycle/data/raw/*)")
        [ "$took" != failed ] || failed=1
        cycle+="| decoding the tiles alone | $took | |"$'\n'
    else
        cycle="| could not be made in time | | |"
    fi
fi

say "done"
exit "$failed"
