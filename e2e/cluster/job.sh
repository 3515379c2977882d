#!/usr/bin/env bash
# with_shared_node.sh job.sh: a mover as a real pod, under Pod Security `restricted`: it does its work and reports it. A missing image is
# reported within seconds. When a deletion has ended, the Job and its pod are gone.
namespace=job
source "$(dirname "${BASH_SOURCE[0]}")/kube.sh"
k() { kube --namespace="$namespace" "$@"; }
trap '[ $? = 0 ] || { k get events --sort-by=.lastTimestamp; k get pods -o wide; k logs -l job-name --prefix; } 2>&1 | tail -30' EXIT
since() { echo "$(((${EPOCHREALTIME/./} - $1) / 1000)) ms"; }
# of_pod JOB FIELD: a field of its pod's status.
of_pod() { k get pods -l "job-name=$1" -o jsonpath="{.items[0].status.$2}"; }
started() { [ -n "$(of_pod "$1" 'containerStatuses[0].state.*.startedAt')" ]; }
waits_for() { [ "$(of_pod "$1" 'containerStatuses[0].state.waiting.reason')" = "$2" ]; }
over() { k get job "$1" -o jsonpath='{.status.conditions[*].type}' | grep -qwE 'Complete|Failed'; }
no_pod_of() { [ -z "$(k get pods -l "job-name=$1" -o name)" ]; }

# job NAME IMAGE [COMMAND...]
job() {
  local name=$1 image=$2; shift 2
  k create -f - >>"$home/made" <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: $name}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext: {runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: mover
          image: $image
          imagePullPolicy: Never
          command: $(jq -nc '$ARGS.positional' --args -- "$@")
          env: [{name: KOPIA_PASSWORD, valueFrom: {secretKeyRef: {name: password, key: password}}}]
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          terminationMessagePath: /dev/termination-log
          volumeMounts:
            - {name: work, mountPath: /job, readOnly: true}
            - {name: repository, mountPath: /repository}
            - {name: cache, mountPath: /cache}
            - {name: temporary, mountPath: /tmp}
      volumes:
        - {name: work, configMap: {name: work}}
        - {name: repository, emptyDir: {}}
        - {name: cache, emptyDir: {}}
        - {name: temporary, emptyDir: {medium: Memory}}
YAML
}

made=$(import_image mover)
echo "ok: imported $made"
read -r mover _ size _ <<<"$made"
[ "$size" -le 70 ] || die "the mover's image has $size MB, more than 70"

kube create namespace "$namespace" >"$home/made"
kube label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted >>"$home/made"
await 30 "the namespace has its account" k get serviceaccount default
k create secret generic password --from-literal=password=correct-horse >>"$home/made"
k create configmap work --from-file=work.json=/dev/stdin >>"$home/made" <<'JSON'
{"version": 1, "run": "run-1", "attempt": 1,
 "repository": {"backend": {"filesystem": {"path": "/repository"}}, "mount": "", "username": "kopiur", "hostname": "node1", "cacheDirectory": "/cache/repository", "secrets": ""},
 "task": {"connect": {"create": {"enabled": true}}}}
JSON

began=${EPOCHREALTIME/./}
job connect "$mover" /usr/bin/kopiur-mover /job/work.json
await 60 "its container has started" started connect
start=$(since "$began")
await 120 "the Job is over" over connect
echo "ok: from the Job's creation to its container's start $start, to the end $(since "$began")"
of_pod connect 'containerStatuses[0].state.terminated.message' >"$home/result.json"
jq -e '.run == "run-1" and .attempt == 1 and .outcome == "Succeeded" and .created and (.uniqueID | length > 0)' "$home/result.json" >"$home/said" ||
  die "the result is another one: $(cat "$home/result.json")"
k wait --for=condition=Complete --timeout=0 job/connect >>"$home/made"
k logs job/connect >"$home/mover.txt"
jq -se 'length > 0 and all(.[]; has("progress"))' "$home/mover.txt" >"$home/said" || die "the pod's log is not lines of progress: $(cat "$home/mover.txt")"
echo "ok: the log has $(wc -l <"$home/mover.txt") lines of progress; the result: $(cat "$home/result.json")"

job missing kopiur-mover:of-another-world
await 20 "a missing image is told" waits_for missing ErrImageNeverPull

job forever "kopiur-pause:${mover#*:}"
await 30 "a third one runs" started forever
for each in connect missing forever; do
  began=${EPOCHREALTIME/./}
  timeout 60 "$KOPIUR_KUBECTL" --kubeconfig="$cluster/admin.kubeconfig" delete -n "$namespace" --cascade=foreground job "$each" >>"$home/made" || die "Job $each is not gone 60 s after its deletion"
  no_pod_of "$each" || die "Job $each is gone, but not its pod"
  echo "ok: Job $each and its pod are gone $(since "$began") after the deletion"
done
