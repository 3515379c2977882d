#!/usr/bin/env bash
# A real API server takes our CRDs, with every schema structural; it takes every good manifest of proto's corpus and every example, field by field, status
# included; and it refuses every bad one, but for those that only a check of ours can refuse (beyond_crds.txt), which it takes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
start_api
apply_crds
kube get crd -o json >"$home/crds.json"
odd=$(jq -r '.items[]|select(any(.status.conditions[]; .type=="NonStructuralSchema" or (.type=="NamesAccepted" and .status!="True")))|.metadata.name' "$home/crds.json")
[ -z "$odd" ] || die "the API server finds fault with $odd"
echo "ok: every schema is structural, every name accepted"

good=("$root"/proto/test/good/*.yaml $(find "$root/examples" -name '*.yaml')) bad=("$root"/proto/test/bad/*.yaml)
for ns in $(grep -ohE '^  namespace: [a-z0-9-]+|namespace: [a-z0-9-]+\}' "${good[@]}" "${bad[@]}" | grep -oE '[a-z0-9-]+\}?$' | tr -d '}' | sort -u); do
  kube create namespace "$ns" >/dev/null 2>&1 || kube get namespace "$ns" >/dev/null
done
apply() { kube apply --server-side --force-conflicts --validate=strict "$@" -f - 2>&1; }
# Before anything is stored: a change of an object may be refused for another reason.
taken=() elsewhere=''
for file in "${bad[@]}"; do
  if said=$(apply --dry-run=server <"$file"); then
    taken+=("$(basename "$file" .yaml)")
  elif ! grep -q '^status:' "$file"; then  # (a status comes later) at the field that its first line names, or at the object that should hold it
    field=$(head -1 "$file" | sed -E 's/^# refused: ([^ ]*) \|.*/\1/; s/(\[[0-9]+\])+$//')
    grep -qF -e "${field##*.}" -e "${field%.*}:" -e "${field%.*} of" -e 'no matches for kind' <<<"$said" || elsewhere+="$(basename "$file"), for $field: $said"$'\n'
  fi
done
[ -z "$elsewhere" ] || die "refused, but for something else: $elsewhere"
diff <(printf '%s\n' "${taken[@]}" | sort) <(grep -v '^#' "$(dirname "$0")/beyond_crds.txt" | sort) >"$home/difference" ||
  die "bad manifests that the API server takes (<), and those of which that is known (>) differ: $(grep '^[<>]' "$home/difference" | tr '\n' ' ')"
echo "ok: $((${#bad[@]} - ${#taken[@]})) bad manifests are refused by the schema alone, ${#taken[@]} by our own checks"

# take DOCUMENT: as its writers bring it about: what was discovered is there, and is told so, before a user gives it a spec.
take() {
  if jq -e '.metadata.generateName' >/dev/null <<<"$1"; then kube create --validate=strict -f - <<<"$1" 2>&1; return; fi
  jq 'if .status.origin == "discovered" then del(.spec) else . end' <<<"$1" | apply || return
  if jq -e '.status and (.apiVersion | startswith("kopiur"))' >/dev/null <<<"$1"; then apply --subresource=status <<<"$1" && apply <<<"$1"; fi
}
count=0
for file in "${good[@]}"; do
  kube create --dry-run=client -o json -f "$file" >"$home/documents" || die "${file#"$root"/} cannot be read"
  while IFS= read -r document; do
    said=$(take "$document") || die "${file#"$root"/} is good, and was refused: $said"
    count=$((count + 1))
  done < <(jq -c 'if .kind == "List" then .items[] else . end' "$home/documents")
done
echo "ok: $count good objects of ${#good[@]} files are taken, field by field, with their statuses"
