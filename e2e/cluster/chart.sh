# The chart, installed on a node started with --plain. Source it after services.sh.
need HELM
export HELM_CACHE_HOME=$home/helm HELM_CONFIG_HOME=$home/helm HELM_DATA_HOME=$home/helm
helm() { "$KOPIUR_HELM" --kubeconfig "$home/admin.kubeconfig" --namespace kopiur-system "$@" >"$home/helm.out" 2>"$home/helm.log" || die "helm $1: $(tail -5 "$home/helm.log")"; }
in_system() { kube --namespace=kopiur-system "$@"; }

# prepare: creates the namespace of the release; enforces Pod Security `restricted` there and in the movers' namespace.
prepare() {
  kube create namespace kopiur-system >>"$home/made"
  kube label namespace kopiur-system default pod-security.kubernetes.io/enforce=restricted >>"$home/made"
}
# space NAME CLAIM NAMESPACE: prints an empty volume for a claim that another client creates.
space() {
  rm -rf "$home/volumes/$1" && mkdir -p "$home/volumes/$1" && chown 65532:65532 "$home/volumes/$1"
  persistent_volume "$1" "$home/volumes/$1" "$2" "$3"
}
# servers N: empty volumes for N servers; deletes those of earlier servers.
servers() {
  local i
  in_system delete pvc --all >>"$home/made"
  for ((i = 0; i < 3; i++)); do kube delete pv "bus$i" --ignore-not-found >>"$home/made"; done
  for ((i = 0; i < $1; i++)); do space "bus$i" "data-kopiur-nats-$i" kopiur-system; done | kube apply -f - >>"$home/made"
}
# release VERB ARGS...: installs or upgrades the chart (or that at $chart), and waits until every pod is ready.
release() {
  local from=${EPOCHREALTIME/./}
  helm "$1" kopiur "${chart:-$root/helm/kopiur}" --wait --timeout 540s --set global.image.pullPolicy=Never,nats.storage.size=1Gi "${@:2}"
  echo "ok: $1, every pod is ready after $(((${EPOCHREALTIME/./} - from) / 1000)) ms"
}
# rights_suffice: fails if the logs of the bus or the gateway show a refused permission (in a namespace that ends nothing may be created).
rights_suffice() {
  { in_system logs statefulset/kopiur-nats --all-pods; in_system logs deployment/kopiur-gateway --all-pods; } >"$home/said.log"
  ! grep -E 'Violation|answered with 403' "$home/said.log" | grep -v 'because it is being terminated' || die "somebody may not do what has to be done"
  echo "ok: no login and no account lacks a right"
}
