# The requests of a cluster's API, and the memory of the services, for benches. Source it after e2e/cluster/services.sh.
load() { "$bin/$loader" "$home/admin.kubeconfig" "$@" | tee -a "$home/loads"; }
# counted: the API server's requests that change something, and GET, as `VERB RESOURCE[/SUBRESOURCE] COUNT`, from its own metrics.
counted() {
  kube get --raw /metrics | sed -nE '/^apiserver_request_total\{.*verb="(GET|POST|PUT|PATCH|APPLY|DELETE)"/{s/.*resource="([^"]*)".*subresource="([^"]*)".*verb="([^"]*)".* ([0-9.e+]+)$/\3 \1\/\2 \4/;p}' |
    awk '{sub(/\/$/, "", $2); sum[$1 " " $2] += $3} END {for (each in sum) print each, sum[each]}' | sort
}
# since FILE N APART: the requests since FILE, divided by N, apart from those of the resources that match.
since() { counted | awk -v n="$2" -v apart="^($3)$" 'NR == FNR {was[$1 " " $2] = $3; next} {d = $3 - was[$1 " " $2]} d > 0 && $2 !~ apart {printf "%s %s %.2f\n", $1, $2, d / n}' "$1" -; }
# of VERBS RESOURCE: the rounded number of those requests in $home/each, an output of `since`.
of() { awk -v verbs="$1" -v what="$2" '$1 ~ "^(" verbs ")$" && $2 == what {sum += $3} END {printf "%d", sum + 0.5}' "$home/each"; }
memory() { for each in "${services[@]}"; do awk -v who="$each" '/^VmRSS/ {printf "%s %.1f\n", who, $2 / 1024}' "/proc/$(cat "$home/$each-1.pid")/status"; done | awk '{sum += $2; text = text " " $1 " " $2} END {printf "%.1f MiB:%s\n", sum, text}'; }
# used: the processor time of each part so far, in ms: the API server, its etcd, the bus, our services.
used() {
  local each part
  for part in "apiserver:$(cat "$home/apiserver.pid")" "etcd:$(cat "$home/etcd.pid")" "bus:$bus" "services:$(for each in "${services[@]}"; do cat "$home/$each-1.pid"; done | tr '\n' ' ')"; do
    for each in ${part#*:}; do awk -v who="${part%%:*}" '{sub(/.*\) /, ""); print who, ($12 + $13) * 10}' "/proc/$each/stat"; done
  done | awk '{sum[$1] += $2} END {for (each in sum) print each, sum[each]}' | sort
}
# used_since FILE N: the processor time of each part since FILE, divided by N.
used_since() { used | awk -v n="$2" 'NR == FNR {was[$1] = $2; next} {text = text sprintf(" %s %.1f", $1, ($2 - was[$1]) / n)} END {print text}' "$1" -; }
# stop_services: ends them as a cluster does.
stop_services() { local each; for each in "${services[@]}"; do kill -TERM "$(cat "$home/$each-1.pid")" && wait "$(cat "$home/$each-1.pid")" || true; done; }
# keep_apart: with KOPIUR_BENCH_APART=yes the API server and its etcd get the first core, and all that this script starts the second.
keep_apart() {
  [ -n "${KOPIUR_BENCH_APART:-}" ] || return 0
  taskset -pc 1 $$ >"$home/cores"
  for each in apiserver etcd; do taskset -apc 0 "$(cat "$home/$each.pid")" >>"$home/cores"; done
}
