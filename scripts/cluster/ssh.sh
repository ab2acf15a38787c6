#!/usr/bin/env bash
# Starts a worker of HyperQueue on each of some other machines, for the server that start.sh has
# started, and waits until they end: with the server, which also stops their tasks, or with Ctrl-C.
#
#   scripts/cluster/ssh.sh [--dry-run] DIR HOST .. [-- OPTION ..]
#
# DIR is the server directory. Each HOST can be reached by ssh without a password, and sees DIR and
# the program HQ under the same paths as this machine. Options go to `hq worker start`, such as
# --cpus 32. SSH is the command in place of ssh.
set -euo pipefail

usage="usage: scripts/cluster/ssh.sh [--dry-run] DIR HOST .. [-- OPTION ..]"
spawn=background
background() { "$@" & }
if [ "${1-}" = --dry-run ]; then spawn=echo; shift; fi
dir=$(realpath -m "${1:?"$usage"}")
shift
hosts=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do hosts+=("$1"); shift; done
shift $(($# > 0))
: "${hosts[0]:?"$usage"}"

start=$(printf '%q ' "${HQ:-hq}" --server-dir "$dir" worker start --on-server-lost stop "$@")
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for host in "${hosts[@]}"; do
  $spawn ${SSH:-ssh} "$host" "$start" </dev/null
done
wait
