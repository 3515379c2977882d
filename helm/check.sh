#!/usr/bin/env bash
# What can be said of the chart without a cluster: it lints, renders for every way to install it, refuses with a sentence what cannot work, and its
# version is that of the project. KOPIUR_HELM is in the environment (./dev setup builds it).
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
chart=$root/helm/kopiur
die() { echo "FAILED: $*" >&2; exit 1; }
[ -x "${KOPIUR_HELM:-}" ] || die "there is no program at KOPIUR_HELM (${KOPIUR_HELM:-it is not set}); ./dev setup builds it"
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-chart-XXXXXX")
trap 'rm -rf "$home"' EXIT
export HELM_CACHE_HOME=$home HELM_CONFIG_HOME=$home HELM_DATA_HOME=$home

# render ARGS...: to $home/all.yaml.
render() { "$KOPIUR_HELM" template kopiur "$chart" --kube-version 1.36.0 --namespace kopiur-system "$@" >"$home/all.yaml" 2>"$home/said"; }
kinds() { awk -v kind="$1" '$1 == "kind:" && $2 == kind && /^kind:/ {n++} END {print n + 0}' "$home/all.yaml"; }
# mine KIND: all of that kind.
mine() { awk -v kind="$1" '/^---/ {p = 0} $0 == "kind: " kind {p = 1} p' "$home/all.yaml"; }
# takes WHAT ARGS...
takes() {
  "$KOPIUR_HELM" lint --strict --kube-version 1.36.0 "$chart" "${@:2}" >"$home/said" 2>&1 || die "$1: $(cat "$home/said")"
  render "${@:2}" || die "$1: $(tail -3 "$home/said")"
  echo "ok: $1"
}
# refuses SENTENCE ARGS...
refuses() {
  ! render "${@:2}" || die "taken: ${*:2}"
  grep -q -- "$1" "$home/said" || die "${*:2} is refused, but not by \"$1\": $(tail -3 "$home/said")"
  echo "ok: refused: $1"
}

takes "as it is"
[ "$(kinds CustomResourceDefinition)" = "$(ls "$root/proto/schema/generated/crds" | wc -l)" ] || die "not every kind is in the chart"
[ "$(grep -c 'helm.sh/resource-policy: keep' "$home/all.yaml")" = "$(kinds CustomResourceDefinition)" ] || die "an uninstall would delete kinds"
[ "$(grep -c 'automountServiceAccountToken: true' "$home/all.yaml")" = 1 ] || die "others than the gateway have a token"
[ "$(kinds Role) $(kinds ClusterRoleBinding)" = "1 1" ] || die "the gateway's rights are not one ClusterRole and one Role"
takes "one server, one of each" --set nats.replicas=1,global.service.replicas=1
[ "$(kinds PodDisruptionBudget)" = 0 ] || die "a budget for one pod would hold up the drain of its node"
grep -q -- '- pods/exec$' "$home/all.yaml" || die "hooks may run no command in a pod"
takes "no commands in pods" --set global.hooks.exec=false
! grep -q 'pods/exec' "$home/all.yaml" || die "the gateway may run commands in pods"
grep -qF 'resources: ["repositories","backupconfigs","backups","backupschedules","restores","maintenances"]' "$home/all.yaml" && ! grep -qF '["*"]' <(mine ClusterRole) ||
  die "who may edit may write status, or what all namespaces share"
takes "restores by request" --set global.restoreByRequest=true
[ "$(grep -c 'name: KOPIUR_RESTORE_BY_REQUEST' "$home/all.yaml")" = 1 ] || die "the gateway is not told that restores may be asked for"
takes "one namespace" --set global.onlyNamespace=team
[ "$(kinds Role)" = 2 ] || die "the gateway's rights in the one namespace are missing"
! awk '/^kind: ClusterRole$/ {p = 1} /^---/ {p = 0} p' "$home/all.yaml" | grep -E '\[(secrets|jobs|pods)' || die "an install for one namespace has rights in all"
takes "without a webhook" --set global.webhook.enabled=false
! grep -qi webhook <(grep -v '^ *#' "$home/all.yaml" | sed '/^kind: CustomResourceDefinition/,/^---/d') || die "something of the webhook is there"
takes "the webhook's certificate by the gateway"
[ "$(grep -c 'name: KOPIUR_WEBHOOK_' "$home/all.yaml")" = 3 ] || die "the gateway is not told what to make"
! { mine ValidatingWebhookConfiguration | grep caBundle || grep 'mountPath: /etc/kopiur/webhook' "$home/all.yaml"; } || die "an upgrade would take its certificate away"
mine ClusterRole | grep -B3 -- '- validatingwebhookconfigurations' | grep -q -- '- kopiur-system-kopiur-gateway$' || die "its rights are not on the configuration of this release alone"
[ "$(mine Role | grep -c kopiur-gateway-webhook)" = 1 ] || die "its rights are not on its Secret alone"
takes "a webhook that must be there" --set global.webhook.failurePolicy=Fail
mine ValidatingWebhookConfiguration | grep -q 'failurePolicy: Fail' || die "what is written passes while the webhook is away"
takes "the webhook's certificate by cert-manager" --set global.webhook.certificates=cert-manager
[ "$(kinds Issuer)$(kinds Certificate)$(grep -c 'mountPath: /etc/kopiur/webhook' "$home/all.yaml")$(grep -c 'name: KOPIUR_WEBHOOK_' "$home/all.yaml" || true)" = 1110 ] ||
  die "cert-manager is not asked for it, or the gateway makes one too"
takes "the webhook's certificate by an issuer" --set global.webhook.certificates=cert-manager,global.webhook.issuer.name=mine,global.webhook.issuer.kind=ClusterIssuer
[ "$(kinds Issuer)$(kinds Certificate)" = 01 ] && grep -q '"kind":"ClusterIssuer","name":"mine"' "$home/all.yaml" || die "the issuer is not the one that was named"
takes "the webhook's certificate given" --set 'global.webhook.certificates=given,global.webhook.secret=mine,global.webhook.caBundle=-----BEGIN CERTIFICATE-----'
grep -q 'secretName: mine' "$home/all.yaml" && grep -q "caBundle: $(printf %s '-----BEGIN CERTIFICATE-----' | base64 -w0)" "$home/all.yaml" || die "the certificate is not the one that was given"
! grep -q validatingwebhookconfigurations "$home/all.yaml" || die "the gateway has rights that it does not need"
takes "network policies" --set global.networkPolicy.enabled=true,global.traces=http://collector:4318
[ "$(kinds NetworkPolicy)" = 7 ] || die "not every part has its policy"
external=(--set nats.enabled=false,global.bus.url=tls://bus.example:4222)
takes "an external bus, passwords" "${external[@]}" --set global.bus.secret=logins,global.bus.ca=true
takes "an external bus, credentials" "${external[@]}" --set global.bus.secret=logins,global.bus.login=credentials,global.networkPolicy.enabled=true
takes "an external bus, open" "${external[@]}" --set global.bus.login=none
[ "$(kinds StatefulSet)$(grep -c 'name: kopiur-\(bus\|nats\)' "$home/all.yaml")" = 00 ] || die "a bus of our own beside an external one"
takes "images by digest, of a registry" --set global.image.registry=registry.example/x,global.image.mover=kopiur-mover@sha256:00
grep -q 'registry.example/x/kopiur-mover@sha256:00"' "$home/all.yaml" || die "the mover's image is not the one that was named"

refuses 'would install another one' --set global.bus.url=nats://bus.example:4222
refuses 'There is no bus' --set nats.enabled=false
refuses 'name the Secret that has them' "${external[@]}"
refuses 'global.webhook.certificates is given: name' --set global.webhook.certificates=given
refuses 'are those of a certificate that is given' --set global.webhook.secret=mine
refuses "additional properties 'replica' not allowed" --set scheduler.replica=2
refuses "at '/nats/replicas'" --set nats.replicas=2

version=$(sed -nE 's/^project\(kopiur VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")
others=$(grep -rhoE '(^version: |^appVersion: "|version" -}}|, version: )[0-9.]+' "$chart" --include=Chart.yaml --include=_names.tpl | grep -oE '[0-9.]+$' | sort -u)
[ "$others" = "$version" ] || die "the project is $version, the chart's files say $others: Chart.yaml of all charts, and kopiur.version in charts/library"
echo "ok: it is version $version everywhere"
