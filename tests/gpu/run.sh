#!/usr/bin/env bash
# On a machine with a GPU: the pairs test, the speed of every primitive, a whole cycle on the card, every stage on the CPU
# and on the card, compute-sanitizer, CuPy and cuCIM on the same card where they are installed; one report of tables at
# the end, for docs/benchmarks.md. What comes first tells most: if it is cut off, the report has what there is until then.
#
#     tests/gpu/run.sh [FOLDER]      FOLDER: made by tests/gpu/pack.sh; by default the one run.sh lies in
#
#     BUDGET=570                                seconds for all; what no time is left for is left out, and said. Of the
#                                               time after which it would be killed, this leaves half a minute
#     KEEP=FILE                                 what is finished is noted there; where the same command runs again, on
#                                               this machine or one that the file was brought to, it goes on there
#     PARTS="pairs memcheck"                    only these of pairs primitives cycle stages memcheck racecheck peers
#                                               cpu, each for as long as there is time; cpu, the cycle on the CPU, only
#                                               if it is named
#     CPU_CHANNELS=1-4                          channels of the cycle that the CPU deconvolves and projects (default 1:
#                                               each took more than a minute on 16 cores)
#     REPORT=FILE                               the report is also there, from the first table on
#     SIZE="4x4 --tile 1440x1920 --planes 12"   the acquisition of the stages (default 3x3 --tile 720x960 --planes 9)
#     SIDE=2048 PLANES=20                       pixels and planes of the primitives
#     CYCLE=yes                                 a cycle of 9x7 tiles, 4 channels, 20 planes on the card: 40 GB in memory
#                                               (/dev/shm) where it has that much, else in TMPDIR; of one channel where
#                                               there is room for no more than 12
#     CYCLE_IN=FOLDER                           where the cycle is made, and stays; one that is there is used
#     SANITIZE=no                               leaves compute-sanitizer out
#     PAIRS="sum dot"                           only these pairs
#     PYTHON=python3                            an interpreter; without numpy, peers and differences are left out
set -euo pipefail
folder=$(cd "${1:-$(dirname "$0")}" && pwd)
# place FOLDER: one of our own there; what a run that was killed has left there is removed, also where it had our number,
# as in a container that counts anew
place() {
    local old
    for old in "$1"/kintsugi-gpu.*; do
        { [ "${old##*.}" != $$ ] && kill -0 "${old##*.}" 2>/dev/null; } || rm -rf "$old"
    done
    mkdir "$1/kintsugi-gpu.$$" && echo "$1/kintsugi-gpu.$$"
}
work=$(place "${TMPDIR:-/tmp}")
# room FOLDER: GB that are free there
room() { df --output=avail -BG "$1" 2>/dev/null | tr -dc 0-9 | grep . || echo 0; }
large=$(place /dev/shm 2>/dev/null) || large=$work
trap 'rm -rf "$work" "$large"' EXIT
# Where the cycle lies: files in memory are what a page cache would be, without a disk behind it.
[ "$(room "$large")" -ge 40 ] || { rm -rf "$large"; large=$work; mkdir -p "$work"; }
cycle_in=${CYCLE_IN:-$large}
channels=4 # of the cycle
[ "$(room "$large")" -ge 40 ] || channels=1
[ -z "${REPORT:-}" ] || REPORT=$(realpath -m "$REPORT")
[ -z "${KEEP:-}" ] || KEEP=$(realpath -m "$KEEP")
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")")
export KINTSUGI_GPU_PLUGIN=$folder/kintsugi-image-cuda.so KINTSUGI_GPU_CLOCK=yes OMP_WAIT_POLICY=passive LC_ALL=C
libraries=$folder/lib:$cuda/lib64:$cuda/targets/$(uname -m | sed s/aarch64/sbsa/)-linux/lib:/usr/local/nvidia/lib64
failed=0
none="not reached"
pairs=$none memcheck=$none racecheck=$none speed="The primitives: $none." peers="Peers in Python: $none." decoded="?"
rows="| $none | | | | | | |" apart="| $none | | | |" cycle="| $none | | | |" cycle_cpu=
finished= made= # parts, and by which card
clocks="?" # of the card, when the primitives have just been timed
[ ! -s "${KEEP:-}" ] || . "$KEEP"
# The first time, no part takes so long that nothing is left for the next ones.
[ -n "$finished${PARTS:-}" ] && capped=no || capped=yes

# ours COMMAND...: with the libraries that were packed, which are not for the system's own programs
ours() { LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"; }

# A toolkit of pip's or conda's has cuFFT elsewhere.
cufft=$(ours ldd "$KINTSUGI_GPU_PLUGIN" | awk '/libcufft.*not found/ {print $1}')
if [ -n "$cufft" ]; then
    found=$(ls -d /opt/*{,/.venv}/lib/python3*/site-packages/nvidia/*/lib/"$cufft"* 2>&- | head -1) || true
    found=${found:-$(timeout 60 find / \( -path /proc -o -path /sys \) -prune -o -name "$cufft*" -print -quit 2>&-)} || true
    [ -z "$found" ] || libraries+=:$(dirname "$found")
fi

# An interpreter, one with numpy where there is one.
find_python() {
    local one
    for one in ${PYTHON:-} python3 /opt/*/bin/python3 /opt/*/.venv/bin/python3 /usr{,/local}/bin/python3; do
        timeout 60 "$one" -c "import numpy" 2>/dev/null && echo "$one" && return
    done
    echo "${PYTHON:-python3}"
}
python=$(find_python)

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

# begin PART: whether it is wanted and not finished yet, and there is time
begin() {
    [ "$(left)" -gt 1 ] || return 1
    [[ " ${PARTS:-$1} " = *" $1 "* && " $finished " != *" $1 "* ]] || return 1
    say "$1"
}
# cap SECONDS: those of a part
cap() { [ "$capped" = yes ] && echo "$1" || left; }
# end PART: it is finished, and does not come again; or it was cut off, and does
end() {
    [ "$(left)" -gt 1 ] || { say "$1: out of time"; return; }
    finished+=" $1"
    local on=" on ${card%%,*}"
    [[ "$made" = *"$on" ]] && made="${made%"$on"}, $1$on" || made+="${made:+; }$1$on"
    say "$1: done"
    [ -z "${KEEP:-}" ] || {
        declare -p finished made failed clocks pairs memcheck racecheck speed peers decoded rows apart cycle cycle_cpu >"$KEEP.new"
        mv "$KEEP.new" "$KEEP"
    }
}

image 60 info || true
if ! image 60 info --json | grep -q '"device":"gpu"'; then
    echo "nothing was run: there is no card that works"
    ours ldd "$KINTSUGI_GPU_PLUGIN" "$folder/kintsugi-image" | grep 'not found' || true
    exit 1
fi

# ---- the report ----------------------------------------------------------------------------------------------

card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -1 || true)
card=${card:-$(image 60 info | sed -n '1s/^GPU 0: //p')}
# state_of_card: its clocks, and what holds them back; it stays as it was for a while after work
state_of_card() {
    local asked=clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem,power.draw,temperature.gpu why said
    for why in ,clocks_event_reasons.active ,clocks_throttle_reasons.active ""; do # by the driver's age
        said=$(nvidia-smi --query-gpu="$asked$why" --format=csv,noheader 2>/dev/null) && head -1 <<<"$said" && return
    done
    echo "?"
}
read -r -a size <<<"${SIZE:-3x3 --tile 720x960 --planes 9}"

report() {
    echo "
$(date -u +%F), $card, $(nproc) cores; tests/gpu/run.sh

| | |
|---|---|
| pairs, CPU and card | $pairs |
| memcheck | $memcheck |
| racecheck | $racecheck |
| after the primitives: clocks and the most (processors, memory), power, degrees, throttled by | $clocks |
| finished | $made |

$speed

$peers

| stage, ${size[*]}, 2 channels | CPU s | waiting for files | card s | waiting for files | it computes | ratio |
|---|---|---|---|---|---|---|
${rows%$'\n'}

| stage, CPU and card | images | largest difference | most samples that differ, share |
|---|---|---|---|
$apart

Reading and decoding the tiles of its second cycle, and nothing else: $decoded s on all cores. The last column is what
cpu_factor says in rules/*.smk, for large images, and ROUTE_CPU_FACTOR (src/run/route.h) of a rule that does not say it.

| a cycle on the card: 9x7 tiles of 1440 x 1920, $channels channels, 20 planes, in ${CYCLE_IN:-${large%/*}} | s | waiting for files | the card computes |
|---|---|---|---|
${cycle%$'\n'}${cycle_cpu:+$'\n'${cycle_cpu%$'\n'}}"
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

# good_pair FILE NAME, bad_pair FILE NAME: whether it says that this pair passed, failed
good_pair() { grep -qE "^ok [0-9]+ - (the stage of )?$2[: ]" "$1"; }
bad_pair() { grep -qE "^not ok [0-9]+ - (the stage of )?$2[: ]" "$1"; }

# After a kernel that the card could not carry out, or that never ended, nothing that follows in the same process can
# pass: what failed or was not reached is tried again, each on its own.
try_pairs() {
    local name names=${PAIRS:+${PAIRS// /$'\n'}} good=0 bad=
    names=${names:-$(ours "$folder/pairs" names)}
    : >"$work/pairs"
    [ -n "${PAIRS:-}" ] || ours within "$(cap 150)" "$folder/pairs" gpu >"$work/pairs" || true
    while read -r name; do
        good_pair "$work/pairs" "$name" && ! bad_pair "$work/pairs" "$name" && good=$((good + 1)) && continue
        [ -n "${PAIRS:-}" ] || say "once more: $name"
        [ "$(left)" -gt 1 ] || { bad+="${bad:+, }$name and what follows"; break; }
        ours within 150 "$folder/pairs" gpu "$name" >"$work/pair" || echo "# ended with status $?" >>"$work/pair"
        cat "$work/pair"
        good_pair "$work/pair" "$name" && ! bad_pair "$work/pair" "$name" && good=$((good + 1)) && continue
        bad+=${bad:+, }$name
    done <<<"$names"
    pairs="$good passed, $(tr -dc , <<<"${bad:+,$bad}" | wc -c) failed${bad:+: $bad}"
    [ -z "$bad" ]
}
if begin pairs; then
    try_pairs || failed=1
    end pairs
    say "pairs: $pairs"
fi

# ---- how fast are the primitives -----------------------------------------------------------------------------

# A primitive that fails or never ends is left out of the next try. Its name stands in the table's last line.
time_primitives() {
    local out=() try
    for try in 1 2 3 4; do
        ours within "$(cap 120)" "$folder/speed" gpu "${SIDE:-2048}" "${PLANES:-20}" "${out[@]}" >"$work/speed" 2>&1 &&
            break
        failed=1
        out+=("$(sed -n 's/^| \([^|]*\) |.*/\1/p' "$work/speed" | tail -1)")
        cat "$work/speed"
    done
    speed=$(cat "$work/speed")${out:+$'\n\n'Failed, and left out of the table: ${out[*]}.}
    echo "$speed"
}
if begin primitives; then
    time_primitives
    clocks=$(state_of_card)
    end primitives
fi

# ---- a whole cycle -------------------------------------------------------------------------------------------

# number KEY FILE: of a JSON object on one line
number() {
    sed -n "s/.*\"$1\":\([0-9.e+-]*\).*/\1/p" "$2" | head -1
}

# stage PROJECT DEVICE WORDS...: seconds (at most $patience), those that files were waited for, those in which a card
# computed
stage() {
    local project=$1 device=$2
    shift 2
    image "${patience:-200}" "$1" "$project" "${@:2}" --device "$device" --quiet --json >"$work/json" 2>"$work/log" || {
        cat "$work/log" >&2
        echo "failed 0 0"
        return 1
    }
    printf '%.2f %.2f %.2f\n' "$(number wall_s "$work/json")" "$(number io_wait_s "$work/json")" \
        "$(number card_s "$work/json")"
}

# decoding FOLDER: seconds to read and decode its tiles, and nothing else
decoding() {
    ours within 100 "$folder/decode" "$1" 2>>"$work/log" || echo "failed"
}

# Three planes of one channel are made; the other planes and channels are links to them.
make_cycle() {
    local raw file tile z c planes=20
    [ ! -e "$cycle_in/cycle" ] || return 0
    mkdir -p "$cycle_in"
    image 150 phantom "$cycle_in/cycle" --seed 1 --cycles 1 --channels 1 --planes 3 --grid 9x7 --tile 1440x1920 \
        --overlap 0.3 --no-truth-images --quiet || return 1
    raw=$(echo "$cycle_in"/cycle/data/raw/*)
    for file in "$raw"/*_Z001_CH1.tif; do
        tile=${file%_Z001_CH1.tif}
        for ((c = 1; c <= channels; c++)); do
            for ((z = 1; z <= planes; z++)); do
                ln -f "${tile}_Z00$((z % 4 < 3 ? z % 4 + 1 : 2))_CH1.tif" \
                    "$(printf '%s_Z%03d_CH%d.tif' "$tile" "$z" "$c").new"
            done
        done
    done
    for file in "$raw"/*.new; do mv -f "$file" "${file%.new}"; done
    rm -f "$cycle_in"/cycle/meta/dark_CH*.tif
    seq -f M%g "$channels" >"$cycle_in/cycle/meta/CHANNELNAMES.txt"
    local waves='"1": [358, 461]'
    [ "$channels" = 1 ] || waves+=', "2": [488, 525], "3": [560, 575], "4": [648, 668]'
    sed -i -z -e "s/\"n_zplanes\": [0-9]*/\"n_zplanes\": $planes/" \
        -e "s/\"channels_per_cycle\": 1/\"channels_per_cycle\": $channels/" \
        -e "s/\"wavelengths\": {.*}\n}/\"wavelengths\": {$waves}\n}/" \
        "$cycle_in/cycle/meta/experiment.json"
}

run_cycle() {
    local name took io busy
    make_cycle || { cycle="| could not be made in time | | | |"; return 1; }
    cycle=
    for name in stitch deconv edof; do
        read -r took io busy <<<"$(stage "$cycle_in/cycle" gpu "$name" --cycle 1 --force)" || true
        [ "$took" != failed ] || failed=1
        say "$name of a cycle: $took s"
        cycle+="| $name | $took | $io | $busy |"$'\n'
    done
    took=$(decoding "$(echo "$cycle_in"/cycle/data/raw/*)")
    [ "$took" != failed ] || failed=1
    cycle+="| decoding the tiles alone | $took | | |"$'\n'
}
if [ "${CYCLE:-yes}" != yes ]; then
    cycle="| left out | | | |"
elif [ "$(room "$large")" -lt 12 ]; then
    cycle="| left out: no room for 12 GB in ${large%/*} | | | |"
elif [ "$(left)" -le 150 ]; then
    [[ " $finished " = *" cycle "* ]] || cycle="| left out: no time | | | |"
elif begin cycle; then
    run_cycle && end cycle
fi

# cpu_stage NAME WORDS...: a row of the cycle's table
cpu_stage() {
    local took io patience=500
    read -r took io _ <<<"$(stage "$cycle_in/cycle" cpu "$1" --cycle 1 --force "${@:2}")" || true
    [ "$took" != failed ] || failed=1
    say "$* on the CPU: $took s"
    cycle_cpu+="| $* on the CPU | $took | $io | |"$'\n'
}
run_cpu() {
    make_cycle || { cycle_cpu="| could not be made in time | | | |"; return 1; }
    cycle_cpu=
    cpu_stage stitch
    cpu_stage deconv --channels "${CPU_CHANNELS:-1}"
    cpu_stage edof --channels "${CPU_CHANNELS:-1}"
}
if [[ " ${PARTS:-} " = *" cpu "* ]] && begin cpu; then
    run_cpu && end cpu
fi

# ---- how fast are the stages ---------------------------------------------------------------------------------

# Every stage on both devices, then what their images differ by.
run_stages() {
    local name cycle device cpu cpu_io gpu gpu_io gpu_busy took io busy words
    image 100 phantom "$work/cpu" --seed 1 --cycles 2 --channels 2 --overlap 0.3 --difficulty 1 --no-truth-images \
        --quiet --grid "${size[@]}" || failed=1
    cp -r "$work/cpu" "$work/gpu" || failed=1
    rows=
    for name in stitch deconv edof register; do
        read -r cpu cpu_io <<<"0 0"
        read -r gpu gpu_io gpu_busy <<<"0 0 0"
        for cycle in 1 2; do
            words=("$name" --cycle "$cycle")
            [ "$name" = register ] && words=("$name")
            [ "$name $cycle" = "register 2" ] && continue
            for device in cpu gpu; do
                read -r took io busy <<<"$(stage "$work/$device" "$device" "${words[@]}")" || true
                [ "$took" != failed ] || { failed=1; took=0; }
                declare "$device=$took" "${device}_io=$io" "${device}_busy=$busy" # of the second cycle, which finds the card warm
            done
        done
        rows+=$(awk -v s="$name" -v c="$cpu" -v ci="$cpu_io" -v g="$gpu" -v gi="$gpu_io" \
            -v gb="$gpu_busy" \
            'BEGIN {printf "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f |", s, c, ci, g, gi, gb, (g > 0 ? c / g : 0)}')$'\n'
        say "$name: $cpu s on the CPU, $gpu s on the card"
    done
    apart=$(within 100 "$python" "$folder/differences.py" "$work/cpu" "$work/gpu" 2>"$work/log") || {
        [ -n "$apart" ] && failed=1 || apart="| not compared: $(tail -n 1 "$work/log") | | | |"
    }
    decoded=$(decoding "$(printf '%s\n' "$work"/gpu/data/raw/* | tail -1)")
    [ "$decoded" != failed ] || failed=1
}
if begin stages; then
    run_stages
    end stages
fi

# ---- what compute-sanitizer finds -----------------------------------------------------------------------------

# sanitizer: its path, if there is one
sanitizer() {
    local one
    for one in "$(command -v compute-sanitizer || true)" "$cuda"/{bin,compute-sanitizer}/compute-sanitizer; do
        [ -x "$one" ] && echo "$one" && return
    done
    return 1
}
# sanitized TOOL: its verdict on the small pairs, two in each of as many processes as there are cores; status 2: not to
# the end. What calls of CUDA answer, ours look at themselves; CUDA's own libraries also ask for what a driver need not
# have.
sanitized() {
    local tool status=0 words=(--tool "$1" --error-exitcode 9) logs=$work/$1 all=$work/$1.all
    [ "${SANITIZE:-yes}" = yes ] || { echo "left out"; return; }
    tool=$(sanitizer) || { echo "no compute-sanitizer here"; return 2; }
    [ "$1" != memcheck ] || words+=(--report-api-errors no)
    mkdir "$logs"
    ours "$folder/pairs" names small | ours within "$(cap 100)" xargs -d '\n' -n 2 -P "$(nproc)" \
        bash -c '"${@:2}" >"$1/$$" 2>&1 || exit 9' with "$logs" "$tool" "${words[@]}" "$folder/pairs" small || status=$?
    cat "$logs"/* >"$all"
    if [ "$status" != 124 ] && ! grep -qE '^(not )?ok [0-9]+ - ' "$all"; then
        logs=("$logs"/*)
        echo "nothing ran under it: $(grep -m 3 . "${logs[0]}" | sed 's/^=* *//' | paste -sd' ' | cut -c 1-160)"
        return 2
    fi
    if [ "$status" = 124 ]; then
        echo "out of time after $(count "$all")," \
            "$(grep -cE '^=+ .*(Invalid|hazard|Error)' "$all" || true) reports"
        return 2
    fi
    echo "$(sed -n 's/^=* *[A-Z]* SUMMARY: \([0-9]*\).*/\1/p' "$all" | awk '{n += $1} END {print n + 0}') found," \
        "$(count "$all")"
    [ "$status" = 0 ] || { grep '^=====' "$all" | head -40 >&2; return 1; }
}
for name in memcheck racecheck; do
    begin "$name" || continue
    status=0
    verdict=$(sanitized "$name") || status=$?
    declare "$name=$verdict"
    [ "$status" != 1 ] || failed=1
    say "$name: $verdict"
    [ "$status" = 2 ] || end "$name"
done

# ---- others on the same card ----------------------------------------------------------------------------------

if begin peers; then
    echo "$speed" >"$work/speed"
    peers=$(within "$(cap 100)" "$python" "$folder/peers.py" "${SIDE:-2048}" "${PLANES:-20}" "$work/speed" \
        2>"$work/log") || peers="They were not measured: $(tail -n 1 "$work/log")"
    end peers
fi

say "done"
exit "$failed"
