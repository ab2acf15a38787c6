#!/usr/bin/env bash
# Fuzzes each target for SECONDS seconds (default 60), starting from its seeds and from the inputs
# kept by earlier runs (fuzz/corpus). A failing input is left in fuzz/artifacts: once the fault is
# fixed, make it a seed in fuzz/seeds/TARGET, so that `cargo test` checks it from then on.
#
#   scripts/fuzz.sh [SECONDS [TARGET..]]
#
# Needs a nightly Rust and cargo-fuzz (`cargo install cargo-fuzz`).
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(cd fuzz/fuzz_targets && ls | sed 's/\.rs$//')
fi

faults=0
for target in "${targets[@]}"; do
  echo "== $target"
  mkdir -p "fuzz/corpus/$target"
  # Threads of a session that are still ending during the leak check look like leaks.
  leaks=1
  [ "$target" != hub_session ] || leaks=0
  cargo +nightly fuzz run "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
    -max_total_time="$seconds" -max_len=65536 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -detect_leaks="$leaks" \
    2> >(tail -20 >&2) || faults=$((faults + 1))
done
echo "targets=${#targets[@]} faults=$faults"
[ "$faults" -eq 0 ]
