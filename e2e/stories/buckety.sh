#!/usr/bin/env bash
# Buckets with credentials on one host, beside a real S3 server: a Buckety gives a bucket and a Secret; a program writes with it, also while all of kopiur
# is stopped. What kopiur did not create it never deletes, a name belongs to one Buckety, and a backend that never answers holds up nobody.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home"/{manifests,config,store}
canary=root-secret-$RANDOM$RANDOM$RANDOM rotated=root-rotated-$RANDOM$RANDOM$RANDOM
read -r port dead < <(free_ports 2)
# start_store KEY: with that key of the root.
start_store() { "$KOPIUR_VERSITYGW" --access root --secret "$1" --port "127.0.0.1:$port" posix "$home/store" >>"$home/servers.log" 2>&1 & store=$! && background+=($!); }
start_store "$canary"
python3 -c 'import socket, sys, time
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
held = []
while True: held.append(server.accept())' "$dead" & background+=($!)
cat >"$home/config/buckety-controller.yaml" <<'YAML'
backends:
  - name: objects
    driver: s3
    config: {endpoint: "http://127.0.0.1:PORT", region: us-east-1, forcePathStyle: true, implementation: versitygw, accessKeyID: root, secretAccessKey: "${ROOT_SECRET}"}
    defaults: {zone: local}
  - name: silent
    driver: s3
    config: {endpoint: "http://127.0.0.1:DEAD", forcePathStyle: true, accessKeyID: root, secretAccessKey: "${ROOT_SECRET}"}
YAML
sed -i "s/PORT/$port/; s/DEAD/$dead/" "$home/config/buckety-controller.yaml"
mkdir "$home/store/full" && echo mine >"$home/store/full/of-somebody"

# buckety NAME [SPEC...]: on the backend objects, unless SPEC names another.
buckety() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: Buckety\nmetadata: {name: %s, namespace: default}\nspec: {%s}\n' "$1" "${2:-backend: objects}"; }
access() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: BucketyAccess\nmetadata: {name: %s, namespace: default}\nspec: {bucketyRef: {name: %s}, credentialsSecretName: %s, role: %s}\n' "$@"; }
reason_is() { [ "$(ready_condition "$1" "$2" reason)" = "$3" ]; }
apply() { "$@" >"$home/one.yaml" && k apply -f "$home/one.yaml" >>"$home/applied.txt"; }
# copy FROM TO: with the credentials in the environment, as a program would.
copy() {
  env -i PATH="$PATH" HOME="$home" rclone --config "" --s3-provider Other --s3-endpoint "$endpoint" --s3-access-key-id "$accessKeyID" --s3-secret-access-key "$secretAccessKey" --s3-region "${region:-}" \
    --s3-no-check-bucket copyto "$1" "$2" 2>>"$home/rclone.txt"
}
{
  buckety photos 'backend: objects, name: "${namespace}-${name}-${backend.zone}", defaultAccess: {credentialsSecretName: photos-bucket}'
  buckety scratch 'backend: objects, retentionPolicy: Delete, defaultAccess: {credentialsSecretName: scratch-bucket, role: ReadWrite}'
  buckety never 'backend: silent'
} >"$home/manifests/all.yaml"

export KOPIUR_RECHECK=5
code=0
"$bin/kopiur" --data "$home/other" up --config "$home/config" >"$home/refused.txt" 2>&1 || code=$?
[ "$code" = 1 ] || die "it started without the variable ROOT_SECRET"
says "$(cat "$home/refused.txt")" "undefined variable" ROOT_SECRET buckety-controller.yaml

export ROOT_SECRET=$canary
start_up --config "$home/config"
await 60 "photos is Ready" reason_is buckety photos EnsuredOnBackend
await 60 "scratch is Ready" reason_is buckety scratch EnsuredOnBackend
[ "$(field buckety photos status.backendResourceName)" = default-photos-local ] || die "its name is $(field buckety photos status.backendResourceName)"
[ -d "$home/store/default-photos-local" ] || die "there is no bucket"
is buckety photos status.provenance Created || die "it was not created"
[ "$(stat -c %a "$data/secrets/default/photos-bucket/secretAccessKey")" = 600 ] || die "others may read the secret"
eval "$(k get secret photos-bucket --env)"
[ "$secretAccessKey" = "$canary" ] && [ "$bucket" = default-photos-local ] || die "the Secret says: $(k get secret photos-bucket --env)"
echo hello >"$home/hello"
copy "$home/hello" ":s3:$bucket/one"
[ "$(cat "$home/store/$bucket/one")" = hello ] || die "the program could not write"
says "$(k get buckety)" photos default-photos-local True
echo "ok: a bucket and its Secret; a program writes with them"

await 60 "the silent backend is reported" reason_is buckety never InspectFailed
says "$(ready_condition buckety never message)" silent "has not answered"
echo "ok: a backend that never answers is reported"

stop_up
copy "$home/hello" ":s3:$bucket/two"
[ "$(cat "$home/store/$bucket/two")" = hello ] || die "the data path needs kopiur"
start_up --config "$home/config"
await 60 "kopiur is back" reason_is buckety photos EnsuredOnBackend
echo "ok: a program writes while all of kopiur is stopped"

apply access reader photos photos-reader ReadOnly
await 60 "the explicit access has its Secret" reason_is bucketyaccess reader SecretMinted
await 60 "the implicit one is gone" gone bucketyaccess photos
await 30 "its Secret too" gone secret photos-bucket
[ ! -e "$data/secrets/default/photos-bucket" ] || die "its files are left"
k get bucketyaccess reader -o json | jq -e '.status.conditions[] | select(.type == "ScopingNotImplemented" and .status == "True")' >"$home/scoping" || die "the ignored role is not reported"

printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: taken, namespace: default}\nstringData: {mine: untouched}\n' >"$home/manifests/taken.yaml"
await 30 "somebody's Secret is there" k get secret taken
apply access clash photos taken ReadWrite
await 60 "the conflict is reported" reason_is bucketyaccess clash SecretConflict
[ "$(k get secret taken --env)" = "mine='untouched'" ] || die "somebody else's Secret was changed"
await 20 "an explicit access does not hold up its Buckety" reason_is buckety photos EnsuredOnBackend
echo "ok: the Secret of somebody else is left as it is"

apply buckety thief 'backend: objects, name: default-photos-local, retentionPolicy: Delete'
await 60 "the name of another is refused" reason_is buckety thief BackendResourceExists
apply buckety full 'backend: objects'
await 60 "a bucket with content is refused" reason_is buckety full BackendResourceExists
apply buckety adopter 'backend: objects, name: full, adoption: Adopt, retentionPolicy: Delete'
await 60 "it is adopted when asked for" reason_is buckety adopter EnsuredOnBackend
is buckety adopter status.provenance Adopted || die "it is not called adopted"
k delete buckety thief full adopter >>"$home/applied.txt"
for each in thief full adopter; do await 60 "$each is deleted" gone buckety "$each"; done
[ "$(cat "$home/store/full/of-somebody")" = mine ] && [ -f "$home/store/default-photos-local/one" ] || die "the data of somebody else was deleted"
echo "ok: a name belongs to one Buckety, and what it did not create is not deleted"

stop_up
kill "$store" && wait "$store" || true
start_store "$rotated"
export ROOT_SECRET=$rotated
start_up --config "$home/config"
follows() { [ "$(cat "$data/secrets/default/$1/secretAccessKey")" = "$rotated" ]; }
for each in scratch-bucket photos-reader; do await 60 "after a rotation and a restart the Secret $each follows" follows "$each"; done
eval "$(k get secret photos-reader --env)"
copy "$home/hello" ":s3:$bucket/three" || die "the new key does not work"
echo "ok: rotated credentials"

rm -rf "$home/store/scratch"
await 60 "a bucket that somebody deleted is made again" test -d "$home/store/scratch"
eval "$(k get secret scratch-bucket --env)"
for i in {1..5}; do copy "$home/hello" ":s3:scratch/folder/$i"; done
k delete buckety photos scratch >>"$home/applied.txt"
await 60 "photos waits for its accesses" reason_is buckety photos DeletionBlocked
says "$(ready_condition buckety photos message)" reader clash
await 60 "scratch is deleted" gone buckety scratch
[ ! -e "$home/store/scratch" ] || die "its bucket is left"
k delete bucketyaccess reader clash >>"$home/applied.txt"
await 60 "photos is deleted" gone buckety photos
[ -f "$home/store/default-photos-local/one" ] || die "a retained bucket was deleted"
[ "$(k get secret taken --env)" = "mine='untouched'" ] || die "somebody else's Secret went with the access"
[ ! -e "$data/secrets/default/photos-reader" ] || die "the Secret of a deleted access is left"
echo "ok: Retain and Delete"

k delete buckety never >>"$home/applied.txt"
await 60 "a Buckety without a bucket is deleted although its backend is silent" gone buckety never
stop_up
found=$(grep -rlF -e "$canary" -e "$rotated" -- "$data" | grep -vE "^$data/(objects/Secret|secrets)/" || true)
[ -z "$found" ] || die "the secret is in $found"
echo "ok: no secret on the bus, in a status, an Event or the journal"
