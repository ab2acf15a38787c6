#!/usr/bin/env python3
"""Submits a job file of HyperQueue through its Python interface, and waits until the job is done.

    scripts/cluster/submit.py FILE [--server-dir DIR | --local N [--cores C]] [--dry-run]

FILE has the format of `hq job submit-file FILE`; this script serves where the program `hq` is missing
but `pip install hyperqueue==0.27.0` is possible. The server is that of DIR, by default of HQ_SERVER_DIR,
or else of `~/.hq-server`; --local instead starts one on this machine, with N workers of C cores each, and
stops it after the job. Local workers offer only cores: requests for memory and other resources are ignored.

Progress goes to standard error. Exit codes: 0 all tasks succeeded, 1 a task failed, 2 FILE or an
option is invalid, 3 the server was not found or has died.
"""

import argparse
import graphlib
import os
import re
import sys
import tomllib
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

UNITS = {"s": "seconds", "m": "minutes", "min": "minutes", "h": "hours", "d": "days"}
JOB_KEYS = {"name", "max_fails", "task", "array"}
TASK_KEYS = {"id", "deps", "command", "cwd", "env", "stdin", "stdout", "stderr"}
TASK_KEYS |= {"task_dir", "priority", "crash_limit", "request"}


class BadFile(Exception):
    """What is wrong with a job file."""


def check_keys(where: str, table: dict, known: set[str]) -> None:
    if unknown := sorted(table.keys() - known):
        raise BadFile(f"{where}: the Python interface has no {', '.join(unknown)}")


def tasks_of(job: dict) -> dict[int, dict]:
    """The tasks of a job by number, each after those that it depends on."""
    check_keys("job", job, JOB_KEYS)
    if "array" in job:
        tasks = array_tasks(job["array"])
    else:
        tasks = numbered(job.get("task", []))
    for number, task in tasks.items():
        check_keys(f"task {number}", task, TASK_KEYS)
        if not task.get("command"):
            raise BadFile(f"task {number}: no command")
        if missing := set(task.get("deps", [])) - tasks.keys():
            raise BadFile(f"task {number}: deps on {missing}, which are no tasks")
    if not tasks:
        raise BadFile("no tasks")
    order = graphlib.TopologicalSorter({number: task.get("deps", []) for number, task in tasks.items()})
    return {number: tasks[number] for number in order.static_order()}


def numbered(tasks: list[dict]) -> dict[int, dict]:
    """Tasks by their `id`; those without one get the numbers after the greatest."""
    free = max((task.get("id", 0) for task in tasks), default=0)
    found = {}
    for task in tasks:
        number = task["id"] if "id" in task else (free := free + 1)
        if number in found:
            raise BadFile(f"task {number} is there twice")
        found[number] = task
    return found


def array_tasks(array: dict) -> dict[int, dict]:
    """The tasks of an array: the same command for all, with `HQ_ENTRY` where there are entries."""
    entries = array.pop("entries", None)
    numbers = ids_of(array.pop("ids")) if "ids" in array else range(len(entries or []))
    if entries is None:
        return {number: array for number in numbers}
    if len(entries) != len(numbers):
        raise BadFile(f"array: {len(numbers)} ids but {len(entries)} entries")
    env = array.get("env", {})
    return {number: array | {"env": env | {"HQ_ENTRY": entry}} for number, entry in zip(numbers, entries)}


def ids_of(text: str) -> list[int]:
    """The numbers that `1,5-10` or `0-100:20` stands for."""
    numbers = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+)(?::(\d+))?)?", part.strip())
        if not match:
            raise BadFile(f"array: ids {text!r}, should be such as 1,5-10")
        first, last, step = match.groups()
        numbers += range(int(first), int(last or first) + 1, int(step or 1))
    return numbers


def duration(text: str) -> timedelta:
    """A time such as `1h 30m`."""
    if not re.fullmatch(r"(\s*\d+\s*(s|m|min|h|d)\b)+\s*", text):
        raise BadFile(f"time_request {text!r}, should be such as 1h 30m")
    return timedelta(**{UNITS[unit]: int(number) for number, unit in re.findall(r"(\d+)\s*([a-z]+)", text)})


def requests_of(number: int, task: dict, cores: int | None) -> list:
    """The resource requests of a task; `cores` is what a local worker has."""
    from hyperqueue.ffi.protocol import ResourceRequest

    requests = []
    for request in task.get("request", []):
        check_keys(f"task {number}: request", request, {"resources", "time_request"})
        resources = dict(request.get("resources", {}))
        cpus = resources.pop("cpus", 1)
        if cores is not None:
            resources = {}
            if isinstance(cpus, int) and cpus > cores:
                raise BadFile(f"task {number} wants {cpus} cores: --cores {cpus}")
        time = duration(request.get("time_request", "0s"))
        requests.append(ResourceRequest(cpus=cpus, resources=resources, min_time=time))
    return requests


def stdio(wanted):
    """Where an output goes: a path, nowhere, or the place that HyperQueue chooses."""
    from hyperqueue.output import StdioDef

    if wanted == "none":
        return None
    if isinstance(wanted, dict):
        return StdioDef(path=wanted["path"], on_close=wanted.get("on_close", "none"))
    return StdioDef(path=wanted, on_close="none")


def job_of(description: dict, tasks: dict[int, dict], cores: int | None):
    """The job for the Python interface."""
    from hyperqueue import Job

    job, made = Job(name=description.get("name"), max_fails=description.get("max_fails")), {}
    for number, task in tasks.items():
        made[number] = job.program(
            task["command"],
            env=task.get("env"),
            cwd=task.get("cwd"),
            stdout=stdio(task.get("stdout")),
            stderr=stdio(task.get("stderr")),
            stdin=task.get("stdin"),
            deps=[made[dep] for dep in task.get("deps", [])],
            task_dir=task.get("task_dir", False),
            priority=task.get("priority", 0),
            resources=requests_of(number, task, cores),
            crash_limit=task.get("crash_limit"),
        )
        made[number].task_id = number
    return job


def run(client, job) -> int:
    """Submits a job and waits for it; returns the exit code."""
    submitted = client.submit(job)
    print(f"job {submitted.id}: {len(job.tasks)} tasks", file=sys.stderr)
    if client.wait_for_jobs([submitted], raise_on_error=False):
        return 0
    print(file=sys.stderr)
    failed = client.get_failed_tasks(submitted)
    for number, task in sorted(failed.items()):
        print(f"task {number} failed: {task.error.strip()} ({task.stderr})", file=sys.stderr)
        if task.stderr and Path(task.stderr).is_file():
            print(Path(task.stderr).read_text(errors="replace"), file=sys.stderr)
    if not failed:
        print("the job was canceled", file=sys.stderr)
    return 1


def run_locally(workers: int, cores: int, job) -> int:
    """Runs a job on workers on this machine; returns the exit code."""
    from hyperqueue.cluster import LocalCluster, WorkerConfig

    with TemporaryDirectory() as folder, LocalCluster(folder) as cluster:
        for _ in range(workers):
            cluster.start_worker(WorkerConfig(cores=cores))
        return run(cluster.client(), job)


def run_at(server_dir: Path | None, job) -> int:
    """Runs a job on a running server; returns the exit code."""
    from hyperqueue import Client

    return run(Client(server_dir), job)


def server_dir() -> Path | None:
    """The server directory that the program `hq` uses too; None for its default."""
    named = os.environ.get("HQ_SERVER_DIR")
    return Path(named) if named else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--server-dir", type=Path, metavar="DIR", default=server_dir(),
                       help="the server directory of a running server")
    place.add_argument("--local", type=int, metavar="N", help="start a server and N workers on this machine")
    parser.add_argument("--cores", type=int, default=1, metavar="C", help="cores of each local worker")
    parser.add_argument("--dry-run", action="store_true", help="print the tasks without submitting them")
    options = parser.parse_args()
    if (options.local is not None and options.local < 1) or options.cores < 1:
        parser.error("--local and --cores must be at least 1")
    cores = options.cores if options.local else None

    try:
        description = tomllib.loads(options.file.read_text())
        tasks = tasks_of(description)
        if options.dry_run:
            for number, task in tasks.items():
                print(f"{number} after {task.get('deps', [])}: {' '.join(task['command'])}")
            return 0
        job = job_of(description, tasks, cores)
    except (OSError, ValueError, BadFile) as error:
        print(f"{options.file}: {error}", file=sys.stderr)
        return 2
    try:
        if options.local:
            return run_locally(options.local, options.cores, job)
        return run_at(options.server_dir, job)
    except KeyboardInterrupt:
        print("interrupted; a job on a running server continues", file=sys.stderr)
        return 1
    except Exception as error:  # The interface raises no narrower type.
        where = options.server_dir or Path.home() / ".hq-server"
        what = " ".join(str(error).partition("Stack backtrace")[0].split())
        print(f"no server in {where}: {what}; start one with scripts/cluster/start.sh, or use --local CORES",
              file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
