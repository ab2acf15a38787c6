#!/usr/bin/env bash
# Tests a job of one kind on an unreliable cluster: two machines work on it, one of them dies in the
# middle of a task, then the server does. The results must be those of an undisturbed run. The
# machines are network namespaces of this one, with the same folders, so it needs root, `ip`, and
# the program `hq` (HQ).
#
#   scripts/cluster/trial.sh bitbase|learn|match|tune|book DIR
#
# DIR receives all files; those of an earlier trial are deleted. MANOURY is the program. The last
# line is `tasks=N lost=N again=N same=N seconds=S`: tasks of the job, workers that the server has
# lost, tasks that started more than once, results that are the same, seconds until the job has ended.
set -euo pipefail

# In place of ssh: runs a command on a host.
if [ "${1-}" = --ssh ]; then exec ip netns exec "$2" sh -c "$3"; fi

usage="usage: scripts/cluster/trial.sh bitbase|learn|match|tune|book DIR"
cluster=$(realpath "$(dirname "$0")")
kind=$cluster/trial/${1:?"$usage"}.sh
[ -f "$kind" ] || { echo "$usage" >&2 && exit 2; }
mkdir -p "${2:?"$usage"}"
dir=$(realpath "$2")
MANOURY=$(realpath "${MANOURY:-target/release/manoury}")
HQ=$(realpath "$(command -v "${HQ:-hq}")")
export MANOURY HQ HQ_SERVER_DIR=$dir/server PATH=${HQ%/*}:$PATH
. "$cluster/trial/hosts.sh"

# What each kind of jobs has: `events`, in each of which a worker or the server dies once so many
# tasks are finished and another has been running for so many seconds, and
#   job         submits the job, or waits for the one that is there; its output is in job.txt
#   alone       does the same undisturbed; its output is in alone.txt
#   compare     ends with an error where the results differ, and prints how many there are
. "$kind"

# The games in the logs of a match, in its order, a line each, without their times
games() {
  grep -h '"moves"' "$@" | while read -r game; do
    grep -oE '"(pair|game)":[0-9]+|"winner":[a-z"]+|"move":"[^"]+"' <<<"$game" | tr '\n' ' '
    echo
  done | sort -V
}

worker_dies() {
  kill_host "$host"
  echo "$(finished) of $tasks tasks done: $host has died with task $task"
  worker "$host"
}

# The command that submitted the job keeps waiting, and so does the same command started again.
server_dies() {
  kill -9 "$server"
  echo "$finished of $tasks tasks done: the server has died, while $host had task $task"
  wait "$server" 2>/dev/null || true
  sleep 2
  server
  echo "$(finished) of $tasks tasks are known to the new server"
  for host in "${hosts[@]}"; do worker "$host"; done
  job > again.txt 2> again.log & again=$!
}

clean
trap clean EXIT
cd "$dir"
rm -rf server journal job* alone* again* ./*.log
network
server
for host in "${hosts[@]}"; do worker "$host"; done
start=$(date +%s) interrupted=()
job > job.txt 2> job.log & first=$!
for event in "${events[@]}"; do
  read -r what number seconds <<< "$event"
  until_running "$number" "$seconds"
  "${what}_dies"
  interrupted+=("$task")
done
wait "$first"
seconds=$(($(date +%s) - start))
wait "$again"

# All events have interrupted their tasks, and nothing was submitted twice.
started_again
again=$(started_again | wc -l) lost=$(told worker-lost | wc -l)
for task in "${interrupted[@]}"; do started_again | grep "^task $task:" >/dev/null; done
[ "$(hq --output-mode quiet job list --all)" = "1 FINISHED" ]
alone > alone.txt 2> alone.log
same=$(compare)
echo "tasks=$tasks lost=$lost again=$again same=$same seconds=$seconds"
