#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cluster.sh: a real Slurm on this one machine, below one directory: munged, MariaDB, slurmdbd, slurmctld and four slurmd
# (two with four GPUs each, two without), with partitions, accounts, group limits and users.
#
#   tests/slurm/cluster.sh up [DIR]       start it unless it runs; prints the line that lets Slurm's commands find it
#   tests/slurm/cluster.sh down [DIR]     stop it and remove every trace; not while somebody uses it (see below)
#   tests/slurm/cluster.sh status [DIR]   exit status 0 if it runs
#   tests/slurm/cluster.sh why            why it cannot run here; nothing if it can
#
# DIR is /var/tmp/kintsugi-slurm by default. As root it has three users of its own, kfsmith, kfdrew and kflee, and their
# jobs run as them; otherwise it has the calling user alone. Whoever uses it holds a shared lock (flock) on DIR.users meanwhile;
# `down` then leaves it alone and says so.
#
#   kfsmith   accounts clive, maigan, clive-b, brusko   (or the calling user)
#   kfdrew    account clive                             kflee   account maigan
#   clive     40 CPUs, 312 GB, 1 GPU for all its jobs   maigan  80 CPUs, 625 GB, 2 GPUs; the other two have no limits
#   hpg-b200 (gpu1), hpg-turin (gpu2), hpg-default (cpu1, cpu2), short (10 minutes at most), burst (may be preempted)
#
# Memory is limited by the kernel (task/cgroup) where root may make groups below /sys/fs/cgroup/memory, elsewhere Slurm's own
# sampling ends what takes too much.
#
# From the environment: SLURM_PREFIX (a Slurm that was installed elsewhere, --enable-multiple-slurmd; without it that of the PATH),
# KF_PORT (28000, and 20 more), KF_KILLWAIT, KF_MINJOBAGE, KF_MAXJOBCOUNT, KF_MAXARRAY, KF_EXTRA (lines of slurm.conf).
set -euo pipefail
PATH=${SLURM_PREFIX:+$SLURM_PREFIX/bin:$SLURM_PREFIX/sbin:}$PATH:/usr/sbin:/sbin
nodes=(gpu1 gpu2 cpu1 cpu2)
users=(kfsmith kfdrew kflee)
memory=/sys/fs/cgroup/memory
packages="slurmctld slurmd slurm-client slurmdbd slurm-wlm-mysql-plugin munge mariadb-server"
port=${KF_PORT:-28000}
me=$(id -un)
root=false
[ "$(id -u)" = 0 ] && root=true
$root || users=("$me")

die() { echo "cluster.sh: $*" >&2; exit 1; }

why() {
    local program
    for program in munged mariadbd mariadb-install-db slurmdbd slurmctld slurmd sbatch sacctmgr flock; do
        command -v $program >/dev/null || { echo "there is no $program; Debian has it in: $packages"; return; }
    done
}

# wait_for SECONDS WHAT COMMAND...
wait_for() {
    local tries=$(($1 * 10)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || die "$what did not come up; see $base/log"
        sleep 0.1
    done
}

# alive NAME: whether the process of that pid file runs
alive() {
    local pid
    pid=$(cat "$base/$1.pid" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null
}

# end NAME SECONDS: SIGTERM, then SIGKILL
end() {
    local tries=$(($2 * 10)) pid
    alive "$1" || return 0
    pid=$(cat "$base/$1.pid")
    kill "$pid" 2>/dev/null || return 0
    while kill -0 "$pid" 2>/dev/null; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { kill -9 "$pid" 2>/dev/null; break; }
        sleep 0.1
    done
}

running() {
    local service
    for service in munge db slurmdbd slurmctld "${nodes[@]/#/slurmd-}"; do
        alive "$service" || return 1
    done
    SLURM_CONF=$base/slurm.conf timeout 20 scontrol ping 2>/dev/null | grep -q 'is UP'
}

# since VERSION: whether this Slurm is at least that
since() {
    local version
    version=$(slurmctld -V)
    [ "$(printf '%s\n' "$1" "${version#slurm }" | sort -V | head -n 1)" = "$1" ]
}

# Whether the kernel can limit the memory of jobs.
has_cgroups() {
    $root && mkdir "$memory/kf-probe" 2>/dev/null && rmdir "$memory/kf-probe"
}

# ---- up ----

start_munge() {
    head -c 1024 /dev/urandom >"$base/key/k"
    chmod 600 "$base/key/k"
    munged --force --key-file="$base/key/k" --socket="$base/sock/m" --pid-file="$base/munge.pid" \
        --log-file="$base/log/munged.log" --seed-file="$base/key/seed" 9>&-
    wait_for 30 munged munge -n -S "$base/sock/m"
}

sql() { mariadb --no-defaults -u root --socket="$base/sock/db" "$@"; }

start_database() {
    local host
    mariadb-install-db --no-defaults --user="$me" --datadir="$base/db" --auth-root-authentication-method=normal \
        --skip-test-db >"$base/log/install.log" 2>&1
    mariadbd --no-defaults --user="$me" --datadir="$base/db" --bind-address=127.0.0.1 --port=$((port + 1)) \
        --socket="$base/sock/db" --pid-file="$base/db.pid" --innodb-buffer-pool-size=64M \
        --innodb-lock-wait-timeout=900 --innodb-flush-log-at-trx-commit=0 >"$base/log/mariadb.log" 2>&1 </dev/null 9>&- &
    disown
    wait_for 60 MariaDB mariadb-admin --no-defaults -u root --socket="$base/sock/db" ping
    sql -e "create database kf_acct"
    for host in 127.0.0.1 localhost; do
        sql -e "create user 'kf'@'$host' identified by 'kf'; grant all on kf_acct.* to 'kf'@'$host'"
    done
}

write_slurmdbd_conf() {
    # StorageHost must be an address: 'localhost' would be the system's own database.
    cat >"$base/slurmdbd.conf" <<END
AuthType=auth/munge
AuthInfo=socket=$base/sock/m
DbdHost=localhost
DbdPort=$((port + 2))
SlurmUser=$me
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$((port + 1))
StorageUser=kf
StoragePass=kf
StorageLoc=kf_acct
LogFile=$base/log/slurmdbd.log
PidFile=$base/slurmdbd.pid
END
    chmod 600 "$base/slurmdbd.conf"
}

write_slurm_conf() {
    local gpu task=task/none sampling=OverMemoryKill
    if has_cgroups; then
        task=task/cgroup sampling= # only one of the two may end jobs
        printf '%s\n' CgroupPlugin=cgroup/v1 CgroupMountpoint=${memory%/*} ConstrainRAMSpace=yes >"$base/cgroup.conf"
        since 23.11 || echo CgroupAutomount=no >>"$base/cgroup.conf"
    fi
    for gpu in 0 1 2 3; do # a plain file registers, but CUDA_VISIBLE_DEVICES would stay empty
        ln -sf /dev/null "$base/dev/gpu$gpu"
    done
    printf 'AutoDetect=off\nNodeName=gpu[1-2] Name=gpu File=%s/dev/gpu[0-3]\n' "$base" >"$base/gres.conf"
    cat >"$base/slurm.conf" <<END
ClusterName=kftest
SlurmctldHost=localhost
SlurmctldPort=$((port + 3))
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$base/sock/m
StateSaveLocation=$base/state
SlurmdSpoolDir=$base/spool/%n
SlurmctldPidFile=$base/slurmctld.pid
SlurmdPidFile=$base/slurmd-%n.pid
SlurmctldLogFile=$base/log/slurmctld.log
SlurmdLogFile=$base/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=$task
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdTimeout=60
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
SlurmdParameters=config_overrides
SchedulerParameters=bf_interval=1,sched_interval=1
PriorityType=priority/multifactor
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=${KF_KILLWAIT:-5}
MinJobAge=${KF_MINJOBAGE:-300}
MaxJobCount=${KF_MAXJOBCOUNT:-25000}
MaxArraySize=${KF_MAXARRAY:-1001}
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
AccountingStoragePort=$((port + 2))
AccountingStoragePass=$base/sock/m
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
${sampling:+JobAcctGatherParams=$sampling}
${KF_EXTRA:-}
NodeName=gpu[1-2] NodeHostname=localhost Port=[$((port + 11))-$((port + 12))] CPUs=64 RealMemory=1000000 Gres=gpu:4
NodeName=cpu[1-2] NodeHostname=localhost Port=[$((port + 13))-$((port + 14))] CPUs=96 RealMemory=1000000
PartitionName=hpg-b200 Nodes=gpu1 MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
PartitionName=hpg-turin Nodes=gpu2 MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
PartitionName=hpg-default Nodes=cpu[1-2] Default=YES MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
PartitionName=short Nodes=cpu[1-2] MaxTime=10 State=UP PriorityTier=10 PreemptMode=OFF
PartitionName=burst Nodes=cpu[1-2] MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE
END
}

make_users() {
    local user
    mkdir -p "$base/home"
    for user in "${users[@]}"; do
        $root || continue
        id "$user" >/dev/null 2>&1 || useradd --no-create-home --home-dir "$base/home/$user" --shell /bin/bash "$user"
        mkdir -p "$base/home/$user"
        chown "$user:" "$base/home/$user"
    done
}

account() { sacctmgr -iQ "$@" >>"$base/log/sacctmgr.log"; }

make_accounts() {
    local name
    account add qos clive set GrpTRES=cpu=40,mem=312G,gres/gpu=1
    account add qos maigan set GrpTRES=cpu=80,mem=625G,gres/gpu=2
    account add qos clive-b
    account add qos brusko
    for name in clive maigan clive-b brusko; do
        account add account $name set qos=$name defaultqos=$name
        account add user "${users[0]}" account=$name
    done
    $root || return 0
    account add user "${users[1]}" account=clive
    account add user "${users[2]}" account=maigan
}

has_gpu_tres() { sacctmgr -nP show tres | grep -q gpu; }
has_nodes() { [ "$(sinfo -h -t idle -N -o %N | sort -u | wc -l)" = 4 ]; }

start_slurm() {
    local node
    export SLURM_CONF=$base/slurm.conf
    slurmdbd 9>&-
    wait_for 60 slurmdbd sacctmgr -n show cluster
    account add cluster kftest
    slurmctld -i 9>&-
    wait_for 60 "slurmctld's gres/gpu" has_gpu_tres # a QOS cannot limit it before
    make_accounts
    for node in "${nodes[@]}"; do
        slurmd -N "$node" 9>&-
    done
    wait_for 90 "the nodes" has_nodes
}

up() {
    local reason
    reason=$(why)
    [ -z "$reason" ] || die "$reason"
    if ! running; then
        stop
        mkdir -p "$base"/{db,state,dev,log,spool,key,sock}
        mkdir -p "${nodes[@]/#/$base/spool/}"
        chmod 755 "$base" "$base/sock"
        chmod 700 "$base/key"
        make_users
        start_munge
        start_database
        write_slurmdbd_conf
        write_slurm_conf
        start_slurm
    fi
    echo "export SLURM_CONF=$base/slurm.conf${SLURM_PREFIX:+ PATH=$SLURM_PREFIX/bin:$SLURM_PREFIX/sbin:\$PATH}"
}

# ---- down ----

stop() {
    local node user
    if alive slurmctld; then # or jobs would outlive their cluster
        for user in "${users[@]}" "$me"; do
            SLURM_CONF=$base/slurm.conf timeout 20 scancel --full --signal=KILL --quiet -u "$user" >/dev/null 2>&1 || true
        done
        sleep 0.5
    fi
    for node in "${nodes[@]}"; do # all at once, then each is waited for
        ! alive "slurmd-$node" || kill "$(cat "$base/slurmd-$node.pid")" 2>/dev/null || true
    done
    for node in "${nodes[@]}"; do
        end "slurmd-$node" 10
    done
    for node in "${nodes[@]}"; do
        [ ! -d "$memory/slurm_$node" ] || find "$memory/slurm_$node" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    for node in slurmctld slurmdbd db munge; do # what they know is thrown away
        end "$node" 0
    done
    rm -rf "$base" 2>/dev/null || { sleep 1; rm -rf "$base"; } # somebody was still writing there
}

down() {
    local user
    exec 8>>"$base.users"
    if ! flock --nonblock --exclusive 8; then
        echo "the cluster in $base is in use and stays up"
        return
    fi
    stop
    for user in "${users[@]}"; do
        # another cluster may have made them
        [ "$(getent passwd "$user" | cut -d: -f6)" != "$base/home/$user" ] || userdel "$user" >/dev/null 2>&1 || true
    done
    rm -f "$base.users" "$base.lock"
}

command=${1:-}
base=${2:-${KF_SLURM_DIR:-/var/tmp/kintsugi-slurm}}
umask 022
case $command in
up | down)
    exec 9>>"$base.lock" # one of these at a time
    flock 9
    $command
    ;;
status) running && echo "up: $base/slurm.conf" ;;
why) why ;;
*) sed -n '3,26s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
