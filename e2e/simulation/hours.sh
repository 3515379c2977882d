#!/usr/bin/env bash
# hours.sh PROGRAM SEED BATCHES: batches of 60 stories of 6 simulated hours, from SEED on, each without a violation and with something of
# everything. A story depends on the program with its libraries and on the seed, on nothing else. So a batch that this very program has been
# through is not run again: it would do the same. After KOPIUR_SIMULATION_MINUTES (15) no new batch is begun, and the next run goes on there.
set -Eeuo pipefail
# Takes a tenth off the time: malloc keeps more of what was freed at hand, in large pages, and gives nothing back.
export GLIBC_TUNABLES=glibc.malloc.tcache_count=4000:glibc.malloc.hugetlb=1:glibc.malloc.trim_threshold=1000000000:glibc.malloc.top_pad=67108864
program=$1 seed=$2 batches=$3
stamps=${XDG_CACHE_HOME:-$HOME/.cache}/kopiur/simulated
this=$({ cat "$program"; ldd "$program" | grep -oE '/[^ ]+' | sort | xargs cat; } | sha256sum | cut -c1-20)
mkdir -p "$stamps"
find "$stamps" -type f -mtime +30 -delete
now=0 before=0 left=0 done=()
for ((batch = 0; batch < batches; batch++, seed += 60)); do
  stamp=$stamps/$this-$seed
  if [ -e "$stamp" ]; then before=$((before + 360)) done+=("$stamp"); continue; fi
  if [ $SECONDS -ge $((60 * ${KOPIUR_SIMULATION_MINUTES:-15})) ]; then left=$((left + 360)); continue; fi
  nice -n 10 "$program" --hours 6 --runs 60 --seed "$seed" --demand >"$stamp.$$" 2>&1 || { cat "$stamp.$$"; rm "$stamp.$$"; exit 1; }
  mv "$stamp.$$" "$stamp" && done+=("$stamp")
  now=$((now + 360))
done
# What comes too seldom for one batch has to come in a thousand hours: three of them.
if [ ${#done[@]} -ge 3 ]; then
  "$program" --seldom | while read -r what; do
    grep -qF "  $what " "${done[@]}" || { echo "\"$what\" never came in ${#done[@]} batches, so nothing was shown about it."; exit 1; }
  done
fi
echo "simulated hours without a violation: $now now, $before before by this very program ($stamps/$this-*); $left were not begun in time"
