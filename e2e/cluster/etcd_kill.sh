#!/usr/bin/env bash
# with_node.sh --plain etcd_kill.sh: gateway and mover-orchestration are killed (kill -9) at every step of a backup of a hosted etcd. Each is taken once, by
# one Job, and nothing that was granted is left. Then the way to etcd as a network policy leaves it, which this node does not enforce: iptables does, in the
# network namespaces of etcd's pods, from the NetworkPolicies that exist.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/etcd_stage.sh"
stage keep
watch_jobs
# kill_both: both at once, as when their node dies; they are restarted.
kill_both() { kill -KILL "$(cat "$home/gateway-1.pid")" "$(cat "$home/mover-orchestration-1.pid")" 2>/dev/null || true; }

# The steps, as others see them.
named() { h get etcdbackup "$1" -o name; }
shown() { completed etcdbackup "$1" BackupInProgress; }
has_job() { [ -n "$(jobs_running)" ]; }
has_role() { [ -n "$(h get roles -o name)" ]; }
has_binding() { [ -n "$(h get rolebindings -o name)" ]; }
has_policy() { [ -n "$(h get networkpolicies -o name)" ]; }
pod_is() { kube -n "$system" get pods -o json | jq -e "[.items[] | select(.metadata.name | startswith(\"etcd-backup-\")) | select($1)] | length > 0"; }
has_pod() { pod_is true; }
snapshot_taken() { pod_is '.status.initContainerStatuses[]? | select(.name == "snapshot" and .state.terminated.exitCode == 0)'; }
stored() { [ -n "$(ls "$home/s3/snapshots/$1" 2>/dev/null)" ]; }
ended() { pod_is '.status.phase == "Succeeded"'; }
url_told() { kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL}' | grep "/$1/"; }
n=0
for step in named shown has_job has_role has_binding has_policy has_pod snapshot_taken stored ended url_told; do
  name=kill-$((++n))
  etcd_backup "$name" "$name" | kube apply -f - >>"$home/made"
  limit=$((SECONDS + 60))
  until "$step" "$name" >/dev/null 2>&1 || completed etcdbackup "$name" BackupSucceeded >/dev/null 2>&1; do [ "$SECONDS" -lt "$limit" ] || die "$step was never seen"; done
  kill_both
  await 150 "killed at $step, it is completed" completed etcdbackup "$name" BackupSucceeded
  await 60 "nothing is left of it" nothing_left
  [ "$(ls "$home/s3/snapshots/$name" | wc -l)" = 1 ] || die "killed at $step, it has stored $(ls "$home/s3/snapshots/$name")"
done
made=$(sort -u "$home/jobs" | grep -c '^etcd-backup-' || true)
[ "$made" = "$n" ] || die "$made Jobs have made $n backups: $(sort -u "$home/jobs")"
echo "ok: killed at $n steps, $n backups by $made Jobs"

# --- the network policy of a run lets its pods through, and nobody else
for each in 0 1 2; do member_pid=$(pgrep -f -- "--name=etcd-$each " | head -1) && member_pids+=("$member_pid"); done
in_members() { local each; for each in "${member_pids[@]}"; do nsenter -t "$each" -n iptables "$@" || return 1; done; }
own=$(h get pods -l app=etcd -o jsonpath='{.items[*].status.podIP}')
for each in $own 127.0.0.1; do in_members -A INPUT -p tcp --dport 2379 -s "$each" -j ACCEPT; done
in_members -A INPUT -p tcp --dport 2379 -s 10.88.7.1 -j ACCEPT  # the kubelet's probes
in_members -A INPUT -p tcp --dport 2379 -j DROP
# let_through: what a policy engine does: from the pods that a policy of this namespace selects.
let_through() {
  local from ip run
  while :; do
    for run in $(h get networkpolicies -o json | jq -r '.items[].spec.ingress[].from[].podSelector.matchLabels["kopiur.home-operations.com/run"]'); do
      for ip in $(kube -n "$system" get pods -l "kopiur.home-operations.com/run=$run" -o jsonpath='{.items[*].status.podIP}'); do
        grep -qx "$ip" "$home/through" 2>/dev/null || { in_members -I INPUT -p tcp --dport 2379 -s "$ip" -j ACCEPT && echo "$ip" >>"$home/through"; }
      done
    done
    sleep 0.3
  done
}
kube apply -f - >>"$home/made" <<YAML
apiVersion: v1
kind: Pod
metadata: {name: stranger, namespace: $system, labels: {app: etcd-backup}}
spec: {terminationGracePeriodSeconds: 1, containers: [{name: etcd, image: "${etcd%% *}", imagePullPolicy: Never, command: [/usr/bin/etcd, --data-dir=/data], volumeMounts: [{name: data, mountPath: /data}]}], volumes: [{name: data, emptyDir: {}}]}
YAML
await 60 "a pod of another sender runs in the operator's namespace" kube -n "$system" wait --for=condition=Ready --timeout=0 pod/stranger
# blocked: a connection from there is not even refused.
blocked() { local said; said=$(kube -n "$system" exec stranger -- /usr/bin/etcdctl --endpoints="https://etcd-client.clusters-prod.svc:2379" --insecure-skip-tls-verify --command-timeout=3s --dial-timeout=3s endpoint health 2>&1) && return 1; grep -qi "deadline" <<<"$said"; }
blocked || die "a stranger is not blocked"
let_through &
pids+=($!)
etcd_backup through | kube apply -f - >>"$home/made"
await 120 "through a policy that is enforced it is completed" completed etcdbackup through BackupSucceeded
[ -s "$home/through" ] || die "nobody was let through"
blocked || die "a stranger came through with it"
echo "ok: the run's pods reach etcd, a stranger with the label app=etcd-backup does not"
