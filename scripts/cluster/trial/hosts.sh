# The hosts of scripts/cluster/trial.sh, the server on this machine, a worker on each host, and what
# the server reports about its first job. Needs dir and cluster.

net=10.77.0
hosts=(manoury-one manoury-two)

# A bridge with this machine as .1 and a namespace for each host.
network() {
  ip link add manoury type bridge
  ip addr add $net.1/24 dev manoury
  ip link set manoury up
  local number=1 host
  for host in "${hosts[@]}"; do
    number=$((number + 1))
    ip netns add "$host"
    ip link add "manoury$number" type veth peer name eth0 netns "$host"
    ip link set "manoury$number" master manoury up
    ip -n "$host" addr add $net.$number/24 dev eth0
    ip -n "$host" link set eth0 up
    ip -n "$host" link set lo up
  done
}

# kill_host HOST: all of its processes, at once
kill_host() {
  ip netns pids "$1" | xargs -r kill -9
}

clean() {
  trap - EXIT
  hq server stop >/dev/null 2>&1 || true
  local host link
  for host in "${hosts[@]}"; do
    kill_host "$host" 2>/dev/null || true
    ip netns del "$host" 2>/dev/null || true
  done
  for link in manoury manoury2 manoury3; do ip link del "$link" 2>/dev/null || true; done
  kill $(jobs -p) 2>/dev/null || true
}

server() {
  hq server start --host $net.1 --journal "$dir/journal" --journal-flush-period 1s >>"$dir/server.log" 2>&1 &
  server=$!
  until hq server info >/dev/null 2>&1; do sleep 0.2; done
}

worker() {
  SSH="$cluster/trial.sh --ssh" \
    "$cluster/ssh.sh" "$dir/server" "$1" -- --cpus 1 --hostname "$1" >>"$dir/$1.log" 2>&1 &
}

# A number from the description of the job.
count() {
  { hq job info 1 --output-mode json 2>/dev/null || true; } | grep -o "\"$1\": *[0-9]*" | head -1 | tr -dc 0-9
}

finished() { count finished; }

# The tasks that are running, a line each: `TASK HOST`
running() {
  { hq task list 1 2>/dev/null || true; } | awk -F '[| ]+' '$3 == "RUNNING" { print $2, $4 }'
}

# until_running N S: waits until N tasks are finished and one has been running for S seconds; sets
# finished, tasks, task and host. The job ends with the process of first.
until_running() {
  until finished=$(finished) && [ "${finished:-0}" -ge "$1" ] &&
    read -r task host < <(running) && sleep "$2" && running | grep -qx "$task $host"; do
    kill -0 "$first" 2>/dev/null || { echo "the job has ended too early" >&2 && return 1; }
    sleep 0.2
  done
  tasks=$(count task_count)
}

# told TYPE: the entries of the journal of that type, a line each
told() {
  hq journal export "$dir/journal" 2>/dev/null | grep "\"type\":\"$1\""
}

# The tasks that were started more than once, a line each, with the numbers of their workers.
started_again() {
  told task-started | sed 's/.*"task":\([0-9]*\).*"worker":\([0-9]*\).*/\1 \2/' | awk '
    { workers[$1] = workers[$1] " " $2; starts[$1]++ }
    END { for (task in starts) if (starts[task] > 1) print "task " task ": workers" workers[task] }
  ' | sort -V
}
