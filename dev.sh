#!/usr/bin/env bash
# dev.sh: the one script a newcomer needs.
#
#   ./dev.sh demo [DIR]   install what is missing, build, make an acquisition, run the whole pipeline on it
#   ./dev.sh test         install what the tests need, build, run all of them
#   ./dev.sh build        install what is missing, build
#   ./dev.sh bench [NAME] measure: dag (writes the tables of docs/benchmarks.md), python
#   ./dev.sh conformance  Snakemake's own tests alone, run against this engine (pip fetches them)
#   ./dev.sh deps         only install what is missing
set -euo pipefail
cd "$(dirname "$0")"

build_packages=(gcc meson ninja-build pkg-config libuv1-dev libpcre2-dev libyaml-dev libsqlite3-dev libtiff-dev
                libfftw3-dev libpng-dev libjansson-dev)
test_packages=(g++ python3 sqlite3 procps curl git)
# A Slurm of its own for the tests (tests/slurm/cluster.sh); without them, those are skipped.
slurm_packages=(slurmctld slurmd slurm-client slurmdbd slurm-wlm-mysql-plugin munge mariadb-server)

# Installs Debian packages that are not there; says the command when it may not install. On other systems, meson says
# what is missing.
need() {
    command -v dpkg-query >/dev/null || return 0
    local missing=()
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    local sudo=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "please install: apt-get install ${missing[*]}" >&2; exit 1; }
        sudo=(sudo)
    fi
    echo "installing ${missing[*]}"
    "${sudo[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends \
        "${missing[@]}" >/dev/null
}

# configure FOLDER MESON-OPTIONS...
configure() {
    for tool in meson ninja pkg-config; do
        command -v $tool >/dev/null && continue
        echo "please install $tool (meson 1.0 or later and ninja also come from pip)" >&2
        exit 1
    done
    [ -f "$1/build.ninja" ] || meson setup "$@" >"$1.log" 2>&1 || { cat "$1.log" >&2; exit 1; }
    rm -f "$1.log"
}

# compile FOLDER [TARGETS]; ninja before 1.11 cannot be quiet
compile() {
    local quiet=--quiet
    ninja --quiet --version >/dev/null 2>&1 || quiet=
    ninja -C "$1" $quiet "${@:2}"
}

# The compute capabilities of the cards at hand, or 9.0: code for every generation would take minutes more.
gpu_arch() {
    local found
    found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -un | paste -sd,) || true
    [[ $found =~ ^[0-9]+(,[0-9]+)*$ ]] && echo "$found" || echo 90
}

# build [TARGETS]: the programs, or what is named
build() {
    need "${build_packages[@]}"
    configure build --buildtype=release --werror -Dgpu_arch="$(gpu_arch)"
    local programs=(kintsugi-flow kintsugi-image)
    compile build "${@:-${programs[@]}}"
}

demo() {
    local dir=${1:-demo} tools=$PWD/build
    build
    if [ ! -e "$dir/meta/experiment.json" ]; then
        echo "making an acquisition of 3 cycles in $dir"
        build/kintsugi-image phantom "$dir" --seed 1 --cycles 3 --channels 3 --planes 9 --grid 3x3 --tile 360x480 \
            --overlap 0.3 --difficulty 1
    fi
    PATH=$tools:$PATH build/kintsugi-flow run --snakefile workflow/Snakefile --directory "$dir" --cores all \
        --quiet rules host
    echo
    echo "Errors against the truth that the acquisition was made from:"
    build/kintsugi-image qc "$dir" --truth
    echo
    echo "Look at $dir/qc_plots/index.html and $dir/data/processed/registered/registered.ome.tif"
}

# suite FOLDER LOG OPTIONS...: runs its tests, two more at a time than there are cores, as some mostly wait; totals.py
# reads the log.
suite() {
    MESON_TESTTHREADS=$(($(nproc) + 2)) meson test -C "$1" --no-rebuild --quiet --logbase "$2" "${@:3}" || true
}

tests() {
    build all
    need "${test_packages[@]}"
    [ "$(id -u)" != 0 ] || need "${slurm_packages[@]}"
    export KINTSUGI_SHARED_DATA=${KINTSUGI_SHARED_DATA:-$PWD/../shared/data}
    suite build testlog --no-suite slurm
    suite build slurm --suite slurm & # it waits for its daemons more than it computes
    # Sanitizers leave an optimizer little to do: -O1 compiles in two thirds of the time and runs as fast. They name
    # lines, which -g1 keeps, but no variables, which take a fifth of the time.
    configure build-san --buildtype=debugoptimized -Doptimization=1 -Dc_args=-g1 -Dcpp_args=-g1 --werror -Dsanitize=true
    compile build-san
    suite build-san testlog --timeout-multiplier 4
    wait
    python3 tests/totals.py build/meson-logs/{testlog,slurm}.json build-san/meson-logs/testlog.json
}

# Snakemake's own tests alone, or those that --only names.
conformance() {
    build
    need "${test_packages[@]}"
    tests/conformance/run build/kintsugi-flow build/conformance "$@"
}

bench() {
    need "${test_packages[@]}"
    case ${1:-dag} in
    dag)
        build kintsugi-flow tests/budget/bare_loop tests/budget/turns
        tests/budget/run --write docs/benchmarks.md "${@:2}"
        ;;
    python) build tests/unit/python/pyrun && sh tests/bench/python/bench.sh build/tests/unit/python/pyrun ;;
    *) echo "no benchmark $1; known: dag, python" >&2; exit 2 ;;
    esac
}

case ${1:-help} in
deps) need "${build_packages[@]}" "${test_packages[@]}" "${slurm_packages[@]}" ;;
build) build ;;
demo) demo "${@:2}" ;;
test) tests ;;
bench) bench "${@:2}" ;;
conformance) conformance "${@:2}" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "$0"; [ "${1:-help}" = help ] ;;
esac
