# A round of learning of Russian draughts: six tasks of games, data sets, training, six parts of a
# match, its report, the judgement. A worker dies in the games, another in the training, where an
# epoch takes two seconds, and the server in the match. Without that, the same round follows as
# another job.

events=("worker 2 1" "worker 7 5" "server 10 1")
export GAMES=6000 NODES=200 EPOCHS=6 MATCH_GAMES=240 MATCH_NODES=2000

job() {
  "$cluster/learn.sh" russian "$dir/job" --parts 6
}

alone() {
  "$cluster/learn.sh" russian "$dir/alone" --parts 6
}

# The results of a round: games, data sets, weights, the games of the match, and the row of the table
results() {
  cd "$dir/$1" && sha256sum games-*/* sets-*/* *.weights rounds.md && games match-*.log
}

compare() {
  diff <(results job) <(results alone) && results alone | wc -l
}
