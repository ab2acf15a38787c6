# A match of 400 games by nodes, in ten parts. One process plays the same games.

events=("worker 3 1" "server 6 1")
engine="$MANOURY hub,param.book=false,param.tt-size=16"
arguments=(--rounds 200 --nodes 2000 --json
  --engine "$engine,name=New" --engine "$engine,name=Old,tc.nodes=1500")

job() {
  "$cluster/match.sh" "$dir/job" 10 "${arguments[@]}"
}

alone() {
  "$MANOURY" match "${arguments[@]}" --concurrency 2 --log "$dir/alone"
}

# The results in the report of a match
report() {
  tail -1 "$1" | sed 's/.*"pairings"//; s/"run":.*//'
}

compare() {
  diff <(report job.txt) <(report alone.txt) &&
    diff <(games job/*.log) <(games alone) && games alone | wc -l
}
