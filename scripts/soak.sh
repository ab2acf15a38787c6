#!/usr/bin/env bash
# Plays many games between two processes of the program, to check that it does not crash, play
# illegal moves, lose on time or leak memory:
#
# - 10,000 games at 1,000 nodes a move;
# - 1,000 games at 1 second + 0.01 a move, two threads each, while other programs keep all cores
#   busy.
#
#   scripts/soak.sh DIR
#
# DIR receives the logs, and the memory use of each process every ten seconds. After an
# interruption, run it again to continue. The first part takes minutes, the second one to two hours.
# Exit code 1 if there was a fault.
set -euo pipefail

dir=${1:?"usage: scripts/soak.sh DIR"}
manoury=${MANOURY:-target/release/manoury}
mkdir -p "$dir"

# Columns: seconds, process, kilobytes.
watch() {
  while sleep 10; do
    ps -eo pid=,rss=,args= | awk -v now="$SECONDS" -v name="$manoury hub" \
      'index($0, name) && !/awk/ && !/ match / {print now "\t" $1 "\t" $2}' >> "$dir/$1.memory" || true
  done
}

play() {
  local name=$1
  shift
  watch "$name" & local watcher=$!
  "$manoury" match --concurrency 1 --openings 4-ply --log "$dir/$name.log" "$@" \
    --engine "$manoury hub,name=One,param.tt-size=16${threads:+,param.threads=$threads}" --engine "$manoury hub,name=Two,param.tt-size=16${threads:+,param.threads=$threads}" \
    | tee "$dir/$name.txt" | tail -8 || faults=1
  kill "$watcher"
  awk '{if ($3 > most[$2]) most[$2] = $3; if (!($2 in first)) first[$2] = $3; last[$2] = $3}
    END {for (p in most) print "process " p ": kB at first " first[p] ", at last " last[p] ", most " most[p]}' \
    "$dir/$name.memory"
}

faults=0
threads=
play nodes --games 10000 --nodes 1000
busy=()
for _ in $(seq "$(getconf _NPROCESSORS_ONLN)"); do
  sh -c 'while :; do :; done' & busy+=($!)
done
trap 'kill "${busy[@]}" 2>/dev/null' EXIT
threads=2
play time --games 1000 --time 1 --inc 0.01
exit "$faults"
