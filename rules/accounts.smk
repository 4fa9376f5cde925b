# Which Slurm account and device each job gets, decided when the graph is built.
#
# config["resources"]["accounts"] lists what the project may use:
#     - {name: maigan, gpu_slots: 2, cpu_slots: 8, partition_gpu: "hpg-b200,hpg-turin", partition_cpu: hpg-default}
# --config live_accounts='[{"name":"maigan","gpu_avail":2,"cpu_avail":4,"mem_avail_gb":593}]' says what is free now; an
# account that is not in it counts with its static slots. Without accounts every job runs without one, as on a laptop.

import sys

GPU_PARTITION = "hpg-b200,hpg-turin"
CPU_PARTITION = "hpg-default"


LIVE_KEYS = ("gpu_avail", "cpu_avail", "mem_avail_gb")
LIVE_LIKE = "it is like '[{\"name\": \"maigan\", \"gpu_avail\": 2}]'"


def slot_count(number):
    """A number of slots, never below 0; None where it is no number. No list of slots needs more than a million."""
    try:
        number = float(number)
    except (TypeError, ValueError, OverflowError):
        return None
    return int(min(max(number, 0), 1000000)) if number == number else None


def account_key(name):
    """Slurm takes the name of an account in capitals, too."""
    return str(name).lower()


def live_capacity():
    """account_key -> what is free now; {} when nothing (readable) was given. What is no number is as if not given."""
    listed = given = config.get("live_accounts")
    if isinstance(listed, str):
        try:
            listed = json.loads(listed or "null")
        except ValueError:
            listed = False
    if listed is not None and not isinstance(listed, list):
        print(
            f"live_accounts is no list of accounts and counts as not given: {given!r}; {LIVE_LIKE}", file=sys.stderr
        )
    found = {}
    for entry in listed if isinstance(listed, list) else []:
        name = entry.get("name") if isinstance(entry, dict) else None
        if not name or not isinstance(name, str):
            print(f"live_accounts: an entry without a name is left out: {entry!r}; {LIVE_LIKE}", file=sys.stderr)
            continue
        live = {key: slot_count(entry[key]) for key in LIVE_KEYS if entry.get(key) is not None}
        found[account_key(name)] = live
        for key in [key for key in live if live[key] is None]:
            print(f"live_accounts: {key} of {name} is no number: {entry[key]!r}", file=sys.stderr)
    return found


def read_accounts():
    accounts = RESOURCES.get("accounts") or []
    found = {}
    for account in accounts if isinstance(accounts, list) else [accounts]:
        if not isinstance(account, dict) or not account.get("name"):
            raise WorkflowError(
                f"resources: accounts holds {account!r} in the config: it must be a list of accounts that have a name, "
                "as in '[{name: maigan, gpu_slots: 2}]'"
            )
        for key in ("gpu_slots", "cpu_slots"):
            whole(account.get(key) or 0, f"resources: accounts: {key} of {account['name']} in the config")
        found.setdefault(account_key(account["name"]), account)  # one that is listed twice has its slots once
    return list(found.values())


RESOURCES = section("resources")
ACCOUNTS = read_accounts()
LIVE = live_capacity()


def free(account, key, static):
    live = LIVE.get(account_key(account["name"]), {}).get(key)
    if live is not None:
        return live
    return int(account.get(static) or 0) if static else 0


def assign_cycles(cycles):
    """Cycle -> account for its GPU work: a queue of each account's free slots in config order; cycles beyond it go
    round the accounts that have any."""
    slots = {account["name"]: free(account, "gpu_avail", "gpu_slots") for account in ACCOUNTS}
    if not any(slots.values()):
        slots = {account["name"]: int(account.get("gpu_slots") or 0) for account in ACCOUNTS}
    queue = [account for account in ACCOUNTS for _ in range(min(slots[account["name"]], len(cycles)))]
    usable = [account for account in ACCOUNTS if slots[account["name"]] > 0]
    if not usable:
        return {}
    return {
        cycle: queue[i] if i < len(queue) else usable[i % len(usable)]
        for i, cycle in enumerate(cycles)
    }


def legacy_account():
    """A single account named the old way."""
    name = RESOURCES.get("account_gpu") or RESOURCES.get("account")
    if not name:
        return None
    return {"name": name, "gpu_slots": 1, "partition_gpu": RESOURCES.get("partition_gpu") or GPU_PARTITION}


def pick_registration_account():
    """(account, device): of the GPU accounts with a free slot the one with most room, else the first of them, else the
    first account on its CPUs."""
    gpu = [account for account in ACCOUNTS if int(account.get("gpu_slots") or 0) > 0]
    best = sorted(
        gpu, key=lambda a: (free(a, "gpu_avail", "gpu_slots"), free(a, "mem_avail_gb", None)), reverse=True
    )
    if gpu:
        return best[0] if free(best[0], "gpu_avail", "gpu_slots") > 0 else gpu[0], "gpu"
    return (ACCOUNTS[0], "cpu") if ACCOUNTS else (legacy_account(), "gpu")


def pick_cpu_account():
    """(account, partition) for work that needs no GPU: most free memory, then most free CPU slots; if none has free memory
    (or nothing is known of now) the first."""
    cpu = [account for account in ACCOUNTS if account.get("partition_cpu")]
    best = sorted(
        cpu, key=lambda a: (free(a, "mem_avail_gb", None), free(a, "cpu_avail", "cpu_slots")), reverse=True
    )
    if cpu:
        chosen = best[0] if free(best[0], "mem_avail_gb", None) > 0 else cpu[0]
        return chosen, chosen["partition_cpu"]
    return REGISTRATION_ACCOUNT, CPU_PARTITION


CYCLE_ACCOUNTS = assign_cycles(CYCLES)
REGISTRATION_ACCOUNT, REGISTRATION_DEVICE = pick_registration_account()
CPU_ACCOUNT, CPU_ACCOUNT_PARTITION = pick_cpu_account()
REGISTRATION_PARTITION = (REGISTRATION_ACCOUNT or {}).get("partition_gpu")
if DEVICE == "cpu":
    REGISTRATION_ACCOUNT, REGISTRATION_DEVICE = CPU_ACCOUNT, "cpu"
    REGISTRATION_PARTITION = CPU_ACCOUNT_PARTITION if CPU_ACCOUNT else None


def cycle_account(wildcards):
    return CYCLE_ACCOUNTS.get(wildcards.cycle) or legacy_account()


def cycle_account_name(wildcards):
    account = cycle_account(wildcards)
    return account["name"] if account else None


def cycle_partition(wildcards):
    account = cycle_account(wildcards)
    if not account:
        return None
    if DEVICE == "cpu":
        return account.get("partition_cpu") or CPU_PARTITION
    return account.get("partition_gpu") or GPU_PARTITION


def cycle_gres(wildcards):
    return "gpu:1" if cycle_account(wildcards) and DEVICE != "cpu" else None


def cycle_device(wildcards):
    """Where the images of a cycle are computed. auto: on Slurm the engine chooses by expected end, elsewhere the tool takes
    a GPU where there is one."""
    return DEVICE


def account_name(account):
    return account["name"] if account else None
