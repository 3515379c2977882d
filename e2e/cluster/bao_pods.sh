# A cluster of real OpenBao pods: raft storage, TLS, an audit log that is declared in the configuration (a restore keeps it) and outlives pods. Source it after kube.sh.

# bao_pods NAMESPACE VOTERS IMAGE [NAME]: makes them, initialized and unsealed; by default `vault`. The root token is in $home/NAME.NAMESPACE.root.
bao_pods() {
  local ns=$1 voters=$2 image=$3 name=${4:-vault} at=$home/bao-$1-${4:-vault} i joins=''
  mkdir -p "$at"
  (cd "$at" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=bao-ca 2>/dev/null
    certificate server /CN=bao "subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:$name.$ns.svc,DNS:*.$name.$ns.svc,DNS:*.$name.$ns.svc.cluster.local"$'\n'"extendedKeyUsage=serverAuth,clientAuth")
  for ((i = 0; i < voters; i++)); do mkdir -p "$at/data/$name-$i"; done  # the data of a pod that is made again
  chown -R 65532:65532 "$at/data"
  kube get namespace "$ns" >>"$home/made" 2>&1 || kube create namespace "$ns" >>"$home/made"
  kube -n "$ns" create secret generic "$name-tls-ca" --from-file=ca.crt="$at/ca.crt" >>"$home/made"
  kube -n "$ns" create secret generic "$name-server" --from-file=ca.crt="$at/ca.crt" --from-file=tls.crt="$at/server.crt" --from-file=tls.key="$at/server.key" >>"$home/made"
  for ((i = 0; i < voters; i++)); do joins+="retry_join { leader_api_addr = \"https://$name-$i.$name.$ns.svc:8200\" leader_ca_cert_file = \"/tls/ca.crt\" }"$'\n    '; done
  kube apply -f - >>"$home/made" <<YAML
apiVersion: v1
kind: ConfigMap
metadata: {name: $name, namespace: $ns}
data:
  bao.hcl: |
    disable_mlock = true
    storage "raft" {
    path = "/data"
    $joins}
    listener "tcp" { address = "0.0.0.0:8200" cluster_address = "0.0.0.0:8201" tls_cert_file = "/tls/tls.crt" tls_key_file = "/tls/tls.key" }
    audit "file" "file" { options { file_path = "/data/audit.log" } }
---
apiVersion: v1
kind: Service
metadata: {name: $name, namespace: $ns}
spec: {selector: {app: $name}, clusterIP: None, publishNotReadyAddresses: true, ports: [{name: api, port: 8200}, {name: raft, port: 8201}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: $name, namespace: $ns}
spec:
  replicas: $voters
  serviceName: $name
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: $name}}
  template:
    metadata: {labels: {app: $name}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: openbao
        image: $image
        imagePullPolicy: Never
        env:
        - {name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: BAO_RAFT_NODE_ID, value: \$(POD)}
        - {name: BAO_API_ADDR, value: "https://\$(POD).$name.$ns.svc:8200"}
        - {name: BAO_CLUSTER_ADDR, value: "https://\$(POD).$name.$ns.svc:8201"}
        - {name: BAO_ADDR, value: "https://127.0.0.1:8200"}
        - {name: BAO_CACERT, value: /tls/ca.crt}
        - {name: HOME, value: /data}
        - {name: BAO_RAFT_AUTOPILOT_DISABLE, value: "${autopilot_off-true}"}  # that of 2.4 sometimes panics while a snapshot is applied
        command: [/usr/bin/bao, server, -config=/config/bao.hcl]
        volumeMounts: [{name: data, mountPath: /data, subPathExpr: \$(POD)}, {name: tmp, mountPath: /tmp}, {name: tls, mountPath: /tls}, {name: config, mountPath: /config}]
      volumes: [{name: data, hostPath: {path: $at/data}}, {name: tmp, emptyDir: {}}, {name: tls, secret: {secretName: $name-server}}, {name: config, configMap: {name: $name}}]
YAML
  kube -n "$ns" rollout status "statefulset/$name" --timeout=120s >>"$home/made" || die "OpenBao does not start: $(kube -n "$ns" logs "$name-0" --tail=5)"
  answers() { kube -n "$ns" exec "$name-0" -- /usr/bin/bao status -format=json | jq -e .type; [ "${PIPESTATUS[1]}" = 0 ]; }
  await 60 "OpenBao answers" answers
  kube -n "$ns" exec "$name-0" -- /usr/bin/bao operator init -key-shares=1 -key-threshold=1 -format=json >"$at/init.json"
  jq -r .root_token "$at/init.json" >"$home/$name.$ns.root"
  for ((i = 0; i < voters; i++)); do await 60 "$name-$i is unsealed" unsealed "$ns" "$name-$i" "$(jq -r '.unseal_keys_b64[0]' "$at/init.json")"; done
  await 60 "a root login" log_in "$ns" "$name" "$(cat "$home/$name.$ns.root")"
  peers() { [ "$(in_bao "$ns" "$name" operator raft list-peers -format=json | jq '[.data.config.servers[] | select(.voter)] | length')" = "$voters" ]; }
  await 60 "$voters voters" peers
}
# unsealed NAMESPACE POD KEY: unseals it if it is sealed; true once it is not.
unsealed() { kube -n "$1" exec "$2" -- /usr/bin/bao operator unseal -format=json "$3" | jq -e '.sealed == false and .initialized'; }
# in_bao NAMESPACE NAME ARGS...: bao in its first pod, as root: the login is kept in the pod's home.
in_bao() { kube -n "$1" exec "$2-0" -- /usr/bin/bao "${@:3}"; }
# log_in NAMESPACE NAME TOKEN
log_in() { in_bao "$1" "$2" login -no-print "$3"; }
# submissions NAMESPACE NAME: how often a snapshot was submitted, from the audit logs of all pods, also of those that are gone.
submissions() { cat "$home/bao-$1-$2/data"/*/audit.log | grep -c '"type":"request".*"operation":"update".*"path":"sys/storage/raft/snapshot\(-force\)\?"' || true; }
# keep_unsealed NAMESPACE NAME VOTERS: unseals pods that were restarted, as an automatic unseal does: OpenBao 2.4 may panic while it applies a snapshot.
keep_unsealed() {
  local i key; key=$(jq -r '.unseal_keys_b64[0]' "$home/bao-$1-$2/init.json")
  while sleep 2; do
    for ((i = 0; i < $3; i++)); do
      { kube -n "$1" exec "$2-$i" -- /usr/bin/bao status -format=json || true; } 2>/dev/null | jq -e '.sealed and .initialized' >/dev/null 2>&1 && unsealed "$1" "$2-$i" "$key" >/dev/null 2>&1 || true
    done
  done
}
