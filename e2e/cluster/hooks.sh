#!/usr/bin/env bash
# with_shared_node.sh hooks.sh: a database's pod is frozen by a command and by a Job before its volume is backed up, and thawed afterwards:
# in that order, and the snapshot lies between. A command that fails or hangs, a Job that fails, and a missing pod abort the Backup with a
# message, unless they may fail; the pod is thawed all the same. If the gateway dies while a command runs, the Backup still succeeds. An
# HTTP hook reaches the pod behind a Service of its namespace, but neither the API nor an ExternalName.
namespace=hooks
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}" keep
prefix=kopiur.home-operations.com source=$home/volumes/source

# shell COMMAND [FIELD]: a container with the host's programs, and the volume at /data.
shell() {
  cat <<YAML
    - name: main
      image: kopiur-pause:0.1.0
      imagePullPolicy: Never
      command: [/bin/sh, -c, "$1"]
      securityContext: {runAsUser: 65532}
      volumeMounts: [{name: usr, mountPath: /usr}, {name: bin, mountPath: /bin}, {name: lib, mountPath: /lib}, {name: lib64, mountPath: /lib64}, {name: data, mountPath: /data}]
YAML
}
programs() { printf '    - {name: %s, hostPath: {path: /%s}}\n' usr usr bin bin lib lib lib64 lib64; printf '    - {name: data, persistentVolumeClaim: {claimName: source}}\n'; }
database() {
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: $namespace, labels: {app: db}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
$(shell 'exec sleep 3600')
  volumes:
$(programs)
YAML
}
# command TEXT [TIMEOUT] [APP], job TEXT: a hook of that kind. Steps are written where the snapshot sees them.
command() { printf '      - workloadExec: {podSelector: {matchLabels: {app: %s}}, command: [/bin/sh, -c, "%s"], timeout: %s}\n' "${3:-db}" "$1" "${2:-20s}"; }
job() { printf '      - runJob:\n          timeout: 60s\n          jobSpec:\n            backoffLimit: 0\n            template:\n              spec:\n                containers:\n%s\n                volumes:\n%s\n' "$(shell "$1" | sed 's/^/            /')" "$(programs | sed 's/^/            /')"; }
# request URL: a hook that sends a request.
request() { printf '      - httpRequest: {url: "%s", timeout: 20s}\n' "$1"; }
may_fail() { cat; echo '        continueOnFailure: true'; }
# hooked NAME BEFORE: a BackupConfig with that hook, and the thaw.
hooked() { recipe "$1"; printf '  hooks:\n    beforeSnapshot:\n%s\n    afterSnapshot:\n%s\n' "$2" "$(command "echo thaw >>/data/$1")"; }
backup() { backup_of "$1" "$1" | k apply -f - >>"$home/made"; }
message() { k get backup "$1" -o jsonpath='{.status.failure.class}: {.status.failure.message}'; }
# thawed NAME: after-hooks may run after its Backup has Succeeded.
thawed() { await 20 "$1: it has thawed" grep -q thaw "$source/$1"; }
# failed NAME WORD...: its Backup has Failed with these words; no snapshot was created; the pod was thawed.
failed() {
  local name=$1 word
  await 60 "$name: the Backup has Failed" is backup "$name" status.phase Failed
  for word in HookFailed "${@:2}"; do [[ "$(message "$name")" == *"$word"* ]] || die "$name says \"$(message "$name")\", without \"$word\""; done
  thawed "$name"
  [ -z "$(field backup "$name" status.snapshot.kopiaSnapshotID)" ] || die "$name: a snapshot was taken"
}

# web: a Service whose pod records its requests in /data/web.
listen=$(cat <<'PERL'
exec perl -MIO::Socket::INET -e 'my $door = IO::Socket::INET->new(Listen => 5, LocalPort => 8080, ReuseAddr => 1) or die; while (my $caller = $door->accept) { my $line = <$caller>; while (<$caller> =~ /[a-z]/i) {} open(my $notes, q(>>), q(/data/web)); print $notes $line; close $notes; print $caller q(HTTP/1.1 204 No Content), chr(13), chr(10), chr(13), chr(10); close $caller }'
PERL
)
web() {
  cat <<YAML
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: $namespace}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: outside, namespace: $namespace}
spec: {type: ExternalName, externalName: localhost}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: $namespace, labels: {app: web}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
$(shell "$listen")
  volumes:
$(programs)
YAML
}

{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; repository main /kopia password true store; database db-1; web; } | k apply -f - >>"$home/made"
{
  hooked good "$(command 'echo freeze >>/data/good'; job 'echo job >>/data/good')"
  hooked fails "$(command 'echo no database here >&2; exit 3')"
  hooked hangs "$(command 'exec sleep 50' 3s)"
  hooked nobody "$(command 'true' 20s nobody)"
  hooked asks "$(request http://web/freeze; request "http://web.$namespace.svc.cluster.local/flush")"
  hooked asks-the-api "$(request http://10.96.0.1:443/)"
  hooked asks-outside "$(request http://outside/)"
  hooked goes-on "$(command 'exit 3' | may_fail; command 'echo freeze >>/data/goes-on')"
  hooked job-fails "$(job 'exit 4')"
  hooked killed "$(command 'echo freeze >>/data/killed; sleep 5')"
} | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
await 30 "the database runs" is pod db-1 status.phase Running

backup good
over() { [[ "$(field backup "$1" status.phase)" =~ ^(Succeeded|Failed)$ ]]; }
await 90 "good: the Backup has ended" over good
is backup good status.phase Succeeded || die "good: $(message good)"
thawed good
[ "$(paste -sd' ' "$source/good")" = "freeze job thaw" ] || die "the steps were: $(paste -sd' ' "$source/good")"
in_repository show "$(in_repository snapshot list --all --json | jq -r '.[0].rootEntry.obj')/good" >"$home/then" || die "the snapshot cannot be read"
[ "$(paste -sd' ' "$home/then")" = "freeze job" ] || die "the snapshot saw: $(paste -sd' ' "$home/then")"
echo "ok: frozen, backed up, thawed: the snapshot lies between"

await 60 "the web server is Ready" k wait --for=condition=Ready --timeout=4s pod/web-1
backup asks
await 90 "asks: the Backup has ended" over asks
is backup asks status.phase Succeeded || die "asks: $(message asks)"
[ "$(cut -d' ' -f1,2 "$source/web" | paste -sd' ')" = "POST /freeze POST /flush" ] || die "the web server was asked: $(cat "$source/web")"
for each in asks-the-api asks-outside; do backup "$each"; done
failed asks-the-api "10.96.0.1 is not a public one" httpAllow
failed asks-outside "is an ExternalName"
echo "ok: a hook reaches the pod of its namespace's Service, and neither the API nor an ExternalName"

for each in fails hangs nobody goes-on job-fails; do backup "$each"; done
failed fails "exit code 3" "no database here"
failed hangs "did not end" "may still run"
failed nobody "no running pod in $namespace" "app=nobody"
failed job-fails "failed (BackoffLimitExceeded)" "kubectl logs -n $namespace job/"
await 90 "goes-on: the Backup Succeeded" is backup goes-on status.phase Succeeded
[ "$(k get backup goes-on -o jsonpath='{.status.conditions[?(@.type=="HooksSucceeded")].status}')" = False ] || die "goes-on does not say that a hook failed"
thawed goes-on
[ "$(paste -sd' ' "$source/goes-on")" = "freeze thaw" ] || die "the steps were: $(paste -sd' ' "$source/goes-on")"

backup killed
await 60 "killed: the command runs" grep -q freeze "$source/killed"
kill -KILL "$(cat "$home/gateway-1.pid")"
await 120 "killed: the Backup Succeeded" is backup killed status.phase Succeeded
thawed killed
[ "$(grep -c freeze "$source/killed")" -le 2 ] && [ "$(grep -c thaw "$source/killed")" = 1 ] || die "the steps were: $(paste -sd' ' "$source/killed")"
