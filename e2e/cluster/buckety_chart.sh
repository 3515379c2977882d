# Buckety on a real cluster, installed by the chart, beside real services on the node. Source it on a node started with --plain. IMPLEMENTATIONS names the
# services, as for examples/buckety/run.sh.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
canary=root-secret-$RANDOM$RANDOM$RANDOM  # the password of the services

# service NAMESPACE NAME PORT...: prints what listens on the node at these ports as a Service of the cluster.
service() {
  local port ports=''
  for port in "${@:3}"; do ports+="${ports:+, }{name: p$port, port: $port}"; done
  printf -- '---\napiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: %s}\nspec: {clusterIP: None, ports: [%s]}\n' "$2" "$1" "$ports"
  printf -- '---\napiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: %s, namespace: %s, labels: {kubernetes.io/service-name: %s}}\naddressType: IPv4\nports: [%s]\nendpoints: [{addresses: [10.77.0.1]}]\n' "$2" "$1" "$2" "$ports"
}
# import_as NAME IMAGE: imports our image of that name, which pods find under the name of the public one that it stands for.
import_as() {
  import_image "$1"
  images_there tag "docker.io/library/$(cut -d' ' -f1 "$cluster/images/$1.made")" "docker.io/$2"
}
# install_buckety OVERLAY VARIABLE=VALUE...: installs the chart with that configuration and its variables, with three provisioners.
install_buckety() {
  local overlay=$1 buckety=global.systems.buckety
  shift
  in_system create secret generic object-stores "${@/#/--from-literal=}" >>"$home/made"
  in_system apply -k "$overlay" >>"$home/made"
  release install --set nats.replicas=1,global.service.replicas=1,provisioner.replicas=3,$buckety.enabled=true,$buckety.configMap=buckety-controller,$buckety.secret=object-stores,$buckety.recheckSeconds=5
}
# run_scenarios: those of examples/buckety, or only those that SCENARIOS names.
run_scenarios() {
  mkdir "$home/bin" && ln -s "$KOPIUR_KUBECTL" "$home/bin/kubectl"
  (export PATH=$home/bin:$PATH KUBECONFIG=$home/admin.kubeconfig HOME=$home && bash "$root/examples/buckety/run.sh" ${SCENARIOS:-}) || die "a scenario has failed"
}

# buckety NAME NAMESPACE MORE: prints a Buckety of the backend $backend.
buckety() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: Buckety\nmetadata: {name: %s, namespace: %s}\nspec: {backend: %s, retentionPolicy: Delete%s}\n' "$1" "$2" "$backend" "$3"; }
of() { kube -n "$1" get "$2" "$3" -o json; }
ready_reason() { of "$1" buckety "$2" | jq -e --arg reason "$3" '.status.conditions[] | select(.type == "Ready" and .reason == $reason)'; }

# tenants_apart: a tenant who names the resource `victim-ledger` of another namespace, or its Secret, gets neither; what it deletes is only its own. The
# namespace `victim` has the Buckety `ledger` of that name, which is Ready.
tenants_apart() {
  of victim buckety ledger | jq '.status' >"$home/status.json"
  kube create namespace attacker >>"$home/made"
  { buckety thief attacker ', name: "victim-ledger", adoption: Adopt, defaultAccess: {credentialsSecretName: loot}'; buckety ledger attacker ', name: "victim-ledger"'; } | kube apply -f - >>"$home/made"
  for each in thief ledger; do await 60 "the attacker's $each is refused the name" ready_reason attacker "$each" BackendResourceExists; done
  # With the status of the victim copied onto it, as who may edit objects but not their status tries.
  jq --arg backend "$backend" '{apiVersion: "buckety.yolean.se/v1alpha1", kind: "Buckety", metadata: {name: "copied", namespace: "attacker"}, spec: {backend: $backend, name: "victim-ledger", retentionPolicy: "Delete"}, status: .}' "$home/status.json" | kube apply -f - >>"$home/made"
  await 60 "a copied status is worth nothing" ready_reason attacker copied BackendResourceExists
  # An access of the attacker's namespace that names the victim's Buckety, and an owner reference to it.
  printf 'apiVersion: buckety.yolean.se/v1alpha1\nkind: BucketyAccess\nmetadata: {name: reach, namespace: attacker, labels: {buckety.yolean.se/implicit: "true"}, ownerReferences: [{apiVersion: buckety.yolean.se/v1alpha1, kind: Buckety, name: ledger, uid: %s, controller: true}]}\nspec: {bucketyRef: {name: nowhere}, credentialsSecretName: loot}\n' "$(of victim buckety ledger | jq -r .metadata.uid)" | kube apply -f - >>"$home/made"
  kube -n attacker delete bucketies --all --wait=false >>"$home/made"
  no_bucketies() { [ -z "$(kube -n attacker get bucketies -o name)" ]; }
  await 60 "the attacker's objects go" no_bucketies
  [ -z "$(kube -n attacker get secret loot --ignore-not-found -o name)" ] || die "the attacker has the key"
  ready_reason victim ledger EnsuredOnBackend >"$home/made.json" || die "the victim suffers"
  echo "ok: a tenant gets neither the resource nor the key of another"
}
# password_kept: it is in Secrets only.
password_kept() {
  { kube get bucketies,bucketyaccesses,events,configmaps,jobs,pods -A -o yaml; in_system logs -l app.kubernetes.io/part-of=kopiur --tail=-1 --all-containers --prefix; } >"$home/said.txt"
  ! grep -F -- "$canary" "$home/said.txt" || die "the password of the service is told"
  ! grep -rlF -- "$canary" "$home/volumes" || die "the password of the service is on the bus"
  echo "ok: the password of the service is in Secrets only"
}
