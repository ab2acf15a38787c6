#!/usr/bin/env bash
# Tries what a cluster goes through: two machines make bitbases, one of them dies on the way, then the
# server. The files must be those of one process. The machines are network namespaces of this one,
# with the same folders, so it needs root, `ip`, and the program `hq` (HQ).
#
#   scripts/cluster/trial.sh PIECES DIR [REFERENCE]
#
# DIR receives bitbases and logs. REFERENCE is a folder of bitbases made by one process; without it
# one is made. MANOURY is the program. The last line is `same=N seconds=S`.
set -euo pipefail

# In place of ssh: runs a command on a host.
if [ "${1-}" = --ssh ]; then exec ip netns exec "$2" sh -c "$3"; fi

usage="usage: scripts/cluster/trial.sh PIECES DIR [REFERENCE]"
pieces=${1:?"$usage"}
mkdir -p "${2:?"$usage"}"
dir=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
manoury=$(realpath "${MANOURY:-target/release/manoury}")
hq=$(realpath "$(command -v "${HQ:-hq}")")
export HQ=$hq HQ_SERVER_DIR=$dir/server
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

clean() {
  trap - EXIT
  "$hq" server stop >/dev/null 2>&1 || true
  local host
  for host in "${hosts[@]}"; do
    ip netns pids "$host" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
    ip netns del "$host" 2>/dev/null || true
  done
  ip link del manoury 2>/dev/null || true
}

server() {
  "$hq" server start --host $net.1 --journal "$dir/journal" --journal-flush-period 1s >>"$dir/server.log" 2>&1 &
  server=$!
  "$hq" server wait >/dev/null
}

worker() {
  SSH="$here/trial.sh --ssh" "$here/ssh.sh" "$dir/server" "$1" -- --cpus 1 --hostname "$1" >>"$dir/$1.log" 2>&1 &
}

finished() { "$hq" job info 1 --output-mode json | grep -o '"finished": *[0-9]*' | head -1 | tr -dc 0-9; }

until_finished() {
  until [ "$(finished)" -ge "$1" ]; do sleep 0.2; done
}

clean
trap clean EXIT
rm -rf "$dir/server" "$dir/journal" "$dir/parts"
network
server
for host in "${hosts[@]}"; do worker "$host"; done
"$manoury" bitbase plan --pieces "$pieces" --bitbases "$dir/parts" --hq "$dir/job.toml"
tasks=$(grep -c '^\[\[task\]\]' "$dir/job.toml")
start=$(date +%s)
cd "$dir"
"$hq" job submit-file "$dir/job.toml"

until_finished $((tasks / 3))
echo "$(finished) of $tasks tasks done: ${hosts[1]} dies"
ip netns pids "${hosts[1]}" | xargs -r kill -9
worker "${hosts[1]}"

until_finished $((tasks / 2))
echo "$(finished) of $tasks tasks done: the server dies"
kill -9 "$server"
sleep 2
server
echo "$(finished) of $tasks tasks are known to the new server"
for host in "${hosts[@]}"; do worker "$host"; done
"$hq" job wait 1
seconds=$(($(date +%s) - start))

reference=${3-$dir/whole}
[ -n "${3-}" ] || "$manoury" bitbase generate --pieces "$pieces" --bitbases "$reference" --threads 2
diff -r "$dir/parts" "$reference"
echo "same=$(find "$dir/parts" -name '*.bitbase' | wc -l) seconds=$seconds"
