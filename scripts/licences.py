#!/usr/bin/env python3
"""Prints the licences of all packages that a program for a target contains, with their texts; of the Python
module if its package is named.

    scripts/licences.py TARGET [manoury-python]
"""

import json
import pathlib
import subprocess
import sys

TEXTS = ("licen", "copying", "notice", "unlicense")


def metadata(target):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


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
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
