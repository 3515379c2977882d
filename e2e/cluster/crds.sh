#!/usr/bin/env bash
# A real API server accepts our CRDs, with every schema structural. It accepts every good manifest of proto's corpus and every example,
# field by field, including status. It refuses every bad one, except those that only our own check can refuse (beyond_crds.txt).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
start_api
apply_crds
kube get crd -o json >"$home/crds.json"
odd=$(jq -r '.items[]|select(any(.status.conditions[]; .type=="NonStructuralSchema" or (.type=="NamesAccepted" and .status!="True")))|.metadata.name' "$home/crds.json")
[ -z "$odd" ] || die "the API server finds fault with $odd"
echo "ok: every schema is structural, every name accepted"

good=("$root"/proto/test/good/*.yaml $(find "$root/examples" -name '*.yaml' ! -name kustomization.yaml ! -path '*/overlays/*' ! -path '*/buckety/*/consumer*')) bad=("$root"/proto/test/bad/*.yaml)
grep -ohE '^  namespace: [a-z0-9-]+|namespace: [a-z0-9-]+\}' "${good[@]}" "${bad[@]}" | grep -oE '[a-z0-9-]+\}?$' | tr -d '}' | sort -u |
  jq -Rc '{apiVersion: "v1", kind: "Namespace", metadata: {name: .}}' | kube apply --server-side -f - >"$home/namespaces"
kube api-resources --no-headers | awk '{print $NF, $(NF-2), $(NF-1), $1}' >"$home/resources"
# at_of API_VERSION KIND [NAMESPACE]: the API path of objects of a kind.
at_of() {
  local of=api namespaced plural
  read -r namespaced plural < <(awk -v version="$1" -v kind="$2" '$1 == kind && $2 == version {print $3, $4}' "$home/resources") ||
    { echo "no matches for kind $2 of $1"; return 1; }
  [ "$namespaced" = false ] || plural=namespaces/${3:-default}/$plural
  case $1 in */*) of=apis ;; esac
  echo "$of/$1/$plural"
}
# ask METHOD PATH TYPE: sends standard input with strict field validation, and prints the answer. (A kubectl for each would take a minute.)
ask() {
  local code
  code=$(curl -sS -o "$home/said" -w '%{http_code}' --cacert "$home/ca.crt" --cert "$home/admin.crt" --key "$home/admin.key" -X "$1" -H "Content-Type: $3" \
    --data-binary @- "$url/$2&fieldManager=test&fieldValidation=Strict") || die "the API server did not answer"
  jq -r 'if .kind == "Status" then .message else .metadata.name end' "$home/said"
  [ "${code:0:1}" = 2 ]
}
# apply PATH: server-side apply.
apply() { ask PATCH "$1?force=true" application/apply-patch+yaml; }
# Before anything is stored: an update may be refused for another reason.
taken=() elsewhere=''
for file in "${bad[@]}"; do
  if said=$(at_of "$(sed -n 's/^apiVersion: //p' "$file")" "$(sed -n 's/^kind: //p' "$file")" media) && said=$(ask POST "$said?dryRun=All" application/yaml <"$file"); then
    taken+=("$(basename "$file" .yaml)")
  elif ! grep -q '^status:' "$file"; then  # (a status is written later) the refusal names the expected field, or the object around it
    field=$(head -1 "$file" | sed -E 's/^# refused: ([^ ]*) \|.*/\1/; s/(\[[0-9]+\])+$//') holder=${field%.*}
    grep -qF -e "${field##*.}" -e "$holder:" -e "${holder##*.} of" -e 'no matches for kind' <<<"$said" || elsewhere+="$(basename "$file"), for $field: $said"$'\n'
  fi
done
[ -z "$elsewhere" ] || die "refused, but for something else: $elsewhere"
diff <(printf '%s\n' "${taken[@]}" | sort) <(grep -v '^#' "$(dirname "$0")/beyond_crds.txt" | sort) >"$home/difference" ||
  die "bad manifests that the API server takes (<), and those of which that is known (>) differ: $(grep '^[<>]' "$home/difference" | tr '\n' ' ')"
echo "ok: $((${#bad[@]} - ${#taken[@]})) bad manifests are refused by the schema alone, ${#taken[@]} by our own checks"

# take DOCUMENT: writes it in the order of its writers: a discovered Backup exists and has a status before a user adds a spec.
take() {
  local version kind ns name at
  IFS='|' read -r version kind ns name < <(jq -r '[.apiVersion, .kind, .metadata.namespace, .metadata.name] | join("|")' <<<"$1")
  at=$(at_of "$version" "$kind" "$ns") || { echo "$at"; return 1; }
  [ -n "$name" ] || { ask POST "$at?" application/json <<<"$1"; return; }
  jq 'if .status.origin == "discovered" then del(.spec) else . end' <<<"$1" | apply "$at/$name" || return
  if jq -e '.status and (.apiVersion | test("^(kopiur|hypershift|openbao)"))' >/dev/null <<<"$1"; then apply "$at/$name/status" <<<"$1" && apply "$at/$name" <<<"$1"; fi
}
kube create --dry-run=client -o json "${good[@]/#/--filename=}" >"$home/documents" || die "these good manifests cannot be read"
count=0
while IFS= read -r document; do
  said=$(take "$document") || die "this is good, and was refused: $said: $document"
  count=$((count + 1))
done < <(jq -c 'if .kind == "List" then .items[] else . end' "$home/documents")
echo "ok: $count good objects of ${#good[@]} files are taken, field by field, with their statuses"
