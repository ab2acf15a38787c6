# A book of 400 positions in batches of 100, each searched in six parts. One process makes the same
# file.

events=("worker 9 1" "server 16 1")
arguments=(--variant english --nodes-per-position 100000)

job() {
  "$cluster/book.sh" "$dir/job" 400 100 6 "${arguments[@]}"
}

alone() {
  "$MANOURY" book build --out "$dir/alone" --positions 400 --batch 100 "${arguments[@]}"
}

compare() {
  cmp "$dir/job" "$dir/alone" && grep -o '^expanded=[0-9]*' alone.txt | cut -d= -f2
}
