#!/usr/bin/env bash
# with_node.sh systems/cluster.sh: kopiur with one more system (build.sh) on a node: an Echo runs a plain container once, and its termination message
# becomes the object's status; a container that fails is reported with its exit status. Kopiur's own kinds work beside it.
source "$(dirname "${BASH_SOURCE[0]}")/../cluster/services.sh"
toy=$("$root/e2e/systems/build.sh" kopiur kopiur-schema kopiur-services)
bin=$toy/bin
k() { kube --namespace=default "$@"; }

# The image: image/make.sh with another program in place of `pause`.
mkdir -p "$home/toy"
cp -r "$root/image" "$home/toy/image"
cp "$root/e2e/systems/echo.c" "$home/toy/image/pause.c"
echo 'project(kopiur VERSION 0.0.1' >"$home/toy/CMakeLists.txt"
read -r image _ <<<"$("$home/toy/image/make.sh" pause "$home/toy/images")"
images_there import "$home/toy/images/pause.tar"
made=$(KOPIUR_BIN=$root/build/release/bin import_image mover)

"$bin/kopiur-schema" "$home/toy/generated" >>"$home/made"
kube apply -f "$home/toy/generated/crds" >>"$home/made"
await 30 "the kind Echo is served" kube get echoes
export KOPIUR_SYSTEMS=kopiur,toy KOPIUR_IMAGES="echo=$image"
start_services "${made%% *}"
await 60 "the services are ready" ready services

# echo_text NAME TEXT
echo_text() {
  k create -f - >>"$home/made" <<YAML
apiVersion: toy.kopiur.test/v1
kind: Echo
metadata: {name: $1}
spec: {text: "$2"}
YAML
}
echo_text hello "hello from a container"
await 90 "the Echo has been printed" is echo hello status.phase Succeeded
[ "$(field echo hello status.said)" = "hello from a container" ] || die "it says: $(field echo hello status.said)"
k get echoes | tee "$home/table" | grep -q "hello from a container" || die "its column is missing: $(cat "$home/table")"
echo "ok: a plain container ran, and its text is in the status"
echo_text silent ""
await 120 "the failure is in the status" is echo silent status.phase Failed
field echo silent 'status.conditions[0].message' | grep -q "container echo failed: exit status 1" || die "it says: $(k get echo silent -o yaml)"
echo "ok: a container that failed is reported with its exit status"

# Kopiur itself works beside it.
k create secret generic password --from-literal=KOPIA_PASSWORD=correct-horse >>"$home/made"
claim store "$home/store" | kube apply -f - >>"$home/made"
k apply -f - >>"$home/made" <<YAML
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: nas}
spec:
  backend: {filesystem: {path: /, pvcName: store}}
  encryption: {passwordSecretRef: {name: password}}
  create: {enabled: true}
YAML
await 120 "the repository is Ready" is repository nas status.phase Ready
echo "ok: a mover of kopia ran beside it"
