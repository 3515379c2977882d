# Functions for the assertions of the scenarios; source it. The environment is the runner's (run.sh): NAMESPACE is the scenario's, CONTROLLER_NAMESPACE
# the controller's, IMPLEMENTATION the service behind the backend. What a driver's administrator does is in DRIVER.sh. Needs kubectl and jq.
set -Eeuo pipefail
: "${NAMESPACE:?the namespace of the scenario: run.sh prints it}" "${CONTROLLER_NAMESPACE:=kopiur-system}" "${CONTROLLER_CONFIG:=buckety-controller}"
: "${CONTROLLER:=kopiur-provisioner}" "${CONTROLLER_READERS:=kopiur-gateway kopiur-provisioner}" "${CONTROLLER_SELECTOR:=app.kubernetes.io/part-of=kopiur}"
: "${IMPLEMENTATION:=versitygw}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${OVERLAYS:=$here/overlays}"
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
# has ARGS...: grep without output. Behind a pipe `grep -q` would end at the first match, and what still writes would fail.
has() { grep "$@" >/dev/null; }
# refused TEXT COMMAND...: the command fails and says TEXT.
refused() {
  local said
  ! said=$("${@:2}" 2>&1) || die "accepted: ${*:2}"
  grep -q -- "$1" <<<"$said" || die "refused, but not by \"$1\": $said"
  echo "ok: refused: $1"
}

# in_pod IMAGE ENV COMMAND...: runs it in a pod beside the controller, with the variables ENV (as a Pod has them, in JSON). Prints its output; fails when
# it fails.
in_pod() {
  local pod=client-$RANDOM$RANDOM code said
  jq -n --arg pod "$pod" --arg image "$1" --argjson env "$2" --args '
    {apiVersion: "v1", kind: "Pod", metadata: {name: $pod}, spec: {restartPolicy: "Never",
      securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: "RuntimeDefault"}},
      containers: [{name: "client", image: $image, imagePullPolicy: "IfNotPresent", command: $ARGS.positional, env: $env,
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}}}]}}' -- "${@:3}" | controller apply -f - >/dev/null
  controller wait --for=jsonpath='{.status.containerStatuses[0].state.terminated}' --timeout=90s "pod/$pod" >/dev/null || die "the client has not ended: ${*:3}"
  code=$(controller get pod "$pod" -o jsonpath='{.status.containerStatuses[0].state.terminated.exitCode}')
  said=$(controller logs "$pod") && controller delete pod "$pod" --wait=false >/dev/null
  echo "$said"
  [ "$code" = 0 ]
}
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
configuration() { echo "$OVERLAYS/$IMPLEMENTATION/buckety-controller.yaml"; }
# driver: of the implementation's first backend; its scenarios are in the folder of that name.
driver() { sed -n '/ driver: /{s/.*: //p;q}' "$(configuration)"; }
# reset: the configuration of the implementation again.
reset() { configure "$(configuration)"; restart $CONTROLLER_READERS; }
# without_backend: the first backend has another name, until the script ends or calls reset.
without_backend() {
  local file
  trap reset EXIT
  file=$(mktemp) && changed '0,/- name: .*/s//- name: renamed/' >"$file" && configure "$file" && rm "$file"
  restart $CONTROLLER_READERS
}
# changed SED: the configuration, changed. refuses REGEX: with the configuration on standard input a new pod of the controller ends with a line like that.
changed() { sed "$1" "$(configuration)"; }
controller_logs() { local each; for each in --ignore-errors --previous; do controller logs "deployment/$CONTROLLER" --all-pods --tail=50 --ignore-errors "$each" 2>&1; done; }
controller_said() { grep -E "$1" <<<"$(controller_logs)"; }
refuses() {
  local file
  trap reset EXIT
  file=$(mktemp) && cat >"$file" && configure "$file" && rm "$file"
  sleep 1  # kubectl refuses two restarts within a second
  controller rollout restart deployment "$CONTROLLER" >/dev/null
  await 90 "the log says: $1" controller_said "$1"
}
# without_controller: none of its pods runs until the script ends.
without_controller() {
  deployments=$(controller get deployments -l "$CONTROLLER_SELECTOR" -o jsonpath='{range .items[*]}{.metadata.name}={.spec.replicas} {end}')
  trap with_controller EXIT
  controller scale deployment -l "$CONTROLLER_SELECTOR" --replicas=0 >/dev/null
  await 120 "no pod of the controller is left" no_pods
}
no_pods() { local each; for each in $deployments; do [ "$(controller get deployment "${each%=*}" -o jsonpath='{.status.replicas}')" = "" ] || return 1; done; }
with_controller() {
  local each
  for each in $deployments; do controller scale deployment "${each%=*}" --replicas="${each#*=}" >/dev/null; done
  for each in $deployments; do controller rollout status deployment "${each%=*}" --timeout=180s >/dev/null; done
}

[ ! -f "$(configuration)" ] || source "$here/$(driver).sh"
