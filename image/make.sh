#!/usr/bin/env bash
# make.sh mover|services|executor|nats|nats-cli|rclone|kcat|kafka|etcd|openbao|pause FOLDER: prepares the root of that image at FOLDER/NAME/root and packs it as FOLDER/NAME.tar. `ctr images
# import`, `podman load` and `docker load` read that as kopiur-NAME:VERSION. No builder and no base image: our programs, the libraries that they link,
# and a few files. The same input gives the same bytes: names sorted, no times, no owners.
set -euo pipefail
export LC_ALL=C
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bin=${KOPIUR_BIN:-$here/../build/release/bin}
die() { echo "image/make.sh: $*" >&2; exit 1; }
[ $# = 2 ] || die "usage: make.sh mover|services|executor|nats|nats-cli|rclone|kcat|kafka|etcd|openbao|pause FOLDER"
name=$1 place=$2/$1 root=$2/$1/root
version=$(sed -nE 's/^project\(kopiur VERSION ([0-9.]+).*/\1/p' "$here/../CMakeLists.txt")

# add PROGRAM...: copies each program, and its shared libraries.
add() {
  local each
  for each in "$@"; do
    [ -x "$each" ] || die "${each:-a program} is not there. Build ours with: ./dev build; get the others with: ./dev setup"
    "${STRIP:-llvm-strip-19}" -o "$root/usr/bin/$(basename "$each")" "$each"
    add_libraries "$each"
  done
}
# add_libraries FILE: copies the shared libraries that it needs, to the paths where its loader looks.
add_libraries() {
  local library
  for library in $({ ldd "$1" 2>/dev/null | grep -oE '/[^ ]+'; } || true); do install -D "$library" "$root$library"; done  # none: a static program
}
# add_java: copies what runs Java's programs, to the path where it is here.
add_java() {
  local java each
  java=$(readlink -f "$(command -v java)") || die "there is no java. Install Java 17 or newer"
  java=${java%/bin/java}
  mkdir -p "$root$java"
  tar -C "$java" -chf - --ignore-failed-read --exclude=src.zip --exclude=ct.sym --exclude=classes_nocoops.jsa bin/java conf lib 2>/dev/null | tar -C "$root$java" -xf -
  for each in bin/java lib/server/libjvm.so lib/libzip.so lib/libnet.so lib/libnio.so; do add_libraries "$java/$each"; done
  ln -s "$java/bin/java" "$root/usr/bin/java"
}
# The layout of libraries as on Debian, the users, and the trusted authorities (OpenSSL looks in usr/lib/ssl, Go in etc/ssl).
base() {
  mkdir -p "$root"/{usr/{bin,lib/ssl,lib64,share},etc/ssl/certs,tmp}
  ln -s usr/lib "$root/lib" && ln -s usr/lib64 "$root/lib64"
  printf '%s\n' 'root:x:0:0::/:/sbin/nologin' 'kopiur:x:65532:65532::/tmp:/sbin/nologin' >"$root/etc/passwd"
  printf '%s\n' 'root:x:0:' 'kopiur:x:65532:' >"$root/etc/group"
  echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" || die "the package ca-certificates is not installed"
  ln -s /etc/ssl/certs/ca-certificates.crt "$root/usr/lib/ssl/cert.pem"
}
# packed TAR FOLDER NAME...: packs these names of FOLDER without times and owners.
packed() { tar -cf "$1" -C "$2" --format=ustar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner "${@:3}"; }
digest() { sha256sum "$1" | cut -d' ' -f1; }

rm -rf "$place" && mkdir -p "$root"
case $name in
  mover) base; add "$bin/kopiur-mover" "${KOPIUR_KOPIA:-$(command -v kopia)}" ;;
  services)
    base
    add "$bin"/kopiur "$bin"/kopiur-{catalog-discovery,gateway,maintenance-lease,mover-orchestration,provisioner,retention,scheduler,services}
    cp -a --no-preserve=ownership /usr/share/zoneinfo "$root/usr/share/"  # schedules name time zones
    install -Dm644 "$bin/../common/kafka/LICENSES.txt" "$root/usr/share/licenses/librdkafka/LICENSES.txt" ;;
  nats) base; add "${KOPIUR_NATS_SERVER:-$(command -v nats-server)}" ;;
  nats-cli) base; add "${KOPIUR_NATS_CLI:-$(command -v nats)}" ;;
  executor)
    base; add "$bin/kopiur-executor"
    ln -s usr/bin/kopiur-executor "$root/backup-executor" ;;  # as the image of OpenBao's operator has it
  rclone) base; add "$(command -v rclone)" ;;
  kcat) base; add "$(command -v kcat)" ;;  # for tests: a client of Kafka
  kafka)  # for tests: Kafka's tools, where the image apache/kafka has them
    [ -x "${KOPIUR_KAFKA:-}" ] || die "there is no Kafka at KOPIUR_KAFKA; ./dev part kafka installs it"
    base; add "$(command -v dash)"; add_java
    ln -s dash "$root/usr/bin/sh" && ln -s usr/bin "$root/bin"
    mkdir -p "$root/opt/kafka/bin" && cp -r "${KOPIUR_KAFKA%/*}"/{kafka,lib,log4j2.properties} "$root/opt/kafka"
    for each in topics configs get-offsets console-producer console-consumer; do
      printf '#!/bin/sh\nexec /opt/kafka/kafka %s "$@"\n' "$each" >"$root/opt/kafka/bin/kafka-$each.sh"
      chmod +x "$root/opt/kafka/bin/kafka-$each.sh"
    done ;;
  etcd) base; add "${KOPIUR_ETCD:?}" "${KOPIUR_ETCDCTL:?}" ;;  # as that of a control plane, for tests
  openbao) base; add "${KOPIUR_OPENBAO:?}" ;;  # for tests: a cluster of its pods
  pause) mkdir -p "$root/usr/bin"; "${CC:-clang-19}" -static -Os -s -o "$root/usr/bin/pause" "$here/pause.c" ;;
  *) die "there is no image $name" ;;
esac

cd "$place"
packed layer.tar root .
layer=$(digest layer.tar)
command='[]'; [ "$name" != pause ] || command='["/usr/bin/pause"]'
printf '{"architecture":"%s","os":"linux","created":"1970-01-01T00:00:00Z","config":{"User":"65532:65532","Env":["PATH=/usr/bin"],"Cmd":%s},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]}}' \
  "$(dpkg --print-architecture)" "$command" "$layer" >config.json
printf '[{"Config":"config.json","RepoTags":["kopiur-%s:%s"],"Layers":["layer.tar"]}]' "$name" "$version" >manifest.json
packed "../$name.tar" . config.json layer.tar manifest.json
rm layer.tar manifest.json
echo "kopiur-$name:$version  sha256:$(digest config.json)  $(($(stat -c %s "../$name.tar") / 1000000)) MB"
