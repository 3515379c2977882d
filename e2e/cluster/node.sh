# A one-node cluster for a test, without Docker: the API, its controller manager and scheduler, containerd, and a kubelet that runs pods. It
# runs in separate namespaces (processes, mounts, network), so several can run in parallel and nothing outlives them. The kernel keeps the
# pods' cgroups outside of them: these are below one folder in each hierarchy. Source it; see with_node.sh.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
address=10.77.0.1  # of the node; it must not be a loopback address. The only link is a bridge without a route out
api_port=443       # also at 10.96.0.1, where pods expect the API, so no kube-proxy is needed
group=/$(basename "$home")
plain=''  # if set, a CoreDNS on the node resolves Services, and the API server connects to their pods (webhooks)
api_flags=(--bind-address=0.0.0.0 --advertise-address=$address --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged
  --kubelet-preferred-address-types=InternalIP --kubelet-client-certificate="$home/admin.crt" --kubelet-client-key="$home/admin.key")

# cgroup_roots: the root of each hierarchy (v1), or the only one (v2).
cgroup_roots() { if [ -e /sys/fs/cgroup/cgroup.procs ]; then echo /sys/fs/cgroup; else dirname /sys/fs/cgroup/*/cgroup.procs; fi; }
# make_cgroups: with the weight of eight processes; with that of one the pods of several stories starve next to other tests.
make_cgroups() {
  local at each
  for at in $(cgroup_roots); do
    mkdir "$at$group"
    [ ! -e "$at$group/cpu.shares" ] || echo 8192 >"$at$group/cpu.shares"
    [ ! -e "$at$group/cpu.weight" ] || echo 800 >"$at$group/cpu.weight"
    for each in cpuset.cpus cpuset.mems; do [ ! -e "$at/$each" ] || cat "$at/$each" >"$at$group/$each"; done  # v1: without these no process can run in it
  done
}
remove_cgroups() {
  local at tries
  for at in $(cgroup_roots); do
    for tries in 1 2 3 4 5 6 7 8 9 10; do  # a killed process leaves its cgroup a moment later
      [ ! -d "$at$group" ] || find "$at$group" -depth -type d -exec rmdir {} + 2>/dev/null || { sleep 0.2; continue; }
      break
    done
  done
}

# in_namespaces COMMAND...: runs it as the first process of new namespaces; when it or this script ends, the kernel ends everything in them.
in_namespaces() {
  [ "$(id -u)" = 0 ] || die "a node needs root: it makes namespaces, cgroups and mounts"
  trap 'exit 143' TERM
  trap 'exit 130' INT
  at_end=remove_cgroups
  make_cgroups
  KOPIUR_NODE_HOME=$home setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc "$@" <&0 &
  pids+=($!)
  echo $! >"$home/namespaces.pid"  # for with_shared_node.sh
  wait $! || exit $?
}

# furnish: prepares the environment of the node's programs. They write to fixed folders: an overlay shows them the host's and keeps their
# changes.
furnish() {
  local each setting
  for each in run var/lib var/log; do
    mkdir -p "$home/over/$each" "$home/over.work/$each"
    mount -t overlay -o "lowerdir=/$each,upperdir=$home/over/$each,workdir=$home/over.work/$each" overlay "/$each"
  done
  # The kubelet sets these for the whole machine: bind-mounted files receive its writes instead.
  for setting in kernel/panic=10 kernel/panic_on_oops=1 vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
    each=$home/sysctl/${setting%=*}
    mkdir -p "${each%/*}"
    echo "${setting#*=}" >"$each"
    mount --bind "$each" "/proc/sys/${setting%=*}"
  done
  mount --make-rshared /
  ip link set lo up
  ip link add node0 type bridge
  ip address add $address/24 dev node0
  ip address add 10.96.0.1/32 dev node0
  ip link set node0 up
  ip route add default dev node0
  echo 1 >/proc/sys/net/ipv4/ip_forward
}

write_settings() {
  mkdir -p "$home/cni"
  cat >"$home/cni/pods.conflist" <<JSON
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "pods0", "isGateway": true, "hairpinMode": true, "ipMasq": false,
   "ipam": {"type": "host-local", "dataDir": "$home/addresses", "ranges": [[{"subnet": "10.88.7.0/24"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
JSON
  # restrict_oom_score_adj: without CAP_SYS_RESOURCE no score can be lowered, and every sandbox would fail.
  cat >"$home/containerd.toml" <<TOML
version = 2
root = "$home/containerd"
state = "$home/containerd.state"
[grpc]
  address = "$home/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
  path = "$home/opt"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "$pause"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$home/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      BinaryName = "$KOPIUR_RUNC"
TOML
  cat >"$home/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix://$home/containerd.sock
address: $address
readOnlyPort: 0
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: "$home/ca.crt"}}
authorization: {mode: Webhook}
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupRoot: "$group"
failSwapOn: false
oomScoreAdj: 0
nodeStatusUpdateFrequency: 2s
evictionHard: {memory.available: 100Mi}  # no disk threshold: the disk is the host's
imageGCHighThresholdPercent: 100
${plain:+clusterDNS: [$address]
clusterDomain: cluster.local
}podLogsDir: "$home/pods"
volumePluginDir: "$home/plugins"
YAML
}

# run NAME COMMAND...: in the background, with its output in $home/NAME.log.
run() {
  local name=$1; shift
  "$@" >"$home/$name.log" 2>&1 &
  pids+=($!)
}
# run_controller NAME PROGRAM ARGS...: runs a program that uses the API as system:NAME.
run_controller() {
  local name=$1 program=$2 config=$home/$1.kubeconfig; shift 2
  run "$name" "$program" --kubeconfig="$config" --authentication-kubeconfig="$config" --authorization-kubeconfig="$config" --leader-elect=false --bind-address=127.0.0.1 "$@"
}
# start_dns: on the node, so that it needs no Service.
start_dns() {
  need COREDNS
  printf 'cluster.local {\n  errors\n  kubernetes cluster.local {\n    kubeconfig %s\n  }\n}\n' "$home/admin.kubeconfig" >"$home/Corefile"
  run coredns "$KOPIUR_COREDNS" -conf "$home/Corefile"
}
node_ready() { [ "$(kube get node node1 -o jsonpath='{.status.conditions[?(@.type=="Ready")].status}')" = True ]; }

# start_node: returns when pods can run.
start_node() {
  local from=${EPOCHREALTIME/./} pause
  need KUBE_CONTROLLER_MANAGER KUBE_SCHEDULER KUBELET CONTAINERD RUNC
  [ -x /usr/lib/cni/bridge ] || die "there are no network plugins in /usr/lib/cni; ./dev setup installs them"
  [ -z "$plain" ] || api_flags+=(--enable-aggregator-routing=true)
  furnish
  pause=docker.io/library/$("$root/image/make.sh" pause "$home/images" | cut -d' ' -f1)
  write_settings
  PATH=${KOPIUR_CONTAINERD%/*}:$PATH run containerd "$KOPIUR_CONTAINERD" --config "$home/containerd.toml"
  start_api
  (cd "$home" && certificate node1 /O=system:nodes/CN=system:node:node1 && certificate kube-scheduler /CN=system:kube-scheduler &&
    certificate kube-controller-manager /CN=system:kube-controller-manager)
  kubeconfig node1 kube-scheduler kube-controller-manager
  run_controller kube-controller-manager "$KOPIUR_KUBE_CONTROLLER_MANAGER" --service-account-private-key-file="$home/sa.key" --root-ca-file="$home/ca.crt" --use-service-account-credentials
  run_controller kube-scheduler "$KOPIUR_KUBE_SCHEDULER"
  [ -z "$plain" ] || start_dns
  import_image pause
  run kubelet "$KOPIUR_KUBELET" --config="$home/kubelet.yaml" --kubeconfig="$home/node1.kubeconfig" --hostname-override=node1 --node-ip=$address --root-dir="$home/kubelet" --cert-dir="$home/pki"
  await 60 "the node is ready" node_ready
  await 60 "pods can be made in the namespace default" kube --namespace=default wait --for=create --timeout=4s serviceaccount/default
  echo "ok: a node after $(((${EPOCHREALTIME/./} - from) / 1000)) ms"
}
