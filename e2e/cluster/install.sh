#!/usr/bin/env bash
# with_node.sh --plain install.sh: the chart on a real cluster under Pod Security `restricted`. With its defaults (three NATS servers) the
# main job works, also from the command line and by a message of any NATS client, and invalid objects are refused when they are written. An
# upgrade keeps logins and state; an uninstall keeps the kinds, the Backups and the repository. A second install of another shape (all
# services in one process, one empty NATS server, one namespace served) continues with them: a Restore has the same bytes, and deleting a
# Backup deletes its snapshot. The chart's rights suffice.
shipped_kopia=yes
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
need NATS_CLI

# logins: prints the chart's logins, and the webhook certificate, which the gateway creates.
logins() {
  in_system get secret kopiur-bus kopiur-nats-tls kopiur-gateway-webhook -o json | jq '.items[].data'
  kube get validatingwebhookconfiguration kopiur-system-kopiur-gateway -o json | jq '.webhooks[].clientConfig.caBundle'
}
gone_in_system() { [ -z "$(in_system get "$1" "$2" --ignore-not-found -o name)" ]; }
nothing_left() { local left && left=$(in_system get all,secrets,configmaps,serviceaccounts,roles,rolebindings -l app.kubernetes.io/instance=kopiur -o name) && [ -z "$left" ]; }
backups_are() { [ "$(k get backups -o jsonpath='{.items[*].status.phase}')" = "$1" ]; }
snapshots() { in_repository snapshot list --all --json | jq length; }

for each in mover services nats nats-cli; do import_image "$each"; done
prepare
{ claim store "$home/volumes/store"; claim source "$home/volumes/source"; space target target default; space newest newest default; } | k apply -f - >>"$home/made"
head -c 1000000 /dev/urandom >"$home/volumes/source/data.bin"
chmod 644 "$home/volumes/source/data.bin"

servers 3
release install
{ secret password a-story; repository main /kopia password true store; recipe docs; } | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
backup_of docs first | k apply -f - >>"$home/made"
await 90 "a Backup Succeeded" is backup first status.phase Succeeded
# By the API server itself; a Backup without a run needs no finalizer.
written() { k apply --dry-run=server -o 'jsonpath={.metadata.finalizers}' -f -; }
held_when_written() { backup_of docs held | written | grep snapshot-cleanup; }
await 30 "a Backup is held from the moment it is written" held_when_written
[ -z "$(printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Backup\nmetadata: {name: found}\n' | written)" ] || die "a Backup that runs nothing is held"
refused_in_words() { { schedule wrong '0 3 * * *' 'timezone: Mars/Olympus' | k apply --dry-run=server -f - 2>&1 || true; } | grep 'denied the request.*Mars/Olympus'; }
await 30 "what cannot work is refused when it is written" refused_in_words
# A user who may write only BackupConfigs and repositories can neither run a command in a pod nor use a Secret through them.
kube create clusterrole recipes --verb=get,create,patch --resource={backupconfigs,repositories}.kopiur.home-operations.com >>"$home/made"
kube create clusterrolebinding recipes --clusterrole=recipes --user=jane >>"$home/made"
with_command() { recipe db && echo '  hooks: {beforeSnapshot: [{workloadExec: {podSelector: {matchLabels: {app: db}}, command: [sync]}}]}'; }
named() { repository named /kopia password true store | k apply --dry-run=server "$@" -f - 2>&1 || true; }
not_for_jane() {
  { named | grep 'created (server dry run)' && named --as=jane | grep 'jane, who may not do it: this needs the right to create pods or get secrets "password"'; } || return 1
  recipe db | k apply --dry-run=server --as=jane -f - && with_command | k apply --dry-run=server -f - || return 1  # each alone is allowed
  { with_command | k apply --dry-run=server --as=jane -f - 2>&1 || true; } | grep 'jane, who may not do it: this needs the right to create pods/exec'
}
await 30 "a command in a pod, and a Secret, are refused to a user who may not run or read them" not_for_jane

logins >"$home/logins"
release upgrade --set scheduler.replicas=1,global.service.resources.limits.memory=256Mi
[ "$(in_system get deployment kopiur-scheduler -o jsonpath='{.spec.replicas}')" = 1 ] || die "the upgrade has changed nothing"
logins | cmp - "$home/logins" || die "the upgrade has made other logins"
await 30 "the webhook still refuses it" refused_in_words

# As in the chart's README.
in_system port-forward service/kopiur-nats 4222 >"$home/forward.log" 2>&1 &
pids+=($!)
secret_of() { in_system get secret kopiur-bus -o go-template="{{index .data \"$1\" | base64decode}}"; }
mkdir "$home/outside" && secret_of ca.crt >"$home/outside/ca.crt"
export KOPIUR_BUS=tls://admin:$(secret_of admin)@localhost:4222 KOPIUR_NATS_CA_FILE=$home/outside/ca.crt
await 60 "the command line makes a Backup over the bus" "$bin/kopiur" backup now docs --wait --timeout 60
# And its page on requests from outside: the same lines except the image (no registry here) and the BackupConfig.
sed -n '/^kubectl -n argo create secret/,/^END$/p' "$root/helm/kopiur/requests.md" | sed "s|natsio/nats-box|kopiur-nats-cli:0.1.0|; s|documents|docs|" >"$home/outside/ask.sh"
ask() {
  kube delete namespace argo --ignore-not-found >>"$home/made" && kube create namespace argo >>"$home/made"
  (cd "$home/outside" && kubectl() { kube "$@" >>"$home/made"; } && secret() { secret_of "$1"; } && source ask.sh)
  await 60 "a plain nats pub from a pod ($1)" eval '[ "$(kube -n argo get pod ask -o jsonpath={.status.phase})" = Succeeded ]'
}
ask "as the chart's README says it"
await 90 "its Backup Succeeded" backups_are "Succeeded Succeeded Succeeded"
ask "the same id again"
sleep 3
backups_are "Succeeded Succeeded Succeeded" || die "the same id has made a second Backup"
k annotate maintenance default-main kopiur.home-operations.com/run-maintenance="quick by-hand" >>"$home/made"
owned() { [ -n "$(field maintenance default-main status.quick.lastSuccessAt)" ] && [ -n "$(field maintenance default-main status.ownership.owner)" ]; }
await 90 "maintenance runs, and its owner is reported" owned
printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: newest}\nspec: {source: {fromConfig: {name: docs}}, target: {pvc: {name: newest, capacity: 1Gi, accessModes: [ReadWriteOnce]}}}\n' | k apply -f - >>"$home/made"
await 90 "what exists is listed, and the newest is restored" is restore newest status.phase Completed
diff -r "$home/volumes/source" "$home/volumes/newest" || die "the newest files differ"
rights_suffice

helm uninstall kopiur --wait --timeout 360s
[ "$(kube get crds -l app.kubernetes.io/part-of=kopiur -o name | wc -l)" = 7 ] || die "kinds went with the chart"
backups_are "Succeeded Succeeded Succeeded" || die "Backups went with the chart"
[ "$(snapshots)" = 3 ] || die "the repository holds other than three snapshots"
await 60 "nothing of the chart is left, its pods have ended" nothing_left
await 30 "the webhook's certificate goes with the webhook" gone_in_system secret kopiur-gateway-webhook
echo "ok: an uninstall leaves the kinds, the Backups and the snapshots, and nothing of its own"

servers 1
release install --set global.together=true,nats.replicas=1,global.onlyNamespace=default,global.networkPolicy.enabled=true
await 30 "its webhook refuses in words" refused_in_words
await 30 "and asks who may run commands and use Secrets" not_for_jane
printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: back}\nspec: {source: {backupRef: {name: first}}, target: {pvc: {name: target, capacity: 1Gi, accessModes: [ReadWriteOnce]}}}\n' | k apply -f - >>"$home/made"
await 90 "a Restore of it into a new claim is Completed" is restore back status.phase Completed
diff -r "$home/volumes/source" "$home/volumes/target" || die "the restored files differ"
k delete backup first --wait=false >>"$home/made"
await 90 "a Backup of the first install is deleted by the second" gone backup first
[ "$(snapshots)" = 2 ] || die "its snapshot is still there"
echo "ok: and its snapshot with it"
rights_suffice
