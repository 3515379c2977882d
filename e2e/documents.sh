# Functions that print manifests, for stories on a host and in a cluster. Source it. The objects are in $namespace, by default `default`.
secret() { printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: %s}\nstringData: {KOPIA_PASSWORD: %s}\n' "$1" "${namespace:-default}" "$2"; }
# repository NAME PATH [SECRET [CREATE [CLAIM]]]: a filesystem repository at PATH, on the claim if one is given.
repository() {
  cat <<YAML
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: $1, namespace: ${namespace:-default}}
spec:
  backend: {filesystem: {path: $2${5:+, pvcName: $5}}}
  encryption: {passwordSecretRef: {name: ${3:-password}}}
  create: {enabled: ${4:-true}}
YAML
}
# persistent_volume NAME FOLDER CLAIM NAMESPACE: a volume over a folder, reserved for that claim.
persistent_volume() {
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: $2}
  claimRef: {name: $3, namespace: $4}
YAML
}
# volume NAME FOLDER: a PersistentVolume over a folder, and its claim. PersistentVolumes are cluster-scoped, so their names contain
# $namespace.
volume() {
  local volume=${namespace:+$namespace-}$1
  persistent_volume "$volume" "$2" "$1" "${namespace:-default}"
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1, namespace: ${namespace:-default}}
spec: {accessModes: [ReadWriteOnce], volumeName: $volume, resources: {requests: {storage: 1Gi}}}
YAML
}
# empty_claim NAME: a claim for a Restore to fill.
empty_claim() { printf -- '---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: %s}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n' "$1" "${namespace:-default}"; }
# restore_of NAME BACKUP CLAIM: a Restore into an existing claim.
restore_of() { printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: %s, namespace: %s}\nspec: {source: {backupRef: {name: %s}}, target: {pvcRef: {name: %s}}}\n' "$1" "${namespace:-default}" "$2" "$3"; }
# restore_soon NAME POLICY [WHICH]: a Restore of the BackupConfig docs into a new claim called NAME; WHICH are more members of fromConfig.
restore_soon() { printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: %s, namespace: %s}\nspec: {source: {fromConfig: {name: docs%s}}, target: {pvc: {name: %s}}, policy: {%s}}\n' "$1" "${namespace:-default}" "${3:+, $3}" "$1" "$2"; }
# recipe NAME [REPOSITORY [CLAIM]]
recipe() {
  cat <<YAML
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupConfig
metadata: {name: $1, namespace: ${namespace:-default}}
spec:
  repository: {name: ${2:-main}}
  sources: [{pvc: {name: ${3:-source}}}]
YAML
}
# schedule NAME CRON [MORE]: for the BackupConfig docs; MORE is another member of spec.schedule. The cron is on line 8 of the output, MORE
# on line 9.
schedule() {
  cat <<YAML
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupSchedule
metadata: {name: $1, namespace: ${namespace:-default}}
spec:
  configRef: {name: docs}
  schedule:
    cron: "$2"
    ${3:-}
YAML
}
# backup_of CONFIG NAME [NAMESPACE]
backup_of() { printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Backup\nmetadata: {name: %s, namespace: %s}\nspec: {configRef: {name: %s}}\n' "$2" "${3:-${namespace:-default}}" "$1"; }
