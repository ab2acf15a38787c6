# Writing job files of HyperQueue: https://it4innovations.github.io/hyperqueue/stable/jobs/jobfile/

# The folder `scripts`, and the program.
scripts=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
manoury=${MANOURY:-target/release/manoury}

tasks=0 made=() after=()

# split ARGUMENT .. [-- OPTION ..]: sets arguments and options
split() {
  arguments=() options=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    arguments+=("$1")
    shift
  done
  options=("${@:2}")
}

# task OUTPUT CORES COMMAND ARGUMENT ..: prints a task, which waits for those of the steps before
task() {
  local output=$1 cores=$2
  shift 2
  tasks=$((tasks + 1))
  made+=("$tasks")
  printf '\n[[task]]\nid = %s\ncommand = [%s]\n' "$tasks" "$(strings "$@")"
  printf 'stdout = %s\n' "$(strings "$output")"
  printf 'stderr = { path = %s, on_close = "rm-if-finished" }\n' "$(strings "$output.err")"
  [ ${#after[@]} = 0 ] || printf 'deps = [%s]\n' "$(IFS=,; echo "${after[*]}")"
  printf '[[task.request]]\nresources = { cpus = %s }\n' "$cores"
}

# Later tasks wait for all tasks so far.
next_step() {
  [ ${#made[@]} = 0 ] || after=("${made[@]}")
  made=()
}

# strings TEXT ..: as strings of TOML, with commas between
strings() {
  local text separator=
  for text in "$@"; do
    text=${text//\\/\\\\}
    printf '%s"%s"' "$separator" "${text//\"/\\\"}"
    separator=', '
  done
}

# submit FILE OPTION ..: submits a job file and waits for the job, even while the server restarts. A
# running job of the same name is not submitted again. Options are those of submit.py, whose Python
# is MANOURY_HYPERQUEUE; without options, the program `hq` submits it, if there is one.
submit() {
  local job state
  if [ $# = 1 ] && command -v hq > /dev/null; then
    job=$(under_way "$(sed -n 's/^name = "\(.*\)"$/\1/p;T;q' "$1")")
    [ -n "$job" ] || job=$(hq --output-mode quiet job submit-file "$1")
    # `hq job wait` ends when the server does, without an error.
    until state=$(state_of "$job") && [[ $state != WAITING && $state != RUNNING ]]; do
      hq job wait "$job" >&2 || hq server wait >&2 || true
    done
    if [ "$state" != FINISHED ]; then
      echo "job $job ${state:-is lost}: the files *.err beside the outputs of its tasks say why" >&2
      return 1
    fi
  else
    "${MANOURY_HYPERQUEUE:-python3}" "$scripts/cluster/submit.py" "$@" >&2
  fi
}

# under_way NAME: the number of a job that is queued or running, if there is one
under_way() {
  hq --output-mode json job list | { grep -F -B 2 "\"name\": \"$1\"" || true; } |
    sed -n 's/.*"id": \([0-9]*\).*/\1/p' | tail -1
}

# state_of JOB: nothing if the server does not know it, an error if there is no server
state_of() {
  hq --output-mode quiet job list --all 2> /dev/null | awk -v job="$1" '$1 == job { print $2 }'
}
