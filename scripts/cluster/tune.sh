#!/usr/bin/env bash
# Tunes the parameters of an engine as one job of HyperQueue, with a task for each part of the
# games. The steps started ahead form a batch; the next batch waits for it. With node limits the
# values are those of one process of `manoury tune`. Prints the result. Run it again to resume a
# failed job, or to wait for a running one.
#
#   scripts/cluster/tune.sh DIR PARTS ARGUMENT .. [-- OPTION ..]
#
# The arguments are those of `manoury tune`, but not --log. DIR, for the logs and the job file, must
# be the same on all machines, and so must the engine. A part plays one game at a time. The options
# are those of scripts/cluster/submit.py, such as --local 2. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/cluster/tune.sh DIR PARTS ARGUMENT .. [-- OPTION ..]"
dir=$(realpath -m "${1:?"$usage"}") parts=${2:?"$usage"}
shift 2
. "$(dirname "$0")/job.sh"
split "$@"

# number NAME DEFAULT: the number of an argument
number() {
  local value=$2 index
  for index in "${!arguments[@]}"; do
    case ${arguments[index]} in
      "$1") value=${arguments[index + 1]} ;;
      "$1="*) value=${arguments[index]#*=} ;;
    esac
  done
  echo "$value"
}

job() {
  local batch part
  echo "name = $(strings "tune $dir")"
  for batch in $(seq $(((steps + ahead - 1) / ahead))); do
    for part in $(seq "$parts"); do
      task "$dir/$part.txt" 1 \
        "$manoury" tune "${arguments[@]}" --part "$part/$parts" --log "$dir/$part.log" --join "${logs[@]}"
    done
    next_step
  done
}

mapfile -t logs < <(seq -f "$dir/%.0f.log" "$parts")
mkdir -p "$dir"
# Prints the result if it is complete; the program reports faulty arguments.
report=("$manoury" tune "${arguments[@]}" --join "${logs[@]}")
code=0
"${report[@]}" > "$dir/report.txt" 2> "$dir/report.err" || code=$?
if [ "$code" -gt 1 ]; then cat "$dir/report.err" >&2; exit "$code"; fi
if [ "$code" = 0 ]; then cat "$dir/report.txt"; exit; fi

pairs=$(number --pairs 1) ahead=$(number --ahead 16)
steps=$(number --steps $(($(number --games 0) / (2 * pairs))))
job > "$dir/tune.toml"
submit "$dir/tune.toml" "${options[@]}"
"${report[@]}"
