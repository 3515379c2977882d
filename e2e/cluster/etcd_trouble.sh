#!/usr/bin/env bash
# with_node.sh --plain etcd_trouble.sh: what goes wrong around a backup of a hosted etcd: stopped members, an image that does not exist, credentials that are
# exchanged or removed in the middle, an object that exists already, and another operator that serves the kind. Each is told, and loses nothing.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/etcd_stage.sh"
# in_store ARGS...: rclone on the store. Between the uploads and the store: another writer, who is faster below taken/.
in_store() { env -i PATH="$PATH" HOME="$home" rclone --config "" --s3-provider Other --s3-endpoint http://10.77.0.1:7070 --s3-access-key-id rootkey --s3-secret-access-key "$canary" --s3-no-check-bucket "$@"; }
python3 "$(dirname "${BASH_SOURCE[0]}")/taken.py" 10.77.0.1 7071 7070 snapshots/taken/ env -i PATH="$PATH" HOME="$home" CANARY="$canary" bash -c "$(declare -f in_store); home=$home canary=\$CANARY; in_store rcat \":s3:\$1\"" taken >"$home/taken.log" 2>&1 &
pids+=($!)
export KOPIUR_ETCD_STORE_ENDPOINT=http://10.77.0.1:7071 KOPIUR_POD_START_SECONDS=15
stage
# member N: the process of etcd-N. Stopped, its port is still open, so the kubelet counts it as ready.
member() { pgrep -f -- "--name=etcd-$1 " | head -1; }

# --- members that do not answer
kill -STOP "$(member 2)"
etcd_backup two-of-three | kube apply -f - >>"$home/made"
await 200 "with one of three members stopped the snapshot is taken" completed etcdbackup two-of-three BackupSucceeded
kill -STOP "$(member 1)"
etcd_backup one-of-three | kube apply -f - >>"$home/made"
await 60 "a lost quorum is told" completed etcdbackup one-of-three EtcdUnhealthy
says etcdbackup one-of-three "does not answer as healthy"
nothing_left || die "something is granted while etcd is not healthy"
kill -CONT "$(member 1)" "$(member 2)"
await 120 "once the members answer again it is taken" completed etcdbackup one-of-three BackupSucceeded

# --- an object that exists is not overwritten, and the failure says so
etcd_backup conflict taken | kube apply -f - >>"$home/made"
await 120 "an object that exists is told" completed etcdbackup conflict BackupFailed
says etcdbackup conflict "exists already, and nothing was overwritten"
[ "$(in_store cat ":s3:snapshots/taken/$(basename "$home"/s3/snapshots/taken/*.db)")" = theirs ] || die "it was overwritten: $(ls -l "$home/s3/snapshots/taken")"
on_plane BackupFailed >>"$home/made" || die "the control plane says: $(h get hostedcontrolplane prod -o yaml)"
await 60 "nothing is left of it" nothing_left
echo "ok: $(message etcdbackup conflict)"

# --- credentials that are removed or exchanged while the Job may still come: it has what it began with
kube -n "$system" delete secret keys >>"$home/made"
keys keys "$canary"
etcd_backup rotated | kube apply -f - >>"$home/made"
opened() { [ -n "$(jobs_running)" ]; }
await 60 "its Job exists" opened
kube -n "$system" delete secret keys >>"$home/made"
await 120 "it ends with the credentials that it began with" completed etcdbackup rotated BackupSucceeded
keys keys wrong
etcd_backup stale | kube apply -f - >>"$home/made"
await 120 "credentials that are not valid any more are told" completed etcdbackup stale BackupFailed
says etcdbackup stale "[Ss]ignature\|denied\|credentials"
kube -n "$system" delete secret keys >>"$home/made"
keys keys "$canary"
etcd_backup renewed | kube apply -f - >>"$home/made"
await 120 "with the renewed ones it is taken" completed etcdbackup renewed BackupSucceeded

# --- a pod that never starts: the image of etcd is only in the StatefulSet's template
h patch statefulset etcd --type=json -p '[{"op": "replace", "path": "/spec/updateStrategy", "value": {"type": "OnDelete"}}]' >>"$home/made"
image=$(h get statefulset etcd -o jsonpath='{.spec.template.spec.containers[0].image}')
h set image statefulset/etcd etcd=absent.example/etcd:1 >>"$home/made"
etcd_backup unstartable | kube apply -f - >>"$home/made"
await 150 "a pod that cannot start is told" completed etcdbackup unstartable BackupFailed
says etcdbackup unstartable "absent.example/etcd:1\|ErrImage\|ImagePull"
await 60 "nothing is left of it" nothing_left
h set image statefulset/etcd "etcd=$image" >>"$home/made"
echo "ok: $(message etcdbackup unstartable)"

# --- old successes are pruned by count, the snapshots stay, and what failed stays
stored=$(find "$home/s3/snapshots/prod" -name '*.db' | wc -l)
for n in 1 2 3; do
  etcd_backup "more-$n" | kube apply -f - >>"$home/made"
  await 120 "more-$n is taken" completed etcdbackup "more-$n" BackupSucceeded
done
kept() { [ "$(h get etcdbackups -o json | jq '[.items[] | select(.status.conditions[]?.status == "True")] | length')" = 5 ]; }
await 60 "five that succeeded stay" kept
h get etcdbackup two-of-three --ignore-not-found -o name | grep . && die "the oldest one is still there"
h get etcdbackups conflict stale unstartable >>"$home/made" || die "one that failed was pruned"
[ "$(find "$home/s3/snapshots/prod" -name '*.db' | wc -l)" = $((stored + 3)) ] || die "snapshots were deleted"
echo "ok: the newest five objects stay, and every snapshot"

# --- HyperShift's operator serves HCPEtcdBackup itself: it has defined the kind, and runs
kube create namespace hypershift >>"$home/made"
kube apply -f - >>"$home/made" <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator, namespace: hypershift}
spec:
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: operator, image: "$image", imagePullPolicy: Never, command: [/usr/bin/etcd, --data-dir=/data], volumeMounts: [{name: data, mountPath: /data}]}], volumes: [{name: data, emptyDir: {}}]}
YAML
await 60 "its Deployment is available" kube -n hypershift wait --for=condition=Available --timeout=0 deployment/operator
kube label crd hcpetcdbackups.hypershift.openshift.io app.kubernetes.io/part-of- >>"$home/made"
yields() { cat "$home"/*-1.log >"$home/said" && grep -F '"mirror.kind"' "$home/said" | grep -F '"HCPEtcdBackup"' | grep -q OfAnother; }
await 60 "kopiur sees whose kind it is" yields
hcp_etcd_backup theirs | kube apply -f - >>"$home/made"
etcd_backup ours | kube apply -f - >>"$home/made"
await 120 "an EtcdBackup is taken" completed etcdbackup ours BackupSucceeded
left_alone() { h get events -o json | jq -e '.items[] | select(.involvedObject.name == "theirs" and .reason == "ServedByHyperShift")'; }
await 30 "an Event says who serves the other one" left_alone
[ "$(h get hcpetcdbackup theirs -o jsonpath='{.status}')" = "" ] || die "kopiur has written its status: $(h get hcpetcdbackup theirs -o yaml)"
kube -n hypershift scale deployment operator --replicas=0 >>"$home/made"
await 120 "without that operator it is taken" completed hcpetcdbackup theirs BackupSucceeded
