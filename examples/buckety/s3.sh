# Functions for the scenarios of the driver s3; lib.sh sources it.
: "${CLIENT_IMAGE:=rclone/rclone:1}" "${STORE_CREDENTIALS:=object-stores}"

store_environment() {
  jq -n --arg secret "$STORE_CREDENTIALS" --arg endpoint "$(sed -n '/endpoint: /{s/.*endpoint: //p;q}' "$(configuration)")" '
    def from($name; $key): {name: $name, valueFrom: {secretKeyRef: {name: $secret, key: $key}}};
    [{name: "RCLONE_S3_PROVIDER", value: "Other"}, {name: "RCLONE_S3_ENDPOINT", value: $endpoint},
     from("RCLONE_S3_ACCESS_KEY_ID"; "ROOT_KEY"), from("RCLONE_S3_SECRET_ACCESS_KEY"; "ROOT_SECRET")]'
}
# store ARGS...: rclone on the store with the controller's credentials; `:s3:` is the store.
store() { in_pod "$CLIENT_IMAGE" "$(store_environment)" rclone --config= --retries=1 --s3-no-check-bucket "$@"; }
bucket_exists() { store lsf ":s3:$1"; }
