#!/usr/bin/env bash
# An upgrade of buckety's drivers and back, with a real API server and a real store. An object of 0.1.0 is served by 0.1.1 as if nothing had happened; 1.0.0
# pauses it, its changes and its deletion, and touches neither bucket nor Secret; with 0.1.1 again all that has waited is done.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/buckety_stage.sh"
default=$program
program_with() { [ "$1" = 0.1.0 ] && echo "$default" || echo "$default-$1"; }
for each in 0.1.0 0.1.1 1.0.0; do
  [ "$("$(program_with "$each")" --version | tail -n +2)" = "driver kadm $each"$'\n'"driver s3 $each" ] || die "$each: --version says $("$(program_with "$each")" --version)"
done
echo "ok: --version has the version of each driver"

start_stage
running=
stop() {
  local code=0
  kill -TERM "$running" && wait "$running" || code=$?
  [ "$code" = 0 ] && running='' || die "SIGTERM: code $code"
}
# run VERSION NAME: a replica with drivers of this version takes the place of the one that runs; returns once it leads.
run() {
  [ -z "$running" ] || stop
  program=$(program_with "$1") && start "$2" 0 --enable-webhook=false
  running=$(cat "$home/$2.pid")
  await 30 "$2 leads, with drivers $1" leads "$2"
}
major_is() { [ "$(of "$1" driverMajor)" = "$2" ]; }
built_by() { [ "$(of "$1" driverBuildVersion)" = "$2" ]; }
versioning_of() { curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user root:hunter22 -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "http://127.0.0.1:$s3/$1?versioning="; }
is_versioned() { versioning_of "$1" | grep -q '<Status>Enabled</Status>'; }
# What a call that changes something would change: the buckets' folders, with their attributes (ctime), and the Secret.
traces() {
  (cd "$home/store" && find photos scratch doomed -printf '%p %s %C@\n' | sort)
  kube -n tenant get secret photos-bucket -o jsonpath='{.metadata.uid} {.metadata.resourceVersion}'
}

run 0.1.0 first
buckety photos 'retentionPolicy: Delete, defaultAccess: {credentialsSecretName: photos-bucket}' >>"$home/applied"
for each in scratch doomed; do buckety "$each" 'retentionPolicy: Delete' >>"$home/applied"; done
for each in photos scratch doomed; do
  await 60 "$each is Ready" condition_is "$each" Ready 'True EnsuredOnBackend'
  major_is "$each" 0 && built_by "$each" 0.1.0 || die "$each is stamped with $(of "$each" driverMajor), $(of "$each" driverBuildVersion)"
done
is_versioned photos && die "photos has versions from the start"
echo data >"$home/store/photos/file"
traces >"$home/traces"
since=$(condition photos Ready lastTransitionTime)

run 0.1.1 patched
for each in photos scratch doomed; do
  await 60 "$each was looked at by 0.1.1" built_by "$each" 0.1.1
  condition_is "$each" Ready 'True EnsuredOnBackend' && major_is "$each" 0 || die "a patch disturbs $each: $(condition "$each" Ready), $(of "$each" driverMajor)"
done
[ "$(condition photos Ready lastTransitionTime)" = "$since" ] || die "photos was not Ready in between"
[ -z "$(condition photos DriverVersionIncompatible)" ] || die "0.1.1 finds a version of 0.1.0 incompatible"
traces | cmp - "$home/traces" || die "0.1.1 has changed something"

stop
kube -n tenant delete buckety doomed --wait=false >>"$home/applied"
run 1.0.0 next_major
for each in photos scratch doomed; do
  await 60 "$each is paused" condition_is "$each" Ready 'False DriverVersionIncompatible'
  condition_is "$each" DriverVersionIncompatible 'True DriverMajorBump' && major_is "$each" 0 && built_by "$each" 0.1.1 ||
    die "$each: $(condition "$each" DriverVersionIncompatible), $(of "$each" driverMajor), $(of "$each" driverBuildVersion)"
done
condition doomed Ready message | grep -q '^deletion blocked: ' || die "doomed says: $(condition doomed Ready message)"
told() { kube -n tenant get events --field-selector reason=DriverVersionIncompatible,type=Warning -o name | grep event; }
await 30 "an Event says so" told
kube -n tenant patch buckety photos --type=merge -p '{"spec": {"parameters": {"versioning": "true"}}}' >>"$home/applied"
kube -n tenant delete buckety scratch --wait=false >>"$home/applied"
buckety marker 'retentionPolicy: Delete' >>"$home/applied"  # when it is Ready, the earlier changes have been looked at
await 60 "a new object is served by 1.0.0" condition_is marker Ready 'True EnsuredOnBackend'
major_is marker 1 || die "a new object is stamped with $(of marker driverMajor)"
for each in photos scratch doomed; do
  condition_is "$each" Ready 'False DriverVersionIncompatible' && major_is "$each" 0 || die "$each: $(condition "$each" Ready), $(of "$each" driverMajor)"
done
[ "$(of photos observedGeneration)" = 1 ] || die "the change of photos counts as observed: $(of photos observedGeneration)"
is_versioned photos && die "1.0.0 has changed a bucket of 0.1"
traces | cmp - "$home/traces" || die "1.0.0 has changed something"
echo "ok: another major version changes nothing, and deletes nothing"

run 0.1.1 back
await 60 "photos is served again" condition_is photos DriverVersionIncompatible 'False Resolved'
applied() { condition_is photos Ready 'True EnsuredOnBackend' && [ "$(of photos observedGeneration)" = 2 ]; }
await 60 "its change is applied" applied
is_versioned photos || die "it is not: $(versioning_of photos)"
major_is photos 0 && built_by photos 0.1.1 || die "photos is stamped with $(of photos driverMajor), $(of photos driverBuildVersion)"
[ "$(cat "$home/store/photos/file")" = data ] || die "photos has lost its content"
for each in scratch doomed; do
  await 60 "the deletion of $each ends" gone "$each"
  [ ! -e "$home/store/$each" ] || die "the bucket of $each is left"
done
await 60 "what 1.0.0 has made is paused" condition_is marker DriverVersionIncompatible 'True DriverMajorBump'
[ -d "$home/store/marker" ] && major_is marker 1 || die "0.1.1 has touched what 1.0.0 has made"
echo "ok: with the former major version everything goes on"
