# A tuning of 24 steps of ten pairs, six steps a batch, in five parts. One process finds the same
# values.

events=("worker 6 1" "server 12 1")
arguments=(--engine "$MANOURY hub --tune,param.book=false,param.tt-size=16" --param futility_slope
  --param reduction_slope --steps 24 --pairs 10 --ahead 6 --nodes 2000 --json)

job() {
  "$cluster/tune.sh" "$dir/job" 5 "${arguments[@]}"
}

alone() {
  "$MANOURY" tune "${arguments[@]}" --concurrency 2
}

# The steps, with their values
steps() {
  grep '"type":"step"' "$1"
}

compare() {
  diff <(steps job.txt) <(steps alone.txt) && steps alone.txt | wc -l
}
