#!/usr/bin/env bash
# Builds the wheel for this machine's system and tries it: installed into fresh environments, the
# program is on the path, the module does what its stubs, docstrings and tests say, pydraughts and
# py-draughts play with the program, and boards are as fast as they should be beside other packages.
#
#   scripts/wheel.sh DIR
#
# Needs Python 3 with venv, and PyPI. RUSTFLAGS="-C target-cpu=x86-64-v2" makes a wheel for all
# processors with POPCNT, as scripts/release.sh does.
set -euo pipefail
cd "$(dirname "$0")/.."

repository=$PWD
out=${1:?the folder for the wheel}
mkdir -p "$out"
out=$(realpath "$out")
work=$(mktemp -d)
licences=src/python/manoury/licences.txt
trap 'rm -rf "$work" "$licences"' EXIT

environment() { # NAME PACKAGES..
  python3 -m venv "$work/$1"
  "$work/$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"
}

environment build "maturin>=1.16,<2"
cargo clippy --release --package manoury-python -- -D warnings
scripts/licences.py "$(rustc -vV | sed -n 's/^host: //p')" manoury-python >"$licences"
"$work/build/bin/maturin" build --profile dist --out "$work/wheels"
wheel=$(echo "$work"/wheels/*.whl)
"$work/build/bin/python" -m zipfile --list "$wheel" | grep manoury/licences.txt

environment new "$wheel" -r tests/python/requirements-module.txt
(
  cd /
  PATH=$work/new/bin:$PATH
  export HOME=$work/home
  mkdir "$HOME"
  [ "$(command -v manoury)" = "$work/new/bin/manoury" ]
  [ "$(python -m manoury perft --depth 4 | cut -d' ' -f1)" = nodes=4265 ]
  code=0
  python -m manoury perft --depth none 2>/dev/null || code=$?
  [ "$code" = 2 ]
  export MYPYPATH=$repository/tests/python
  for test in module faults engines games; do
    python "$repository/tests/python/$test.py"
    mypy --strict "$repository/tests/python/$test.py"
  done
  stubtest manoury
)
environment pydraughts "$wheel" -r tests/python/requirements.txt
environment py-draughts "$wheel" -r tests/python/requirements-py-draughts.txt
# These libraries need a path; they do not search PATH.
for library in pydraughts:play py-draughts:play_py_draughts; do
  python=$work/${library%:*}/bin/python
  "$python" "tests/python/${library#*:}.py" "$("$python" -c 'import manoury; print(manoury.program())')"
done
environment speed "$wheel" -r tests/python/requirements-speed.txt
"$work/speed/bin/python" tests/python/speed.py
cp "$wheel" "$out"
ls -l "$out"
