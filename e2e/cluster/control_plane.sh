# A hosted control plane, as far as a backup of its etcd sees it: a real etcd with TLS as pods, its certificates, and HyperShift's two objects.
# Source it after kube.sh.

# control_plane NAMESPACE MEMBERS IMAGE [NAME]: makes it, by default `prod`. Its HostedCluster has that name, in the namespace clusters.
control_plane() {
  local ns=$1 members=$2 image=$3 name=${4:-prod} at=$home/etcd-$1 i peers=''
  mkdir -p "$at"
  (cd "$at" && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=etcd-ca 2>/dev/null
    certificate server /CN=etcd "subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:etcd-client.$ns.svc,DNS:*.etcd-discovery.$ns.svc"$'\n'"extendedKeyUsage=serverAuth,clientAuth"
    certificate client /CN=client)
  kube create namespace "$ns" >>"$home/made"
  kube -n "$ns" create secret generic etcd-client-tls --from-file=etcd-client.crt="$at/client.crt" --from-file=etcd-client.key="$at/client.key" >>"$home/made"
  kube -n "$ns" create secret generic etcd-server-tls --from-file=server.crt="$at/server.crt" --from-file=server.key="$at/server.key" >>"$home/made"
  kube -n "$ns" create configmap etcd-ca --from-file=ca.crt="$at/ca.crt" >>"$home/made"
  for ((i = 0; i < members; i++)); do peers+=${peers:+,}etcd-$i=https://etcd-$i.etcd-discovery.$ns.svc:2380; done
  kube apply -f - >>"$home/made" <<YAML
apiVersion: v1
kind: Service
metadata: {name: etcd-client, namespace: $ns}
spec: {selector: {app: etcd}, clusterIP: None, ports: [{port: 2379}]}  # the node has no kube-proxy
---
apiVersion: v1
kind: Service
metadata: {name: etcd-discovery, namespace: $ns}
spec: {selector: {app: etcd}, clusterIP: None, publishNotReadyAddresses: true, ports: [{name: client, port: 2379}, {name: peer, port: 2380}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: etcd, namespace: $ns}
spec:
  replicas: $members
  serviceName: etcd-discovery
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: etcd}}
  template:
    metadata: {labels: {app: etcd}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - name: etcd
        image: $image
        imagePullPolicy: Never
        env: [{name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
        command: [/usr/bin/etcd]
        args:
        - --name=\$(NAME)
        - --data-dir=/data
        - --unsafe-no-fsync
        - --initial-cluster=$peers
        - --initial-advertise-peer-urls=https://\$(NAME).etcd-discovery.$ns.svc:2380
        - --advertise-client-urls=https://\$(NAME).etcd-discovery.$ns.svc:2379
        - --listen-peer-urls=https://0.0.0.0:2380
        - --listen-client-urls=https://0.0.0.0:2379
        - --cert-file=/etc/etcd/tls/server/server.crt
        - --key-file=/etc/etcd/tls/server/server.key
        - --trusted-ca-file=/etc/etcd/tls/etcd-ca/ca.crt
        - --client-cert-auth
        - --peer-cert-file=/etc/etcd/tls/server/server.crt
        - --peer-key-file=/etc/etcd/tls/server/server.key
        - --peer-trusted-ca-file=/etc/etcd/tls/etcd-ca/ca.crt
        - --peer-client-cert-auth
        readinessProbe: {tcpSocket: {port: 2379}, periodSeconds: 2, failureThreshold: 2}
        volumeMounts:
        - {name: data, mountPath: /data}
        - {name: server, mountPath: /etc/etcd/tls/server}
        - {name: client, mountPath: /etc/etcd/tls/client}
        - {name: ca, mountPath: /etc/etcd/tls/etcd-ca}
      volumes:
      - {name: data, emptyDir: {}}
      - {name: server, secret: {secretName: etcd-server-tls}}
      - {name: client, secret: {secretName: etcd-client-tls}}
      - {name: ca, configMap: {name: etcd-ca}}
---
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedControlPlane
metadata: {name: $name, namespace: $ns, annotations: {hypershift.openshift.io/cluster: clusters/$name}}
spec: {etcd: {managementType: Managed}}
YAML
  kube -n "$ns" rollout status statefulset/etcd --timeout=120s >>"$home/made" || die "etcd does not get ready: $(kube -n "$ns" logs etcd-0 --tail=5)"
  await 60 "etcd answers through its Service" in_etcd "$ns" endpoint health
}
# in_etcd NAMESPACE ARGS...: etcdctl in its first pod.
in_etcd() {
  kube -n "$1" exec etcd-0 -c etcd -- /usr/bin/etcdctl --endpoints="https://etcd-client.$1.svc:2379" --cacert=/etc/etcd/tls/etcd-ca/ca.crt \
    --cert=/etc/etcd/tls/client/etcd-client.crt --key=/etc/etcd/tls/client/etcd-client.key "${@:2}"
}
