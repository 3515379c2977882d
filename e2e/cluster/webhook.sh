#!/usr/bin/env bash
# with_node.sh webhook.sh: the answers of the chart's webhook to writers: invalid objects are refused with a message, references to missing
# objects give a warning. Then it is down: with the chart's default (Ignore) invalid objects are accepted, and the services report them in
# the status, except hooks, which are refused. With Fail it blocks no write except of a user's spec: not labels, finalizers or deletions.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
webhook_here
start_services "${made%% *}"
prefix=kopiur.home-operations.com
kube create namespace garage >>"$home/made"
{ secret password a-story; claim store "$home/volumes/store"; claim source "$home/volumes/source"; } | k apply -f - >>"$home/made"
echo "a text" >"$home/volumes/source/file"
apply_webhook Ignore
# applied [OPTIONS...]: applies standard input; prints kubectl's output, and sets $code to its exit code.
applied() { code=0; said=$(kube apply "$@" -f - 2>&1) || code=$?; }
tells() { grep -qF -- "$1" <<<"$said" || die "it does not say \"$1\", but: $said"; }
refuses() { { schedule wrong '0 3 * * *' 'timezone: Mars/Olympus' | k apply --dry-run=server -f - 2>&1 || true; } | grep 'denied the request.*Mars/Olympus'; }
await 30 "the webhook refuses what cannot work" refuses

applied < <(recipe docs)
[ "$code" = 0 ] || die "a recipe whose repository is still to come was refused: $said"
tells "Warning: spec.repository: Repository default/main does not exist (yet)."
applied < <(schedule nightly '0 3 * * *' | sed 's/configRef: {name: docs}/configRef: {name: dosc}/')
tells "Warning: spec.configRef: BackupConfig default/dosc does not exist (yet)."
k delete backupschedule nightly >>"$home/made"
repository main /kopia password true store | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
applied < <(recipe docs)
! grep -q Warning <<<"$said" || die "there is nothing to warn of: $said"

# A user who may write repositories but not use Secrets cannot have one used through a repository.
kube create clusterrole repositories --verb=get,create,patch --resource=repositories.$prefix >>"$home/made"
kube create clusterrolebinding repositories --clusterrole=repositories --user=jane >>"$home/made"
theirs() { repository theirs /kopia password true store | k apply --dry-run=server "$@" -f - 2>&1 || true; }
refused_to_jane() { theirs --as=jane | grep 'jane, who may not do it: this needs the right to create pods or get secrets "password" in namespace default.'; }
await 10 "a repository that names a Secret is refused to a user who may not read it" refused_to_jane
theirs | grep -q 'created (server dry run)' || die "the administrator was refused: $(theirs)"
k create role password --verb=get --resource=secrets --resource-name=password >>"$home/made"
k create rolebinding password --role=password --user=jane >>"$home/made"
allowed_to_jane() { theirs --as=jane | grep 'created (server dry run)'; }
await 10 "and taken once she may read that Secret" allowed_to_jane

twin() { recipe twin | sed 's/^spec:/&\n  identity: {username: docs}/'; }
applied < <(twin)
[ "$code" != 0 ] || die "a recipe with another one's identity and source was taken"
tells "spec.identity: BackupConfig default/docs records the same identity and source"
kube apply -f - >>"$home/made" <<YAML
apiVersion: $prefix/v1alpha1
kind: ClusterRepository
metadata: {name: shared}
spec:
  suspend: true
  backend: {s3: {bucket: backups, endpoint: "10.77.0.1:1", auth: {secretRef: {name: keys, namespace: default}}}}
  encryption: {passwordSecretRef: {name: password, namespace: default}}
  allowedNamespaces: {list: [default]}
YAML
elsewhere() { sed "s/namespace: default/namespace: $1/; s/repository: {name: main}/repository: {kind: ClusterRepository, name: shared}/"; }
applied < <(recipe theirs | elsewhere garage)
[ "$code" != 0 ] || die "a recipe of a namespace that is not allowed was taken"
tells "spec.repository: ClusterRepository shared does not allow namespace garage; its owner adds it to spec.allowedNamespaces."
applied --dry-run=server < <(recipe ours | elsewhere default)
[ "$code" = 0 ] || die "a recipe of a namespace that is allowed was refused: $said"
echo "ok: refusals and warnings in words"

# A recipe with hooks is reviewed by the second entry.
hooks() { printf '  hooks: {beforeSnapshot: [{httpRequest: {url: "http://app/%s"}}]}\n' "${1:-freeze}"; }
with_hooks() { recipe "$1"; hooks "${2:-freeze}"; }
applied < <(with_hooks quiesced)
[ "$code" = 0 ] || die "a recipe with hooks was refused: $said"
applied < <(twin; hooks)
[ "$code" != 0 ] || die "a recipe with hooks and another one's identity and source was taken"
tells 'admission webhook "hooks.validate.kopiur.home-operations.com" denied the request'

gateway=$(cat "$home/gateway-1.pid")
kill -STOP "$gateway"  # it does not answer: the API server waits 5 s at most
applied < <(twin)
[ "$code" = 0 ] || die "a webhook that is away held somebody up: $said"
applied < <(with_hooks hooked)
[ "$code" != 0 ] || die "a recipe with hooks was taken, and nobody reviewed whether its writer may do that"
tells 'failed calling webhook "hooks.validate.kopiur.home-operations.com"'
applied < <(with_hooks quiesced thaw)
[ "$code" != 0 ] || die "changed hooks were taken unreviewed"
k label backupconfig quiesced a=b >>"$home/made" || die "a label of a recipe with hooks was held up"
applied < <(with_hooks quiesced | sed 's/^spec:/&\n  suspend: true/')
[ "$code" = 0 ] || die "a recipe whose hooks stay the same was held up: $said"
k delete backupconfig quiesced --wait=false >>"$home/made" || die "a deletion was held up"
echo "ok: while it is away, hooks are refused, and nothing else"
kill -CONT "$gateway"
collides() { [ "$(k get backupconfig twin -o json | jq -r '[.status.conditions[]? | select(.reason == "IdentityCollision")] | length')" != 0 ]; }
await 30 "what was taken while it was away is told by the object's status" collides
backup_of twin of-twin | k apply -f - >>"$home/made"
await 60 "a Backup of it is refused" is backup of-twin status.phase Failed
backup_of docs of-docs | k apply -f - >>"$home/made"
await 90 "the other one is none the worse" is backup of-docs status.phase Succeeded

kill -STOP "$gateway"
apply_webhook Fail
applied < <(recipe more)
[ "$code" != 0 ] || die "what nobody could look at was taken, with failurePolicy: Fail"
k label backup of-docs a=b >>"$home/made" || die "a label was held up"
k patch backup of-twin --type=json -p '[{"op": "remove", "path": "/metadata/finalizers"}]' >>"$home/made" 2>&1 || true  # it may have none
k delete backup of-twin --wait=false >>"$home/made" || die "a deletion was held up"
k delete backup of-docs --wait=false >>"$home/made" || die "a deletion was held up"
k patch backup of-docs --type=merge -p '{"metadata": {"finalizers": null}}' >>"$home/made" || die "a finalizer was held up"
await 10 "what is on its way out goes, though nobody answers" gone backup of-docs
kill -CONT "$gateway"
echo "ok: nothing that is no user's spec is held up"

# global.webhook.clientCA: the API server is answered once it shows a certificate, as helm/kopiur/webhook.md describes.
kill -TERM "$gateway" && wait "$gateway" || true
KOPIUR_WEBHOOK_CLIENT_CA=$(cat "$home/ca.crt") keep gateway 2  # one that loses its Lease while the API server is away ends
await 30 "a gateway that wants a certificate is ready" ready gateway 2
unproven() { { schedule wrong '0 3 * * *' 'timezone: Mars/Olympus' | k apply --dry-run=server -f - 2>&1 || true; } | grep 'failed calling webhook'; }
await 10 "it does not answer an API server without one" unproven
(cd "$home" && certificate webhook-client /CN=api-server)
cat >"$home/webhooks.kubeconfig" <<YAML
apiVersion: v1
kind: Config
users:
  - name: 10.77.0.1:8443
    user: {client-certificate: $home/webhook-client.crt, client-key: $home/webhook-client.key}
YAML
cat >"$home/admission.yaml" <<YAML
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: ValidatingAdmissionWebhook
    configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: $home/webhooks.kubeconfig}
YAML
kill -KILL "$(cat "$home/apiserver.pid")"  # it is started again, with that file
await 60 "an API server that shows one is answered" refuses
