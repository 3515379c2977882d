# Functions for the assertions of the scenarios; source it. The environment is the runner's (run.sh): NAMESPACE is the scenario's, CONTROLLER_NAMESPACE
# the controller's, IMPLEMENTATION the store behind the backend `s3`. Needs kubectl and jq.
set -Eeuo pipefail
: "${NAMESPACE:?the namespace of the scenario: run.sh prints it}" "${CONTROLLER_NAMESPACE:=kopiur-system}" "${CONTROLLER_CONFIG:=buckety-controller}"
: "${CONTROLLER:=kopiur-provisioner}" "${CONTROLLER_READERS:=kopiur-gateway kopiur-provisioner}" "${CONTROLLER_SELECTOR:=app.kubernetes.io/part-of=kopiur}"
: "${IMPLEMENTATION:=versitygw}" "${CLIENT_IMAGE:=rclone/rclone:1}" "${STORE_CREDENTIALS:=object-stores}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
trap 'echo "FAILED: ${BASH_SOURCE[1]:-$0}:$LINENO: $BASH_COMMAND" >&2' ERR
die() { trap - ERR; echo "FAILED: $*" >&2; exit 1; }
k() { kubectl --namespace="$NAMESPACE" "$@"; }
controller() { kubectl --namespace="$CONTROLLER_NAMESPACE" "$@"; }

# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
  local end=$((SECONDS + $1)) what=$2; shift 2
  until "$@" >/dev/null 2>&1; do [ "$SECONDS" -lt "$end" ] || die "$what: not in time"; sleep 0.5; done
  echo "ok: $what"
}
field() { k get "$1" "$2" -o jsonpath="{$3}"; }
# condition OBJECT NAME TYPE: prints `Status/Reason`.
condition() { field "$1" "$2" ".status.conditions[?(@.type==\"$3\")]['status','reason']" | tr ' ' /; }
message() { field "$1" "$2" ".status.conditions[?(@.type==\"$3\")].message"; }
is() { [ "$(condition "$1" "$2" "$3")" = "$4" ]; }
ready() { await 90 "$1 $2 is Ready" is "$1" "$2" Ready "True/$([ "$1" = buckety ] && echo EnsuredOnBackend || echo SecretMinted)"; }
gone() { [ -z "$(k get "$@" --ignore-not-found -o name)" ]; }
resource_of() { field buckety "$1" .status.backendResourceName; }
value() { k get secret "$1" -o json | jq -r --arg key "$2" '.data[$key] // "" | @base64d'; }
keys() { k get secret "$1" -o json | jq -r '.data | keys | join(" ")'; }
event() { [ -n "$(k get events --field-selector "reason=$1" -o name)" ]; }
# refused TEXT COMMAND...: the command fails and says TEXT.
refused() {
  local said
  ! said=$("${@:2}" 2>&1) || die "accepted: ${*:2}"
  grep -q -- "$1" <<<"$said" || die "refused, but not by \"$1\": $said"
  echo "ok: refused: $1"
}

store_endpoint() { sed -n '/endpoint: /{s/.*endpoint: //p;q}' "$(configuration)"; }
# store ARGS...: rclone on the store with the controller's credentials, in a pod; `:s3:` is the store. Prints its output; fails when it fails.
store() {
  local pod=store-$RANDOM$RANDOM phase said
  jq -n --arg pod "$pod" --arg image "$CLIENT_IMAGE" --arg secret "$STORE_CREDENTIALS" --arg endpoint "$(store_endpoint)" --args '
    def from($name; $key): {name: $name, valueFrom: {secretKeyRef: {name: $secret, key: $key}}};
    {apiVersion: "v1", kind: "Pod", metadata: {name: $pod}, spec: {restartPolicy: "Never",
      securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: "RuntimeDefault"}},
      containers: [{name: "rclone", image: $image, imagePullPolicy: "IfNotPresent", command: ["rclone"],
        args: (["--config=", "--retries=1", "--s3-no-check-bucket"] + $ARGS.positional),
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}},
        env: [{name: "RCLONE_S3_PROVIDER", value: "Other"}, {name: "RCLONE_S3_ENDPOINT", value: $endpoint}, from("RCLONE_S3_ACCESS_KEY_ID"; "ROOT_KEY"),
              from("RCLONE_S3_SECRET_ACCESS_KEY"; "ROOT_SECRET")]}]}}' -- "$@" | controller apply -f - >/dev/null
  controller wait --for=jsonpath='{.status.containerStatuses[0].state.terminated}' --timeout=90s "pod/$pod" >/dev/null || die "the client has not ended: rclone $*"
  phase=$(controller get pod "$pod" -o jsonpath='{.status.containerStatuses[0].state.terminated.exitCode}')
  said=$(controller logs "$pod") && controller delete pod "$pod" --wait=false >/dev/null
  echo "$said"
  [ "$phase" = 0 ]
}
bucket_exists() { store lsf ":s3:$1"; }
# consumed POD: the consumer has done its work.
consumed() { k wait --for=jsonpath='{.status.phase}'=Succeeded --timeout=120s "pod/$1" >/dev/null || die "$(k describe pod "$1" | tail -5)"; echo "ok: the consumer $1 has worked"; }

# configure FILE: makes it the controller's configuration. restart DEPLOYMENT...: restarts those that read it, and waits for them.
configure() { controller create configmap "$CONTROLLER_CONFIG" --from-file=buckety-controller.yaml="$1" --dry-run=client -o yaml | controller apply -f - >/dev/null 2>&1; }
restart() {
  sleep 1  # kubectl refuses two restarts within a second
  controller rollout restart deployment "$@" >/dev/null
  local each
  for each in "$@"; do controller rollout status deployment "$each" --timeout=180s >/dev/null || die "$each does not start"; done
}
configuration() { echo "$here/overlays/$IMPLEMENTATION/buckety-controller.yaml"; }
# reset: the configuration of the implementation again.
reset() { configure "$(configuration)"; restart $CONTROLLER_READERS; }
