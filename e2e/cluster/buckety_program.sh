#!/usr/bin/env bash
# The program buckety with a real API server that has its two kinds and none of Kopiur's, and with no right beyond those of the text. A wrong configuration
# ends it with one line before anything else; two replicas, one leader; the webhook's certificate comes late and is replaced; what one leader has made its
# successor, with an empty bus, neither loses nor deletes wrongly.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/buckety_stage.sh"

# --- what it refuses: without a cluster, without nats-server
mkdir "$home/wrong"
backends() { printf 'backends:\n' && cat; }
# refuses WHAT FRAGMENT: with the configuration on standard input; one line that has file, line and the fragment.
refuses() {
  cat >"$home/wrong/buckety-controller.yaml"
  local code=0
  env -i PATH=/nowhere "$program" -c "$home/wrong" >"$home/out" 2>"$home/said" || code=$?
  [ "$code" = 1 ] && [ "$(wc -l <"$home/said")" = 1 ] && [ ! -s "$home/out" ] || die "$1: code $code, and it says: $(cat "$home/said")"
  grep -qE "buckety-controller.yaml:[0-9:]+ .*$2" "$home/said" || die "$1: no \"$2\" in: $(cat "$home/said")"
}
keys='accessKeyID: a, secretAccessKey: b'
refuses "an unknown field" 'unknown field.*endpont' < <(backends <<<"- {name: s3, driver: s3, config: {endpont: 'http://a:1', $keys}}")
refuses "an undefined variable" 'undefined variable.*BUCKETY_E2E_UNSET_VAR' < <(backends <<<"- {name: s3, driver: s3, config: {endpoint: 'http://a:1', accessKeyID: a, secretAccessKey: \"\${BUCKETY_E2E_UNSET_VAR}\"}}")
refuses "an unknown driver" 'unknown driver.*badname' < <(backends <<<"- {name: s3, driver: badname, config: {}}")
refuses "a name twice" 'duplicate backend name.*kafka' < <(backends <<<"- {name: kafka, driver: s3, config: {endpoint: 'http://a:1', $keys}}"$'\n'"- {name: kafka, driver: s3, config: {endpoint: 'http://a:1', $keys}}")
refuses "a missing field" 'missing required field.*endpoint' < <(backends <<<"- {name: s3, driver: s3, config: {$keys}}")
refuses "an unknown implementation" 'unknown implementation.*gcs' < <(backends <<<"- {name: s3, driver: s3, config: {implementation: gcs, endpoint: 'http://a:1', $keys}}")
code=0
"$program" -c "$home/nowhere" 2>"$home/said" || code=$?
[ "$code $(wc -l <"$home/said")" = "1 1" ] && grep -q "$home/nowhere/buckety-controller.yaml" "$home/said" || die "a missing file: $code, $(cat "$home/said")"
sed -i 's/implementation: gcs, //' "$home/wrong/buckety-controller.yaml"
outside=$(env -u KUBECONFIG -u KUBERNETES_SERVICE_HOST "$program" -c "$home/wrong" 2>&1) && die "it runs without a cluster"
grep -q 'not a pod.*-kubeconfig' <<<"$outside" || die "without a cluster it says: $outside"
for wrong in --conf "-c" "--enable-webhook false" "--periodic-recheck=often"; do
  code=0
  "$program" $wrong 2>"$home/said" || code=$?
  [ "$code" = 2 ] && grep -q '^usage: buckety' "$home/said" || die "$wrong: $code, $(cat "$home/said")"
done
[ "$("$program" --version | head -1 | cut -d' ' -f1)" = buckety ] && "$program" -version | grep -qxE 'driver s3 [0-9]+\.[0-9]+\.[0-9]+' || die "--version: $("$program" --version)"
echo "ok: wrong configurations, wrong calls, --version"

# --- a cluster, and the rights of the text
start_stage
read -r hook1 hook2 < <(free_ports 2)
mkdir "$home/tls"
(cd "$home" && certificate hook /CN=hook 'subjectAltName=IP:127.0.0.1' && certificate hook2 /CN=hook2 'subjectAltName=IP:127.0.0.1')

# --- one replica; its certificate comes late
start one "$hook1"
alive() { [ "$(page one healthz)" = ok ]; }
await 30 "it is alive" alive
waits_for_certificate() { page one readyz | grep 'gateway: the webhook waits for its certificate'; }
await 30 "it is not ready without a certificate" waits_for_certificate
grep -q "$home/tls/tls.crt.* It is waited for" "$home/one.log" || die "the log does not say that it waits for the certificate"
buckety photos 'retentionPolicy: Delete, defaultAccess: {credentialsSecretName: photos-bucket}' >>"$home/applied"
await 60 "a Buckety is Ready" reason_is photos EnsuredOnBackend
secret=$(kube -n tenant get secret photos-bucket -o json)
jq -e '.type == "Opaque" and .metadata.labels["buckety.yolean.se/owned"] == "true" and (.data | keys) == ["accessKeyID", "bucket", "endpoint", "region", "secretAccessKey"]
  and (.data | map_values(@base64d)) == {accessKeyID: "root", bucket: "photos", endpoint: "http://127.0.0.1:'"$s3"'", region: "us-east-1", secretAccessKey: "hunter22"}' <<<"$secret" >"$home/out" ||
  die "the Secret is: $secret"
[ -d "$home/store/photos" ] && [ "$(of photos provenance)" = Created ] || die "there is no bucket, or it is $(of photos provenance)"
tells() { kube -n tenant get events --field-selector reason=SecretMinted -o json | jq -e '.items[0].source.component == "buckety-controller"'; }
await 10 "an Event says so" tells
cp "$home/hook.key" "$home/tls/tls.key" && cp "$home/hook.crt" "$home/tls/tls.crt"
await 30 "it is ready once the certificate is there" ready one
page one metrics metrics | grep -q 'kopiur_ready{service="provisioner"} 1' || die "no metrics: $(page one metrics metrics)"
page one metrics | grep -q kopiur_ready && die "metrics are on the address of health"
[ "$(holder | grep -c "_$(cat "$home/one.pid")_")" = 1 ] || die "the Lease is held by $(holder)"

kube apply -f - >>"$home/applied" <<YAML
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: buckety-controller}
webhooks:
- name: validate.buckety.yolean.se
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  clientConfig: {url: "https://127.0.0.1:$hook1/validate", caBundle: $(base64 -w0 "$home/admin.crt")}
  rules: [{apiGroups: [buckety.yolean.se], apiVersions: [v1alpha1], resources: [bucketies, bucketyaccesses], operations: [CREATE, UPDATE]}]
YAML
probe() { buckety probe-$RANDOM 'retentionPolicy: Retain' 2>&1; }
refused() { { probe || true; } | grep 'failed calling webhook'; }
await 30 "the API server asks the webhook, whose authority it does not know yet" refused
kube patch validatingwebhookconfiguration buckety-controller --type=json -p '[{"op": "replace", "path": "/webhooks/0/clientConfig/caBundle", "value": "'"$(base64 -w0 "$home/ca.crt")"'"}]' >>"$home/applied"
await 30 "its reviews are answered" probe
served() { openssl s_client -connect "127.0.0.1:$hook1" </dev/null 2>/dev/null | openssl x509 -noout -subject; }
served | grep -q 'hook$' || die "it serves $(served)"
cp "$home/hook2.crt" "$home/tls/tls.crt" && cp "$home/hook2.key" "$home/tls/tls.key"
renewed() { served | grep 'hook2$'; }
await 30 "a replaced certificate is served" renewed
kube delete validatingwebhookconfiguration buckety-controller >>"$home/applied"
echo "ok: health, metrics, webhook"

# --- a second replica stands by, and takes over with an empty bus
start two "$hook2"
await 30 "the second replica is ready" ready two
leads two && die "there are two leaders"
echo data >"$home/store/photos/file"
buckety scratch 'retentionPolicy: Delete, defaultAccess: {credentialsSecretName: scratch-bucket}' >>"$home/applied"
await 60 "scratch is Ready" reason_is scratch EnsuredOnBackend
bus=$(bus_of one)
uid=$(kube -n tenant get secret photos-bucket -o jsonpath='{.metadata.uid}')
kill -KILL "$(cat "$home/one.pid")"
await 10 "the killed one's nats-server is gone too" ended "$bus"
await 30 "the second one leads" leads two
mkdir "$home/store/unstamped"  # as if its creation had been the last that the killed one did
buckety unstamped 'retentionPolicy: Delete' >>"$home/applied"
await 60 "a bucket without a stamp is taken" reason_is unstamped EnsuredOnBackend
[ "$(of unstamped provenance)" = Adopted ] || die "it is called $(of unstamped provenance)"
kube -n tenant delete buckety unstamped scratch --wait=false >>"$home/applied"
await 60 "it is deleted" gone unstamped
[ -d "$home/store/unstamped" ] || die "a bucket was deleted although nobody knew who had made it"
await 60 "what the killed one had made is deleted by its stamp" gone scratch
[ ! -e "$home/store/scratch" ] || die "a bucket is left that the first leader had made"
[ -f "$home/store/photos/file" ] && [ "$(of photos provenance)" = Created ] || die "photos was lost, or is $(of photos provenance)"
[ "$(kube -n tenant get secret photos-bucket -o jsonpath='{.metadata.uid}')" = "$uid" ] || die "a Secret was replaced"
kube -n tenant delete secret photos-bucket >>"$home/applied"
await 30 "a deleted Secret is minted again" kube -n tenant get secret photos-bucket

# --- a Lease that another one takes ends the process; SIGTERM does too
bus=$(bus_of two)
kube -n "$system" patch lease buckety-controller-leader --type=merge -p '{"spec": {"holderIdentity": "somebody else", "leaseDurationSeconds": 3}}' >>"$home/applied"
code=0
wait "$(cat "$home/two.pid")" || code=$?
[ "$code" = 1 ] && grep -q 'taken over by somebody else' "$home/two.log" || die "without the Lease it ended with $code: $(tail -2 "$home/two.log")"
ended "$bus" || die "its nats-server is left"
start three "$hook1" --enable-webhook=false
await 60 "a third one leads" leads three
await 30 "without a webhook it is ready" ready three
bus=$(bus_of three) from=$SECONDS code=0
kill -TERM "$(cat "$home/three.pid")"
wait "$(cat "$home/three.pid")" || code=$?
[ "$code" = 0 ] && [ $((SECONDS - from)) -lt 10 ] || die "SIGTERM: code $code after $((SECONDS - from)) s"
ended "$bus" || die "its nats-server is left after SIGTERM"
[ -z "$(holder)" ] || die "the Lease is still held by $(holder)"
grep -l hunter22 "$home"/*.log "$home"/data-* -r && die "the root secret is in a log or on the bus"
echo "ok: leaders end, with their nats-server"
