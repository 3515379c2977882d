#!/usr/bin/env bash
# with_node.sh tenants.sh: one repository in S3 for several namespaces, its credentials in a separate namespace. An allowed namespace backs
# up and restores, another one is refused with a message. The credentials exist only where a mover runs, while it runs. A snapshot that a
# user made by hand is discovered; the repository is maintained; a Backup is requested by a message on the bus, and answered.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
prefix=kopiur.home-operations.com
in_ns() { kube --namespace="$@"; }

shared_repository '{list: [media]}' '{fallbackNamespace: media, refreshInterval: 1m}'
for each in media games; do kube create namespace "$each" >>"$home/made"; done
for each in media games; do claim "$each" "$home/volumes/$each" | sed "s/namespace: default/namespace: $each/" | kube apply -f - >>"$home/made"; done
echo "of media" >"$home/volumes/media/file" && echo "of games" >"$home/volumes/games/file"
recipe_in() { recipe "$1" shared "$1" | sed "s/namespace: default/namespace: $1/; s/name: shared/kind: ClusterRepository, name: shared/" | kube apply -f - >>"$home/made"; }
recipe_in media
recipe_in games

# ask NAMESPACE CONFIG ID: requests a Backup as any NATS client may, without our programs; prints the answer.
ask() {
  local at=${KOPIUR_NATS_URL#nats://} body line=''
  body=$(jq -nc --arg id "$3" --arg config "$2" '{id: $id, config: $config}')
  exec 9<>"/dev/tcp/${at%:*}/${at#*:}"
  printf 'CONNECT {"verbose":false}\r\nSUB kopiur.v1.ack.local.%s.> 1\r\nPUB kopiur.v1.req.local.%s.backup %d\r\n%s\r\n' "$1" "$1" "${#body}" "$body" >&9
  while [[ $line != '{'* ]]; do IFS= read -r -t 20 -u 9 line || die "nobody has answered"; done
  exec 9>&-
  printf '%s\n' "${line%$'\r'}"
}
answer=$(ask media media from-outside)
jq -e '.accepted' <<<"$answer" >"$home/said" || die "it was refused: $answer"
asked=$(jq -r .name <<<"$answer")
succeeded() { [ "$(in_ns media get backup "$asked" -o jsonpath='{.status.phase}')" = Succeeded ]; }
await 90 "the Backup that was asked for from outside Succeeded" succeeded

backup_of games refused games | kube apply -f - >>"$home/made"
refused() { grep -qF "allowedNamespaces" <<<"$(in_ns games get backup refused -o json | jq -r '[.status.conditions[]?.message] | join(" ")')"; }
await 60 "a namespace that is not allowed is refused in words" refused
[ "$(kube get secrets -n games -o name | wc -l)" = 0 ] || die "the namespace that is not allowed has Secrets: $(kube get secrets -n games -o name)"

in_shared snapshot create "$home/volumes/games" >"$home/by-hand" || die "$(tail -3 "$home/kopia.log")"
found() { [ "$(in_ns media get backups -l $prefix/origin=discovered -o json | jq '[.items[] | select(.status.phase == "Discovered")] | length')" = 1 ]; }
await 150 "the snapshot that somebody took by hand is found" found

# maintenance_in NAMESPACE: a Maintenance of the shared repository.
maintenance_in() { printf 'apiVersion: %s/v1alpha1\nkind: Maintenance\nmetadata: {name: shared, namespace: %s}\nspec: {repository: {kind: ClusterRepository, name: shared}}\n' $prefix "$1" | kube apply -f - >>"$home/made"; }
by_default() { [ "$(kube get maintenances -n vault -l $prefix/default=true -o name | wc -l)" = 1 ]; }
await 30 "it has its default Maintenance" by_default
maintenance_in games
kube annotate maintenance shared -n games "$prefix/run-maintenance=full by-hand" >>"$home/made"
not_theirs() { grep -qF "is maintained from namespace vault alone" <<<"$(in_ns "$1" get maintenance shared -o json | jq -r '[.status.conditions[]?.message] | join(" ")')"; }
await 60 "a Maintenance of a namespace that is not allowed is refused in words" not_theirs games
maintenance_in media
kube annotate maintenance shared -n media "$prefix/run-maintenance=full by-hand" >>"$home/made"
await 60 "so is one of a namespace that may use the repository" not_theirs media
by_default || die "a tenant's Maintenance has displaced the default one"
no_boundary() { grep -qF "not a security boundary" <<<"$(kube get clusterrepository shared -o json | jq -r '.status.conditions[]? | select(.type == "TenancyEnforced" and .status == "False").message')"; }
await 30 "the repository says that its tenants are not kept apart" no_boundary
maintenance_in vault
kube annotate maintenance shared -n vault "$prefix/run-maintenance=full by-hand" >>"$home/made"
maintained() { [ "$(in_ns vault get maintenance shared -o json | jq -r '.status.full.lastRunAt // empty')" != "" ]; }
await 90 "it is maintained" maintained
bare() { [ -z "$(kube get secrets -A -l $prefix/run -o name)" ]; }
await 60 "no Secret of a run is left" bare
