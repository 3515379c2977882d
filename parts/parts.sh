# The real programs: their paths, and how to build them. Sourced by ./dev, which defines $cache, die, say and jobs.
kubernetes_programs=(kube-apiserver kube-controller-manager kube-scheduler kubelet)  # all in one: parts/kubernetes/main.go

part_names() { grep -v '^#' parts/list | awk '{print $1}'; }
# on_path NAME FLOOR [CEILING]: the program on PATH if its version is at least FLOOR, and at most CEILING.
on_path() {
  local found version
  found=$(command -v "$1") || return 1
  version=$("$found" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
  [ -n "$version" ] && [ "$(printf '%s\n%s\n' "$2" "$version" "${3:-$version}" | sort -V | sed -n 2p)" = "$version" ] && printf '%s\n' "$found"
}
# part_row NAME: reads its row of parts/list into $variable, $folder, $program, $package and $flags.
part_row() {
  read -r _ variable folder program package flags < <(awk -v name="$1" '$1 == name' parts/list)
  [ -n "${package:-}" ] || die "There is no part $1. There are: $(part_names | paste -sd' ')."
}
# link_values FOLDER: values that the linker sets in its programs. Without them Kubernetes reports v0.0.0, and version checks fail.
link_values() { [ ! -e "parts/$1/link" ] || cat "parts/$1/link"; }
# part_path NAME: the program's path, whether it is built or not. A program on PATH is used if we have tested its version.
part_path() {
  local variable folder program package flags key tool
  case $1 in
    nats-server) on_path nats-server 2.11.0 && return ;;
    kopia) on_path kopia 0.23.1 0.23.1 && return ;;
  esac
  part_row "$1"
  if tool=$(tool_of "$package"); then
    printf '%s\n' "$cache/parts/$(cat "parts/$folder"/* <("$tool" --version 2>/dev/null) | sha256sum | cut -c1-20)/$program"
    return
  fi
  command -v go >/dev/null || die "$program is not on PATH in a version that we have tested, and Go is not there to build it. Install Go 1.26 or newer, or $program itself (parts/README.md names the versions)."
  : "${go_version:=$(go version)}"
  key=$({ cat "parts/$folder"/go.{mod,sum} $(find "parts/$folder" -name '*.go' | LC_ALL=C sort); link_values "$folder"; echo "$package $flags $go_version"; } | sha256sum | cut -c1-20)
  printf '%s\n' "$cache/parts/$key/$program"
}
# part NAME: builds it unless it exists, and prints its path. Concurrent callers wait for the build.
part() {
  local variable folder program package flags out
  [ "$1" != librdkafka ] || { librdkafka; return; }
  out=$(part_path "$1")
  [ ! -x "$out" ] || { printf '%s\n' "$out"; return; }
  part_row "$1"
  mkdir -p "${out%/*}"
  (
    flock 9
    [ ! -x "$out" ] || exit 0
    say "building $1 (once)"
    ! tool_of "$package" >/dev/null || { install_part "$1" "$folder" "$package" "$out"; exit 0; }
    # shellcheck disable=SC2086  # flags are words
    (cd "parts/$folder" && GOTOOLCHAIN=local CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false -gcflags=all=-dwarf=false' go build -mod=readonly $flags -ldflags "-s -w $(cat link 2>/dev/null)" -o "$out.new" "$package") >"${out%/*}/log" 2>&1 ||
      { tail -20 "${out%/*}/log" >&2; die "$1 could not be built from its Go module (parts/$folder). The whole output: ${out%/*}/log"; }
    [ "$1" != kubernetes ] || for each in "${kubernetes_programs[@]}"; do ln -sf kubernetes "${out%/*}/$each"; done
    mv "$out.new" "$out"
  ) 9>"${out%/*}/lock"
  printf '%s\n' "$out"
}
# tool_of PACKAGE: the program that runs a part which is not from Go; fails for one from Go. lacks NAME: prints what is missing to install and run the part.
tool_of() { case $1 in npm) echo node ;; maven) echo java ;; *) return 1 ;; esac; }
lacks() {
  local variable folder program package flags tool
  part_row "$1"
  tool=$(tool_of "$package") || return 1
  for tool in "$tool" "${package/maven/mvn}"; do command -v "$tool" >/dev/null || { printf '%s\n' "$tool"; return; }; done
  return 1
}
# install_part NAME FOLDER PACKAGE PROGRAM: installs the packages that the folder pins, and makes the program that starts them.
install_part() {
  local home=${4%/*} missing
  ! missing=$(lacks "$1") || die "$1 cannot be installed: there is no $missing. Install Node.js 20 or newer with npm (for azurite), Java 17 or newer with Maven (for kafka)."
  cp "parts/$2"/* "$home"
  (cd "$home" && "${3}_packages" "$4.new") >"$home/log" 2>&1 ||
    { tail -20 "$home/log" >&2; die "$1 could not be installed from its packages (parts/$2). The whole output: $home/log"; }
  chmod +x "$4.new" && mv "$4.new" "$4"
}
npm_packages() {
  npm ci --ignore-scripts --no-audit --no-fund &&
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$(command -v node)" "$PWD/node_modules/azurite/dist/src/blob/main.js" >"$1"
}
maven_packages() { mvn -B -q dependency:copy-dependencies && sha256sum --quiet -c sums && cp launcher "$1"; }
# librdkafka: prints the path of an object file with the whole library and all that it bundles; the header, and the licenses, are beside it. Of its global
# names only rd_kafka_* stay: its OpenSSL must not take the place of the one that the rest of a program uses. (The words for the processor's abilities
# have no place in the file yet, so they cannot be local. Debian's OpenSSL does not export its own.)
librdkafka() {
  local module out
  command -v go >/dev/null || die "Go is not there, with which librdkafka comes. Install Go 1.26 or newer."
  out=$cache/parts/$({ cat parts/librdkafka/go.{mod,sum}; declare -f librdkafka; } | sha256sum | cut -c1-20)/librdkafka.o
  if [ ! -e "$out" ]; then
    mkdir -p "${out%/*}"
    (
      flock 9
      [ ! -e "$out" ] || exit 0
      module=$(cd parts/librdkafka && GOTOOLCHAIN=local go mod download -json github.com/confluentinc/confluent-kafka-go/v2 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/kafka/librdkafka_vendor
      [ -e "$module/rdkafka.h" ] || die "Go could not download the module of librdkafka, which parts/librdkafka pins."
      cp "$module"/{rdkafka.h,LICENSES.txt} "${out%/*}"
      ld.lld-19 -r --whole-archive "$module/librdkafka_glibc_linux_$(dpkg --print-architecture).a" -o "$out.new"
      llvm-objcopy-19 --wildcard --keep-global-symbol='rd_kafka_*' --keep-global-symbol='OPENSSL_*cap_P' --strip-debug "$out.new"
      mv "$out.new" "$out"
    ) 9>"${out%/*}/lock"
  fi
  printf '%s\n' "$out"
}
# unpacked PACKAGE PROGRAM: prints the path of a program of a Debian package that is unpacked, not installed: no service of it starts.
unpacked() {
  local folder=$cache/parts/debian-$1
  if [ ! -x "$folder/$2" ]; then
    mkdir -p "$folder"
    (cd "$folder" && apt-get download -qq -o APT::Sandbox::User=root "$1" >/dev/null && dpkg -x "$1"_*.deb .) || die "Debian's package $1 could not be downloaded; tests need its $2."
  fi
  printf '%s\n' "$folder/$2"
}
# export_parts [NAME...]: exports the variables that name the programs, built or not.
export_parts() {
  local variable folder program package flags name path each
  for name in "${@:-$(part_names)}"; do
    for each in $name; do
      part_row "$each"
      path=$(part_path "$each")
      export "$variable=$path"
    done
  done
  [ -z "${KOPIUR_KUBERNETES:-}" ] || for each in "${kubernetes_programs[@]}"; do
    variable=KOPIUR_${each^^}
    export "${variable//-/_}=${KOPIUR_KUBERNETES%/*}/$each"
  done
}
# Debian's programs, and the CRDs of snapshots, which are in a Go module.
export_unpacked() {
  KOPIUR_OLD_NATS_SERVER=$(unpacked nats-server usr/sbin/nats-server)  # 2.9: below our minimum, only to prove that it is refused
  KOPIUR_CONTAINERD=$(unpacked containerd usr/bin/containerd)          # ctr and the shim are in the same folder
  KOPIUR_RUNC=$(unpacked runc usr/sbin/runc)
  KOPIUR_SNAPSHOT_CRDS=$(cd parts/kubernetes && GOTOOLCHAIN=local go mod download -json github.com/kubernetes-csi/external-snapshotter/client/v8 | jq -r .Dir)/config/crd ||
    die "The CRDs of snapshots are not to be had: Go could not download the module of external-snapshotter's client that parts/kubernetes pins."
  export KOPIUR_OLD_NATS_SERVER KOPIUR_CONTAINERD KOPIUR_RUNC KOPIUR_SNAPSHOT_CRDS
}
