#!/usr/bin/env bash
# with_node.sh --plain etcd_install.sh: the etcd of a hosted control plane is backed up by kopiur as the chart installs it: with the chart's rights, in
# namespaces with Pod Security `restricted`, its webhook and its definitions.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
source "$(dirname "${BASH_SOURCE[0]}")/etcd_stage.sh"
for each in services mover nats executor; do import_image "$each"; done
etcd=$(import_image etcd)
prepare
servers 1
start_store
kube apply -f "$root/e2e/cluster/hypershift.yaml" >>"$home/made"
await 30 "HyperShift's kinds are established" kube wait --for=condition=Established --timeout=0 crd/hostedcontrolplanes.hypershift.openshift.io crd/hostedclusters.hypershift.openshift.io
control_plane clusters-prod 3 "${etcd%% *}"
hosted_cluster
hypershift=global.systems.hypershift
release install --set "nats.replicas=1,global.service.replicas=1,$hypershift.enabled=true,$hypershift.endpoint=http://10.77.0.1:7070,$hypershift.keep=1"
keys keys "$canary"
mkdir -p "$home/s3/etcd-backups"
sed "s/change-me-too/$canary/; s/change-me/rootkey/" "$root/examples/hypershift/etcd-backup.yaml" | kube apply --server-side --validate=strict -f - >>"$home/made"
await 180 "the example is taken" completed etcdbackup before-4-18 BackupSucceeded

refused() { local said; said=$(etcd_backup wrong | sed 's/bucket: snapshots/bucket: Snap..shots/' | kube apply -f - 2>&1) && return 1; grep -F "bucket must" <<<"$said"; }
await 30 "a wrong bucket is refused in words when it is written" refused
{ etcd_backup first; hcp_etcd_backup shipped; } | kube apply -f - >>"$home/made"
either() { completed etcdbackup first BackupSucceeded || completed hcpetcdbackup shipped BackupSucceeded; }
await 180 "one of two at once is taken" either
etcd_backup second | kube apply -f - >>"$home/made"
await 180 "another one is taken" completed etcdbackup second BackupSucceeded
on_plane BackupSucceeded >>"$home/made" || die "the control plane says: $(h get hostedcontrolplane prod -o yaml)"
link=$(h get etcdbackup second -o jsonpath='{.status.snapshotURL}')
"$KOPIUR_ETCDUTL" snapshot status "$home/s3/${link#s3://}" -w json | jq -e '.totalKey >= 0' >>"$home/made"
await 60 "nothing is left" nothing_left
one_left() { [ "$(h get etcdbackups -o json | jq '[.items[] | select(.status.conditions[]?.status == "True")] | length')" = 1 ]; }
await 60 "one object that succeeded stays, as the values say" one_left
rights_suffice
