#!/usr/bin/env bash
# One repository on each kind of storage available here, all at once, from manifests alone: S3 over TLS with our own certificate authority,
# SFTP by password and by key, WebDAV, rclone. Each is created, backed up to, and restored from with the same bytes. A wrong password is
# reported as such, and backends that need pods are refused with a message. No password is left in the data folder, except where Secrets are
# stored.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 1
server=$home/server
mkdir -p "$server"/{s3/backups,sftp,keyed,dav,remote}
read -r s3 sftp keyed dav < <(free_ports 4)
serve() { "$@" >>"$home/servers.log" 2>&1 & background+=($!); }

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$home/s3.key" -out "$home/s3.crt" -days 2 -subj /CN=s3 -addext subjectAltName=IP:127.0.0.1 2>"$home/openssl"
for each in host user; do ssh-keygen -q -t ed25519 -N '' -f "$home/$each"; done
known() { echo "[127.0.0.1]:$1 $(cut -d' ' -f1,2 "$home/host.pub")"; }
cat >"$home/sshd_config" <<CONFIG
Port $keyed
ListenAddress 127.0.0.1
HostKey $home/host
AuthorizedKeysFile $home/user.pub
StrictModes no
UsePAM no
PidFile none
PermitRootLogin yes
Subsystem sftp internal-sftp
CONFIG
mkdir -p /run/sshd
serve "$KOPIUR_VERSITYGW" --access s3user --secret s3-password-1 --port "127.0.0.1:$s3" --cert "$home/s3.crt" --key "$home/s3.key" posix "$server/s3"
serve rclone serve sftp --addr "127.0.0.1:$sftp" --user me --pass sftp-password-1 --key "$home/host" "$server/sftp"
serve /usr/sbin/sshd -D -e -f "$home/sshd_config"
serve rclone serve webdav --addr "127.0.0.1:$dav" --user me --pass dav-password-1 "$server/dav"

# of NAME BACKEND: a repository on that backend, a BackupConfig, and a claim to restore into.
of() {
  repository "$1" / | sed "s|  backend: .*|  backend: $2|"
  recipe "$1" "$1"
  empty_claim "back-$1"
}
# with NAME KEY VALUE...: a Secret.
with() { python3 -c 'import json, sys
name, *rest = sys.argv[1:]
print("---\n" + json.dumps({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": "default"}, "stringData": dict(zip(rest[::2], rest[1::2]))}))' "$@"; }
indented() { sed 's/^/      /' "$1"; }
{
  with s3 AWS_ACCESS_KEY_ID s3user AWS_SECRET_ACCESS_KEY s3-password-1
  with sftp password sftp-password-1
  with keyed privateKey "$(cat "$home/user")
"
  with dav username me password dav-password-1
  with dav-wrong username me password another
  with rclone rclone.conf "[local]
type = local
"
  printf -- '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: authorities, namespace: default}\ndata:\n  s3.pem: |\n%s\n' "$(indented "$home/s3.crt")"
  of s3 "{s3: {bucket: backups, endpoint: \"127.0.0.1:$s3\", auth: {secretRef: {name: s3}}, tls: {caBundleRef: {configMapName: authorities, key: s3.pem}}}}"
  of sftp "{sftp: {host: 127.0.0.1, port: $sftp, path: /, username: me, auth: {secretRef: {name: sftp}}, knownHosts: \"$(known "$sftp")\"}}"
  of keyed "{sftp: {host: 127.0.0.1, port: $keyed, path: $server/keyed, username: root, auth: {secretRef: {name: keyed}}, knownHosts: \"$(known "$keyed")\"}}"
  of dav "{webDav: {url: \"http://127.0.0.1:$dav/\", auth: {secretRef: {name: dav}}}}"
  of rclone "{rclone: {remotePath: \"local:$server/remote\", configSecretRef: {name: rclone}}}"
  of wrong "{webDav: {url: \"http://127.0.0.1:$dav/\", auth: {secretRef: {name: dav-wrong}}}}"
  of unknown "{s3: {bucket: backups, endpoint: \"127.0.0.1:$s3\", auth: {secretRef: {name: s3}}}}"
  of export "{filesystem: {path: kopia, nfs: {server: 127.0.0.1, path: /export}}}"
  of identity "{s3: {bucket: backups, auth: {workloadIdentity: {serviceAccountName: backups}}}}"
} >"$home/manifests/backends.yaml"
start_up

all=(s3 sftp keyed dav rclone)
for each in "${all[@]}"; do await 60 "$each: the repository is Ready" is repository "$each" status.phase Ready; done
for each in "${all[@]}"; do k backup now "$each" >>"$home/asked"; done
saved() { k get backups -o json | jq -er --arg config "$1" '.items[] | select(.spec.configRef.name == $config and .status.phase == "Succeeded").metadata.name'; }
for each in "${all[@]}"; do await 60 "$each: a Backup Succeeded" saved "$each"; done
for each in "${all[@]}"; do
  restore_of "$each" "$(saved "$each")" "back-$each"
done >"$home/manifests/restores.yaml"
for each in "${all[@]}"; do
  await 60 "$each: the Restore is Completed" is restore "$each" status.phase Completed
  diff -r "$home/source" "$data/volumes/default/back-$each" >&2 || die "$each gave other bytes back"
done

# tells NAME TEXT: waits for the text; a failed repository is tried again and reports that meanwhile.
heard() { grep -qF -- "$2" <<<"$(k get repository "$1" -o json | jq -r '.status.conditions[]?.message')"; }
tells() { await 30 "$1: it says \"$2\"" heard "$1" "$2"; }
for each in wrong unknown export identity; do await 60 "$each: the repository has Failed" is repository "$each" status.phase Failed; done
tells wrong "refuses these credentials"
tells unknown certificate
tells export "on a host, mount the export yourself"
tells identity "on a host, give auth.secretRef"
[ ! -e /export/kopia ] || die "a repository was made on the host, in place of the export"
for each in s3-password-1 sftp-password-1 dav-password-1 a-story; do
  ! grep -rlF "$each" "$data" --exclude-dir=objects >"$home/found" || die "a password is left in $(head -3 "$home/found")"
done
echo "ok: five kinds of storage, and no password is left"
