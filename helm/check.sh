#!/usr/bin/env bash
# Checks the chart without a cluster: it lints, renders for every way to install it, refuses invalid values with a sentence, grants
# outsiders on its bus exactly their rights, and has the project's version. Environment: KOPIUR_HELM, KOPIUR_NATS_SERVER (./dev setup builds
# them).
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
chart=$root/helm/kopiur
die() { echo "FAILED: $*" >&2; exit 1; }
for each in KOPIUR_HELM KOPIUR_NATS_SERVER; do
  [ -x "${!each:-}" ] || die "there is no program at $each (${!each:-it is not set}); ./dev setup builds it"
done
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-chart-XXXXXX")
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server"; } 2>/dev/null || true; rm -rf "$home"' EXIT
export HELM_CACHE_HOME=$home HELM_CONFIG_HOME=$home HELM_DATA_HOME=$home

# render ARGS...: renders the chart to $home/all.yaml.
render() { "$KOPIUR_HELM" template kopiur "$chart" --kube-version 1.36.0 --namespace kopiur-system "$@" >"$home/all.yaml" 2>"$home/said"; }
kinds() { awk -v kind="$1" '$1 == "kind:" && $2 == kind && /^kind:/ {n++} END {print n + 0}' "$home/all.yaml"; }
# mine KIND: prints the rendered objects of that kind.
mine() { awk -v kind="$1" '/^---/ {p = 0} $0 == "kind: " kind {p = 1} p' "$home/all.yaml"; }
# of_systems NAME...: how many kinds these systems have.
of_systems() { grep -lE "component: ($(tr ' ' '|' <<<"$*"))\$" "$root"/proto/schema/generated/crds/* | wc -l; }
# takes WHAT ARGS...: the chart lints and renders.
takes() {
  "$KOPIUR_HELM" lint --strict --kube-version 1.36.0 "$chart" "${@:2}" >"$home/said" 2>&1 || die "$1: $(cat "$home/said")"
  render "${@:2}" || die "$1: $(tail -3 "$home/said")"
  echo "ok: $1"
}
# refuses SENTENCE ARGS...: rendering fails with that sentence.
refuses() {
  ! render "${@:2}" || die "taken: ${*:2}"
  grep -q -- "$1" "$home/said" || die "${*:2} is refused, but not by \"$1\": $(tail -3 "$home/said")"
  echo "ok: refused: $1"
}

takes "as it is"
[ "$(kinds CustomResourceDefinition)" = "$(of_systems kopiur)" ] || die "the chart has not exactly Kopiur's kinds"
[ "$(grep -c 'helm.sh/resource-policy: keep' "$home/all.yaml")" = "$(kinds CustomResourceDefinition)" ] || die "an uninstall would delete kinds"
[ "$(grep -c 'automountServiceAccountToken: true' "$home/all.yaml")" = 1 ] || die "others than the gateway have a token"
[ "$(kinds Role) $(kinds ClusterRoleBinding)" = "1 1" ] || die "the gateway's rights are not one ClusterRole and one Role"
takes "one server, one of each" --set nats.replicas=1,global.service.replicas=1
[ "$(kinds PodDisruptionBudget)" = 0 ] || die "a budget for one pod would hold up the drain of its node"
takes "together, small" --set global.together=true,nats.replicas=1,global.service.replicas=1,global.traces=http://collector:4318,global.networkPolicy.enabled=true
[ "$(kinds Deployment) $(kinds NetworkPolicy) $(kinds StatefulSet)" = "1 2 1" ] || die "together they are not one"
for each in 'command: \[/usr/bin/kopiur-services\]' 'KOPIUR_NATS_USER, value: services' 'key: services, path: password' KOPIUR_MOVER_IMAGE KOPIUR_COPY_METHOD OTEL_EXPORTER_OTLP_ENDPOINT; do
  grep -q -- "$each" <(mine Deployment) || die "the one process is not told $each"
done
grep -q 'user: services, password: $SERVICES_PASSWORD' "$home/all.yaml" || die "the bus does not know the one process"
grep -q -- '- pods/exec$' "$home/all.yaml" || die "hooks may run no command in a pod"
takes "no commands in pods" --set global.hooks.exec=false
! grep -q 'pods/exec' "$home/all.yaml" || die "the gateway may run commands in pods"
! grep -q KOPIUR_HOOKS_HTTP_ALLOW "$home/all.yaml" || die "hooks reach what nobody allowed"
takes "hooks that reach more" --set-json 'global.hooks.httpAllow=["10.0.0.0/8","10.1.2.3:80","fd00::/8","[fd00::/8]:443","hooks.example.org:8443","*.monitoring.svc"]'
grep -qF '{name: KOPIUR_HOOKS_HTTP_ALLOW, value: "10.0.0.0/8,10.1.2.3:80,fd00::/8,[fd00::/8]:443,hooks.example.org:8443,*.monitoring.svc"}' "$home/all.yaml" ||
  die "the gateway is not told what hooks may reach"
grep -A2 -- '- endpointslices$' "$home/all.yaml" | grep -q -- '- list$' || die "the gateway cannot find the pods of a hook's Service"
grep -qF 'resources: ["backupconfigs","backups","backupschedules","maintenances","repositories","restores"]' "$home/all.yaml" && ! grep -qF '["*"]' <(mine ClusterRole) ||
  die "who may edit may write status, or what all namespaces share"
grep -q -- '--store, "10Gi"\]' "$home/all.yaml" || die "the streams have no bounds"
takes "a larger store" --set nats.storage.size=40Gi
grep -q -- '--store, "40Gi"\]' "$home/all.yaml" && grep -q 'max_file_store: 40Gi' "$home/all.yaml" || die "the streams have other bounds than the server"
takes "restores by request" --set global.restoreByRequest=true
[ "$(grep -c 'name: KOPIUR_RESTORE_BY_REQUEST' "$home/all.yaml")" = 1 ] || die "the gateway is not told that restores may be asked for"
takes "one namespace" --set global.onlyNamespace=team
[ "$(kinds Role)" = 2 ] || die "the gateway's rights in the one namespace are missing"
! awk '/^kind: ClusterRole$/ {p = 1} /^---/ {p = 0} p' "$home/all.yaml" | grep -E '\[(secrets|jobs|pods)' || die "an install for one namespace has rights in all"
! grep -qE "buckety|provisioner|hypershift|openbao" <(grep -v '^ *#' "$home/all.yaml" | sed '/^kind: CustomResourceDefinition/,/^---/d') || die "a system that is off has left something"
cat >"$home/buckets.yaml" <<'END'
global:
  systems:
    buckety:
      enabled: true
      secret: stores
      config: {backends: [{name: s3, driver: s3, config: {endpoint: "http://store:9000", accessKeyID: "${ROOT_KEY}", secretAccessKey: "${ROOT_SECRET}"}, defaults: {zone: "01"}}]}
END
takes "with buckets" --values "$home/buckets.yaml" --set global.networkPolicy.enabled=true,global.systems.buckety.ports={9000}
[ "$(kinds CustomResourceDefinition)" = "$(of_systems kopiur buckety)" ] || die "the kinds of Buckety are missing"
grep -q 'command: \[/usr/bin/kopiur-provisioner\]' "$home/all.yaml" || die "there is no provisioner"
[ "$(grep -c 'mountPath: /etc/kopiur/config' "$home/all.yaml") $(grep -c 'secretRef: {name: stores}' "$home/all.yaml")" = "2 2" ] || die "the gateway and the provisioner do not read the stores"
for each in 'user: provisioner, password: $PROVISIONER_PASSWORD' 'KOPIUR_SYSTEMS, value: "kopiur,buckety"' 'zone: "01"' 'accessKeyID: ${ROOT_KEY}' 'apiGroups: \[buckety.yolean.se\], apiVersions: \["\*"\], resources: \["bucketies","bucketyaccesses"\]' 'ports: \[{port: 9000}\]'; do
  grep -q -- "$each" "$home/all.yaml" || die "with buckets there is no $each"
done
grep -A4 -- '- secrets$' "$home/all.yaml" | grep -q -- '- patch$' || die "the gateway cannot repair a Secret that it minted"
grep -qF 'resources: ["bucketies","bucketyaccesses"]' "$home/all.yaml" || die "nobody may edit a Buckety"
takes "with buckets, together" --values "$home/buckets.yaml" --set global.together=true
grep -q 'KOPIUR_RECHECK' <(mine Deployment) && grep -q 'kopiur.v1.claim' "$home/all.yaml" || die "together, nothing is provided"
takes "with buckets of your ConfigMap" --set global.systems.buckety.enabled=true,global.systems.buckety.configMap=mine
grep -q 'name: mine$' <(mine Deployment) && [ "$(kinds ConfigMap)" = 1 ] || die "your ConfigMap is not used"
refuses "name the object stores in global.systems.buckety.config" --set global.systems.buckety.enabled=true
refuses "leave one of them out" --values "$home/buckets.yaml" --set global.systems.buckety.configMap=mine
hosted=(--set global.systems.hypershift.enabled=true --set global.systems.hypershift.endpoint=https://store.example)
takes "with hosted etcds" "${hosted[@]}"
[ "$(kinds CustomResourceDefinition)" = "$(of_systems kopiur hypershift)" ] || die "the kinds of HyperShift are missing"
for each in 'KOPIUR_SYSTEMS, value: "kopiur,hypershift"' 'apiGroups: \[hypershift.openshift.io\], apiVersions: \["\*"\], resources: \["etcdbackups","hcpetcdbackups"\]' KOPIUR_ETCD_STORE_ENDPOINT "executor=kopiur-executor" "name: etcd-backup-job" 'KOPIUR_FINISHED_KEPT, value: "5"' 'KOPIUR_OTHER_OPERATORS, value: "hypershift=hypershift/operator"'; do
  grep -q -- "$each" "$home/all.yaml" || die "with hosted etcds there is no $each"
done
for each in etcdbackups hcpetcdbackups/status hostedcontrolplanes hostedcontrolplanes/status hostedclusters hostedclusters.hypershift.openshift.io hcpetcdbackups.hypershift.openshift.io; do
  grep -q -- "- $each\$" <(mine ClusterRole) || die "the gateway has no right on $each"
done
grep -A6 -- '- hostedclusters$' <(mine ClusterRole) | grep -qE -- '- (patch|update|create|delete)$' && die "the gateway may write what HyperShift owns"
[ "$(grep -c 'resources: \["etcdbackups","hcpetcdbackups"\]' <(mine ClusterRole))" = 1 ] && grep -B30 'resources: \["etcdbackups"' "$home/all.yaml" | grep -q 'aggregate-to-view' ||
  die "who may edit a namespace may use the credentials of HyperShift's operator, or who may view it sees no EtcdBackup"
refuses "global.systems.hypershift needs all namespaces" "${hosted[@]}" --set global.onlyNamespace=team
takes "with a kind that HyperShift installs" "${hosted[@]}" --set crds.except={hcpetcdbackups.hypershift.openshift.io}
[ "$(kinds CustomResourceDefinition)" = "$(($(of_systems kopiur hypershift) - 1))" ] && ! grep -q 'name: hcpetcdbackups' "$home/all.yaml" && grep -q hcpetcdbackups/status "$home/all.yaml" ||
  die "the kind is installed twice, or is not used"
refuses "additional properties 'enable' not allowed" --set global.systems.hypershift.enable=true
refuses "operator" "${hosted[@]}" --set global.systems.hypershift.operator=operator
takes "with hosted etcds, together" "${hosted[@]}" --set global.together=true
grep -q KOPIUR_FINISHED_KEPT "$home/all.yaml" || die "together, finished objects are not pruned as the values say"
takes "with hosted etcds and alerts" "${hosted[@]}" --set monitoring.rules.enabled=true,monitoring.rules.etcdBackupOverdueHours=26
grep -q KopiurEtcdBackupOverdue "$home/all.yaml" && grep -q KopiurEtcdBackupFailing "$home/all.yaml" || die "there are no alerts about etcd"
takes "with OpenBao" --set global.systems.openbao.enabled=true
[ "$(kinds CustomResourceDefinition)" = "$(of_systems kopiur openbao)" ] || die "the kinds of OpenBao are missing"
for each in 'KOPIUR_SYSTEMS, value: "kopiur,openbao"' 'apiGroups: \[openbao.org\], apiVersions: \["\*"\], resources: \["openbaorestores"\]' 'executor=kopiur-executor' 'KOPIUR_OTHER_OPERATORS, value: "openbao=openbao-operator-system/openbao-operator-controller"'; do
  grep -q -- "$each" "$home/all.yaml" || die "with OpenBao there is no $each"
done
for each in openbaorestores openbaorestores/status openbaoclusters openbaoclusters/status openbaorestores.openbao.org openbaoclusters.openbao.org serviceaccounts roles rolebindings; do
  grep -q -- "- $each\$" <(mine ClusterRole) || die "the gateway has no right on $each"
done
grep -A6 -- '- openbaoclusters$' <(mine ClusterRole) | grep -qE -- '- (patch|update|create|delete)$' && die "the gateway may write what OpenBao's operator owns"
takes "with OpenBao and hosted etcds" "${hosted[@]}" --set global.systems.openbao.enabled=true
grep -q 'hypershift=hypershift/operator,openbao=openbao-operator-system/openbao-operator-controller' "$home/all.yaml" || die "one of the operators is not known"
takes "with OpenBao whose voters are restarted" --set global.systems.openbao.enabled=true,global.systems.openbao.restartVoters=true
grep -q "KOPIUR_OPENBAO_RESTART_VOTERS" "$home/all.yaml" || die "voters are not restarted"
takes "with OpenBao and alerts" --set global.systems.openbao.enabled=true,monitoring.rules.enabled=true
grep -q KopiurOpenBaoRestoreUnknown "$home/all.yaml" && grep -q KopiurOpenBaoLocked "$home/all.yaml" || die "there are no alerts about OpenBao"
takes "with the default size of movers"
grep -qF 'KOPIUR_MOVER_RESOURCES, value: "{\"requests\":{\"cpu\":\"100m\",\"memory\":\"256Mi\"}}"' "$home/all.yaml" || die "movers have no requests"
takes "with movers of no size" --set-json 'global.mover.resources={"requests":{}}'
grep -qF 'KOPIUR_MOVER_RESOURCES, value: "{\"requests\":{}}"' "$home/all.yaml" || die "movers have requests that the values do not state"
refuses "additional properties 'resource' not allowed" --set global.mover.resource.requests.cpu=1
takes "without a webhook" --set global.webhook.enabled=false
! grep -qi webhook <(grep -v '^ *#' "$home/all.yaml" | sed '/^kind: CustomResourceDefinition/,/^---/d') || die "something of the webhook is there"
takes "the webhook's certificate by the gateway"
[ "$(grep -c 'name: KOPIUR_WEBHOOK_' "$home/all.yaml")" = 3 ] || die "the gateway is not told what to make"
! { mine ValidatingWebhookConfiguration | grep caBundle || grep 'mountPath: /etc/kopiur/webhook' "$home/all.yaml"; } || die "an upgrade would take its certificate away"
mine ClusterRole | grep -B3 -- '- validatingwebhookconfigurations' | grep -q -- '- kopiur-system-kopiur-gateway$' || die "its rights are not on the configuration of this release alone"
[ "$(mine Role | grep -c kopiur-gateway-webhook)" = 1 ] || die "its rights are not on its Secret alone"
entries() { mine ValidatingWebhookConfiguration | grep -E '^  - name: |failurePolicy: ' | awk '{print $NF}' | paste -sd ' '; }
[ "$(entries)" = "validate.kopiur.home-operations.com Ignore hooks.validate.kopiur.home-operations.com Fail" ] || die "hooks pass while the webhook is away: $(entries)"
[ "$(mine ValidatingWebhookConfiguration | sed -nE 's/.*expression: "(!\((object.kind .*)\)|(object.kind .*))"\}/\2\3/p' | uniq -c | awk '{print $1}')" = 2 ] ||
  die "an object may match both entries of the webhook, or none"
takes "a webhook that must be there" --set global.webhook.failurePolicy=Fail
[ "$(entries)" = "validate.kopiur.home-operations.com Fail" ] || die "what is written passes while the webhook is away: $(entries)"
! mine ValidatingWebhookConfiguration | grep -q spec.hooks || die "objects with hooks are not reviewed"
takes "the webhook's certificate by cert-manager" --set global.webhook.certificates=cert-manager
[ "$(kinds Issuer)$(kinds Certificate)$(grep -c 'mountPath: /etc/kopiur/webhook' "$home/all.yaml")$(grep -c 'name: KOPIUR_WEBHOOK_' "$home/all.yaml" || true)" = 1110 ] ||
  die "cert-manager is not asked for it, or the gateway makes one too"
takes "the webhook's certificate by an issuer" --set global.webhook.certificates=cert-manager,global.webhook.issuer.name=mine,global.webhook.issuer.kind=ClusterIssuer
[ "$(kinds Issuer)$(kinds Certificate)" = 01 ] && grep -q '"kind":"ClusterIssuer","name":"mine"' "$home/all.yaml" || die "the issuer is not the one that was named"
takes "the webhook's certificate given" --set 'global.webhook.certificates=given,global.webhook.secret=mine,global.webhook.caBundle=-----BEGIN CERTIFICATE-----'
grep -q 'secretName: mine' "$home/all.yaml" && grep -q "caBundle: $(printf %s '-----BEGIN CERTIFICATE-----' | base64 -w0)" "$home/all.yaml" || die "the certificate is not the one that was given"
! grep -q validatingwebhookconfigurations "$home/all.yaml" || die "the gateway has rights that it does not need"
! grep -q KOPIUR_WEBHOOK_CLIENT_CA "$home/all.yaml" || die "clients need a certificate, though nobody asked for that"
takes "a webhook for certificates of an authority" --set-literal $'global.webhook.clientCA=-----BEGIN CERTIFICATE-----\nMII'
grep -qF '{name: KOPIUR_WEBHOOK_CLIENT_CA, value: "-----BEGIN CERTIFICATE-----\nMII"}' "$home/all.yaml" || die "the gateway is not told who signs its clients"
refuses "at '/global/webhook/clientCA'" --set global.webhook.clientCA=ca.crt
takes "network policies" --set global.networkPolicy.enabled=true,global.traces=http://collector:4318
[ "$(kinds NetworkPolicy)" = 7 ] || die "not every part has its policy"
! grep -q namespaceSelector <(mine NetworkPolicy) || die "who is in another namespace reaches the bus"
takes "network policies, outsiders" --set global.networkPolicy.enabled=true,global.networkPolicy.outsiders[0].namespaceSelector.matchLabels.team=argo
mine NetworkPolicy | grep -A2 namespaceSelector | grep -q 'team: argo' || die "the outsiders do not reach the bus"
! grep -q 'monitoring.coreos.com\|grafana_dashboard' "$home/all.yaml" || die "monitoring is there, though nobody asked for it"
takes "monitoring" --set monitoring.podMonitor.enabled=true,monitoring.rules.enabled=true,monitoring.rules.labels.release=mine,monitoring.dashboard.enabled=true
[ "$(kinds PodMonitor)$(kinds PrometheusRule)$(grep -c 'grafana_dashboard: "1"' "$home/all.yaml")$(mine PrometheusRule | grep -c 'release: mine')" = 1111 ] || die "it is not monitored"
[ "$(grep -c 'alert: KopiurServiceDown' "$home/all.yaml")" = "$(kinds Deployment)" ] || die "a service may be away and nobody is told"
metrics() { grep -rhoE "$1(kopia|kopiur|controller)_[a-z_]+$1" "${@:2}" | tr -d '"' | sort -u; }
metrics '"' "$root/services" "$root/common" --include=*.cpp --include=*.hpp --exclude-dir=test >"$home/known"
{ mine PrometheusRule | grep 'expr: ' && grep -oE '"expr": "([^"\\]|\\.)*"' "$chart/files/dashboard.json"; } >"$home/asked"
metrics '' "$home/asked" | comm -23 - "$home/known" >"$home/unknown"
[ -s "$home/asked" ] && ! [ -s "$home/unknown" ] || die "alerts or the dashboard ask for what no service tells: $(tr '\n' ' ' <"$home/unknown")"
takes "alerts that are left out" --set monitoring.rules.enabled=true,monitoring.rules.backupOverdueHours=0,monitoring.rules.backupFailures=0,monitoring.rules.backupsHeld=0,monitoring.rules.maintenanceOverdueHours=0
! grep -qE 'alert: Kopiur(Backup|Maintenance)' "$home/all.yaml" || die "an alert is there that was left out"
[ "$(kinds VolumePopulator)" = 0 ] || die "a cluster that knows no VolumePopulator would refuse the chart"
render --api-versions populator.storage.k8s.io/v1beta1 || die "a cluster that knows VolumePopulator: $(tail -3 "$home/said")"
[ "$(mine VolumePopulator | grep -c 'group: kopiur.home-operations.com, kind: Restore')" = 1 ] || die "the validator would warn at a claim that names a Restore"
policies() { echo "$(kinds MutatingAdmissionPolicy)$(kinds MutatingAdmissionPolicyBinding)"; }
with_policies=(--api-versions admissionregistration.k8s.io/v1/MutatingAdmissionPolicy)
[ "$(policies)" = 00 ] || die "a cluster that knows no MutatingAdmissionPolicy would refuse the chart"
render "${with_policies[@]}" || die "a cluster that knows MutatingAdmissionPolicies: $(tail -3 "$home/said")"
[ "$(policies)" = 11 ] || die "no Backup is held from the moment it is written"
render "${with_policies[@]}" --set global.finalizerPolicy=false && [ "$(policies)" = 00 ] || die "a policy that nobody wants is there"
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
for each in 10.0.0.0/8:x 10.0.0 http://a.org a.org/x localhost '*' '*.*.org' fd00::/8]:443 a,b.org 'a b.org'; do
  refuses "at '/global/hooks/httpAllow/0'" --set-json "global.hooks.httpAllow=[\"$each\"]"
done
refuses "additional properties 'keep' not allowed" --set crds.keep=false
refuses "at '/nats/replicas'" --set nats.replicas=2
refuses "at '/global/networkPolicy/outsiders/0'" --set-json 'global.networkPolicy.outsiders=[{}]'

# The bus with its rendered configuration, without TLS and on other ports; every login has the same password.
render --set nats.replicas=1 --show-only charts/nats/templates/nats.yaml || die "$(tail -3 "$home/said")"
sed -n '/^  nats.conf:/,/^---/ s/^      //p' "$home/all.yaml" |
  sed "s|listen: .*|listen: \"127.0.0.1:-1\"|; /^http:/d; /^tls /d; s|store_dir: .*|store_dir: \"$home/bus\"|" >"$home/nats.conf"
for each in $(grep -oE '\$[A-Z_]+_PASSWORD' "$home/nats.conf" | tr -d '$'); do export "$each=secret"; done
POD_NAME=kopiur-nats-0 "$KOPIUR_NATS_SERVER" --config "$home/nats.conf" --ports_file_dir "$home" >"$home/bus.log" 2>&1 &
server=$!
address=
for ((i = 0; i < 300 && ${#address} == 0; i++)); do sleep 0.1 && address=$(grep -ohE '127.0.0.1:[0-9]+' "$home"/*.ports 2>/dev/null || true); done
[ "$address" ] || die "the bus does not start: $(tail -3 "$home/bus.log")"
# speak LOGIN WORD N LINE...: sends protocol lines, and prints the server's lines until N of them contain WORD, each within 30 s. The server
# sends PONG after it has handled all.
speak() {
  local word=$2 left=$3 line
  exec 9<>"/dev/tcp/${address/://}"
  { printf 'CONNECT {"verbose":false,"user":"%s","pass":"secret"}\r\n' "$1" && printf '%s\r\n' "${@:4}" PING; } >&9
  while IFS= read -r -t 30 -u 9 line; do
    printf '%s\n' "${line%$'\r'}"
    [[ $line != *"$word"* ]] || [ $((left -= 1)) -gt 0 ] || break
  done
  exec 9>&-
}
# say SUBJECT BODY [REPLY]: adds the two protocol lines of a message.
say() { message+=("PUB $1 ${3:+$3 }${#2}" "$2"); }
message=('SUB _INBOX.it 1')
for each in req run; do say "\$JS.API.STREAM.CREATE.$each" "{\"name\":\"$each\",\"subjects\":[\"kopiur.v1.$each.>\"],\"max_msgs_per_subject\":1}" _INBOX.it; done
speak admin stream_create_response 2 "${message[@]}" >"$home/said"
[ "$(grep -c stream_create_response "$home/said")" = 2 ] || die "the bus makes no streams: $(cat "$home/said")"
message=() && say kopiur.v1.run.local.a fact && speak admin PONG 1 "${message[@]}" >"$home/said"
message=('SUB _INBOX.it 1' 'SUB kopiur.v1.ack.local.> 2' 'SUB kopiur.v1.run.> 3')
say kopiur.v1.req.local.default.backup '{"config":"docs"}' _INBOX.it
say kopiur.v1.req.local.default.backup '{"config":"docs"}' kopiur.v1.run.local.a
say kopiur.v1.run.local.a lie
say kopiur.v1.ack.local.default.a lie
say '$JS.API.INFO' '' _INBOX.it
{ speak requests done 1 "${message[@]}" >"$home/outsider"; } &
asking=$!
for ((i = 0; i < 300; i++)); do grep -q PONG "$home/outsider" && grep -q '"seq":1' "$home/outsider" && break || sleep 0.1; done  # it is subscribed, and has its answer
message=() && say kopiur.v1.ack.local.default.a done && speak gateway PONG 1 "${message[@]}" >"$home/said"
wait "$asking"
grep -q '"stream":"req", *"seq":1' "$home/outsider" && grep -qx done "$home/outsider" || die "an outsider asks and is not answered: $(cat "$home/outsider")"
[ "$(grep -c 'Permissions Violation for \(Publish to "\(kopiur.v1.run.local.a\|kopiur.v1.ack.local.default.a\|$JS.API.INFO\)\|Subscription to "kopiur.v1.run.>\)"' "$home/outsider")" = 4 ] ||
  die "an outsider may do more than ask: $(cat "$home/outsider")"
message=('SUB _INBOX.it 1') && say '$JS.API.STREAM.MSG.GET.run' '{"last_by_subj":"kopiur.v1.run.local.a"}' _INBOX.it && speak admin '"data":' 1 "${message[@]}" >"$home/said"
grep -q "\"data\":\"$(printf fact | base64)\"" "$home/said" || die "an outsider has overwritten a fact by the receipt of a request: $(cat "$home/said")"
echo "ok: an outsider asks, is answered, and can do nothing else"

version=$(sed -nE 's/^project\(kopiur VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")
others=$(grep -rhoE '(^version: |^appVersion: "|version" -}}|, version: )[0-9.]+' "$chart" --include=Chart.yaml --include=_names.tpl | grep -oE '[0-9.]+$' | sort -u)
[ "$others" = "$version" ] || die "the project is $version, the chart's files say $others: Chart.yaml of all charts, and kopiur.version in charts/library"
echo "ok: it is version $version everywhere"
