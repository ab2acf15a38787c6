# Bitbases of four pieces of the board with 72 squares, in tasks of a second or a few. One process
# makes the same files.

events=("worker 3 1" "server 8 1")
bitbases=(--variant canadian --pieces 4)
. "$cluster/job.sh"

job() {
  "$MANOURY" bitbase plan "${bitbases[@]}" --bitbases "$dir/job" --hq "$dir/job.toml" >&2
  submit "$dir/job.toml"
}

alone() {
  "$MANOURY" bitbase generate "${bitbases[@]}" --bitbases "$dir/alone"
}

compare() {
  diff -r "$dir/job" "$dir/alone" && find "$dir/job" -name '*.bitbase' | wc -l
}
