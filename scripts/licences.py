#!/usr/bin/env python3
"""Prints the licences of all packages that a program for a target contains, with their texts; of the Python
module if its package is named.

    scripts/licences.py TARGET [manoury-python]

Or checks the packages of all targets, also those of tests and builds: each comes from crates.io and has a
licence that this project accepts, and the program contains no package in two versions.

    scripts/licences.py --check
"""

import json
import pathlib
import re
import subprocess
import sys

TEXTS = ("licen", "copying", "notice", "unlicense")
CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"
# Licences that ask for no more than their text beside the program.
ACCEPTED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0",
    "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib",
}


def metadata(target=None):
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    if target:
        command += ["--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def is_accepted(licence):
    """Whether an SPDX expression can be met by accepted licences; old ones have a slash for OR."""
    words = re.findall(r"[()]|[^\s()]+", licence.replace("/", " OR ").replace(" WITH ", "_WITH_"))
    signs = {"OR": "or", "AND": "and", "(": "(", ")": ")"}
    values = [signs.get(word) or str(word.replace("_WITH_", " WITH ") in ACCEPTED) for word in words]
    # Nothing but True, False, and, or and parentheses.
    return eval(" ".join(values))


def check():
    """What is wrong with the packages, one line each."""
    data = metadata()
    own = set(data["workspace_members"])
    packages = {package["id"]: package for package in data["packages"]}
    for package in packages.values():
        name = f"{package['name']} {package['version']}"
        if package["id"] in own:
            continue
        if package["source"] != CRATES_IO:
            yield f"{name}: from {package['source']}, expected crates.io"
        if not package["license"] or not is_accepted(package["license"]):
            yield f"{name}: the licence {package['license']} is not among the accepted ones in scripts/licences.py"
    host = metadata(re.search(r"host: (.*)", subprocess.check_output(["rustc", "-vV"], text=True))[1])
    root = next(id for id in own if packages[id]["name"] == "manoury")
    versions = {}
    for id in contained(host, root):
        versions.setdefault(packages[id]["name"], set()).add(packages[id]["version"])
    for name, found in versions.items():
        if len(found) > 1:
            yield f"{name}: the program contains the versions {', '.join(sorted(found))}"


def contained(data, root):
    """The ids of the packages that are linked into the program: not those of tests and builds."""
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    found, waiting = set(), [root]
    while waiting:
        package = waiting.pop()
        if package not in found:
            found.add(package)
            for dependency in nodes[package]["deps"]:
                if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                    waiting.append(dependency["pkg"])
    return found


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [path for path in files if path.name.lower().startswith(TEXTS)]


def main(target, name="manoury"):
    data = metadata(target)
    packages = {package["id"]: package for package in data["packages"]}
    root = next(id for id in data["workspace_members"] if packages[id]["name"] == name)
    own = set(data["workspace_members"])
    found = [packages[id] for id in contained(data, root) if id not in own]
    found.sort(key=lambda package: (package["name"], package["version"]))
    print("Manoury contains these packages, and the standard library of Rust (MIT OR Apache-2.0):\n")
    for package in found:
        licence = package["license"] or "see its text"
        print(f"{package['name']} {package['version']}: {licence}, {package['repository'] or ''}")
    holders = {}
    for package in found:
        for path in texts(package):
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            holders.setdefault(text, []).append(f"{package['name']} {package['version']}")
    for text, names in holders.items():
        print(f"\n\n==== {', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit("\n".join(check()) or None)
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
