#!/usr/bin/env bash
# Plays a match or a sequential test as one job of HyperQueue, with a task for each part. Reports at
# the end, or as soon as the test decides; parts that have not started are then left out. Run it
# again to resume a failed job, or to wait for a running one.
#
#   scripts/cluster/match.sh DIR PARTS ARGUMENT .. [-- OPTION ..]
#
# The arguments are those of `manoury match`, but not --log. DIR, for the logs and the job file, must
# be the same on all machines, and so must the engines. A part plays one game at a time, with one
# core for both engines: they think in turn, unless they ponder. The options are those of
# scripts/cluster/submit.py, such as --local 2. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/cluster/match.sh DIR PARTS ARGUMENT .. [-- OPTION ..]"
dir=$(realpath -m "${1:?"$usage"}") parts=${2:?"$usage"}
shift 2
. "$(dirname "$0")/job.sh"
split "$@"

job() {
  local part
  echo "name = $(strings "match $dir")"
  for part in $(seq "$parts"); do
    task "$dir/$part.txt" 1 sh -c 'test -e "$0" || exec "$@"' "$dir/decided" \
      "$manoury" match "${arguments[@]}" --part "$part/$parts" --log "$dir/$part.log"
  done
}

mkdir -p "$dir"
job > "$dir/match.toml"
submit "$dir/match.toml" "${options[@]}" & submitted=$!
"$manoury" match "${arguments[@]}" --join $(seq -f "$dir/%.0f.log" "$parts") --follow & follower=$!
trap 'kill "$submitted" "$follower" 2>/dev/null || true' EXIT
code=0
wait -n || code=$?
if [ "$code" -le 1 ] && kill -0 "$submitted" 2>/dev/null; then
  touch "$dir/decided"
fi
wait "$submitted"
wait "$follower"
