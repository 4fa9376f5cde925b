#!/usr/bin/env bash
# Packs a build, and runs what is packed as a bare machine would, on the emulated card: check.sh BUILD PLUGIN
set -euo pipefail
build=$1 plugin=$2 here=$(dirname "$(readlink -f "$0")")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
PLUGIN=$plugin "$here/pack.sh" "$build" "$place/pack"
cd /
# packed NAME=VALUE...: what is packed runs there; without a home no FFT plans are measured: all runs round alike
packed() {
    # and as one that was killed left its folder, under the same number
    env -i PATH=/usr/bin:/bin HOME= TMPDIR="$place" BUDGET=1000 SIDE=128 PLANES=3 CYCLE=no \
        SIZE="2x2 --tile 160x176 --planes 5" PAIRS="settle upload domain_keep" "$@" \
        sh -c 'mkdir -p "$TMPDIR/kintsugi-gpu.$$/log" && exec "$0"' "$place/pack/run.sh"
}
# In two calls: the second goes on where the first has ended.
packed KEEP="$place/kept" PARTS="pairs primitives" >"$place/first" 2>&1 || { cat "$place/first"; exit 1; }
packed KEEP="$place/kept" >"$place/out" 2>&1 || { cat "$place/out"; exit 1; }
cat "$place/out"
! grep -qE '\] (pairs|primitives)$' "$place/out" || { echo "what was finished was done again"; exit 1; }
# Every table is there, and has what it should have.
for row in '^| pairs, CPU and card | [1-9][0-9]* passed, 0 failed' '^| memcheck |' '^| racecheck |' \
    '^| copy | [0-9.]* | [0-9.]* | [0-9.]* | 100 %' '^| alm_step |' '^| warp_u16 | [0-9.]* | 0\.2 |' \
    '^| a step of Richardson-Lucy, one launch | [0-9.]* ' '^| a step with transforms by cuFFT, one launch |' \
    '^CuPy is not installed here' \
    '^| deconv | [0-9.]* | [0-9.]* | [0-9.]* | [0-9.]* | 0\.[0-9]*[1-9][0-9]* |' '^| register |' '^| edof | [1-9][0-9]* | [01] |' \
    '^Reading and decoding .* else: [0-9.]* s on all cores'; do
    grep -q "$row" "$place/out" || { echo "there is no line $row"; exit 1; }
done

# Clocks are those right after the primitives.
mkdir "$place/bin"
printf '#!/bin/sh\n[ -e %s/bin/slow ] && echo "345 MHz" || echo "1980 MHz"\n' "$place" >"$place/bin/nvidia-smi"
chmod +x "$place/bin/nvidia-smi"
packed PATH="$place/bin:/usr/bin:/bin" KEEP="$place/clocked" PARTS=primitives >"$place/out" 2>&1
touch "$place/bin/slow"
packed PATH="$place/bin:/usr/bin:/bin" KEEP="$place/clocked" PARTS="primitives peers" >"$place/out" 2>&1
grep -q '^| after the primitives: clocks .* | 1980 MHz |' "$place/out" || { cat "$place/out"; echo "there are no clocks"; exit 1; }
rm "$place/bin/nvidia-smi"

# A compute-sanitizer that finds nothing, that finds something, that cannot use this card.
cat >"$place/bin/compute-sanitizer" <<'END'
#!/bin/sh
echo "========= COMPUTE-SANITIZER"
[ "$2" != racecheck ] || { echo "========= Error: Device not supported."; exit 255; }
case "$*" in *"--report-api-errors no"*) ;; *) exit 3 ;; esac
printf 'ok 1 - sum: 3 %% of what may differ
'
[ ! -e "${0%/*}/fault" ] || { printf '========= Invalid __global__ read
========= ERROR SUMMARY: 1 error
'; exit 9; }
echo "========= ERROR SUMMARY: 0 errors"
END
chmod +x "$place/bin/compute-sanitizer"
runs=$((($("$place/pack/pairs" names small | wc -l) + 1) / 2)) # two pairs each
sanitized() { packed PATH="$place/bin:/usr/bin:/bin" PARTS="memcheck racecheck" >"$place/out" 2>&1; }
sanitized || { cat "$place/out"; exit 1; }
for row in "^| memcheck | 0 found, $runs passed, 0 failed |" \
    '^| racecheck | nothing ran under it: COMPUTE-SANITIZER Error: Device not supported. |' '^| finished | memcheck'; do
    grep -q "$row" "$place/out" || { cat "$place/out"; echo "there is no line $row"; exit 1; }
done
touch "$place/bin/fault"
! sanitized || { echo "what a sanitizer has found was passed over"; exit 1; }
grep -q "^| memcheck | $runs found, $runs passed, 0 failed |" "$place/out" || { cat "$place/out"; exit 1; }

# A pair that ends the process, and a primitive that the card fails in, cost no other its result.
cat >"$place/pack/pairs" <<'END'
#!/bin/sh
case "$1 $2" in
"names ") printf '%s\n' sum dot scale ;;
"gpu ") echo "ok 1 - sum: 3 % of what may differ"; kill -9 $$ ;;
"gpu dot") echo "not ok 1 - dot: 200 % of what may differ"; exit 1 ;;
*) echo "ok 1 - $2: 0 % of what may differ" ;;
esac
END
cat >"$place/pack/speed" <<'END'
#!/bin/sh
[ "$4" = "rl_step, 9 planes" ] && printf '| copy | 1.0 | 1.0 | 1.0 | 100 %% |\n' && exit 0
printf '| copy | 1.0 | 1.0 | 1.0 | 100 %% |\n| rl_step, 9 planes |'
exit 1
END
! packed PARTS="pairs primitives" PAIRS= >"$place/out" 2>&1 || { echo "failures were passed over"; exit 1; }
for row in '^| pairs, CPU and card | 2 passed, 1 failed: dot |' '^| copy | 1.0' '^Failed, .* rl_step, 9 planes\.'; do
    grep -q "$row" "$place/out" || { cat "$place/out"; echo "there is no line $row"; exit 1; }
done
