"""A stand-in for the backup manager of OpenBao's operator, by its contract (when a restore exists that is not over, it does nothing; else it takes the
operation lock by a conditional write, renews it while it works, and releases it). Ends with status 1 if the lock was taken from it meanwhile.

usage: bao_operator.py KUBECTL NAMESPACE CLUSTER SECONDS: prints how many backups it has "taken"."""
import json, subprocess, sys, time

kubectl, namespace, cluster, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
mine = ("Backup", "openbaocluster/backup")


def run(*args, text=None):
    return subprocess.run([kubectl, "-n", namespace, *args], input=text, capture_output=True, text=True)


def read():
    return json.loads(run("get", "openbaocluster", cluster, "-o", "json").stdout)


def lock_of(one):
    lock = one.get("status", {}).get("operationLock") or {}
    return lock.get("operation"), lock.get("holder")


def swap(change):
    """Reads live, changes, and writes with the version that was read; True: written."""
    one = read()
    if not change(one):
        return False
    return run("replace", "--subresource=status", "-f", "-", text=json.dumps(one)).returncode == 0


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def acquire(one):
    if lock_of(one)[0] and lock_of(one) != mine:
        return False
    before = one["status"].get("operationLock") or {}
    one["status"]["operationLock"] = {"operation": mine[0], "holder": mine[1], "message": f"backup {namespace}/{cluster}",
                                      "acquiredAt": before.get("acquiredAt", now()), "renewedAt": now()}
    return True


def release(one):
    if lock_of(one) != mine:
        return False
    del one["status"]["operationLock"]
    return True


def restore_is_open():
    restores = json.loads(run("get", "openbaorestores", "-o", "json").stdout)["items"]
    return any(each["spec"]["cluster"] == cluster and not each["metadata"].get("deletionTimestamp") and
               each.get("status", {}).get("phase") not in ("Completed", "Failed", "Unknown") for each in restores)


taken, end = 0, time.time() + seconds
while time.time() < end:
    if restore_is_open() or not swap(acquire):
        time.sleep(0.5)
        continue
    for _ in range(4):  # it works
        time.sleep(0.5)
        if lock_of(read()) != mine:
            print("the lock was taken away while a backup worked: " + json.dumps(read()["status"].get("operationLock")), file=sys.stderr)
            sys.exit(1)
        swap(acquire)
    while not swap(release):
        if lock_of(read()) != mine:
            sys.exit("the lock was taken away before it was released")
    taken += 1
    time.sleep(0.3)
print(taken)
