#!/usr/bin/env python3
"""The gate: builds what the selected tests need, runs them, and prints a summary of one screen. Called by ./dev, which first installs the
packages and exports the paths of the parts."""
import argparse
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import inputs
from pool import Pool
from tests import Stage

CORES = int(os.environ.get("KOPIUR_JOBS") or os.cpu_count() or 1)
FOLDER = "build/gate"
# Build order: stories take longest, so they run while the others are built; the preset built last has the shortest tests.
STAGES = [
    Stage("release", labels="slow|story"),
    Stage("asan", without="slow|story|long"),
    Stage("tsan", labels="threads"),
]
EVERY_STORY = [Stage("release", labels="story|long")]


def say(text):
    print(f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text, flush=True)


class Clock:
    """Measures the duration of each stage."""

    def __init__(self):
        self.times = []

    def run(self, name, work, *args):
        begun = time.monotonic()
        result = work(*args)
        self.times.append((name, time.monotonic() - begun))
        return result

    def said(self):
        return "; ".join(f"{name} {int(seconds // 60)}:{int(seconds % 60):02d}" for name, seconds in self.times if seconds >= 1)


class NotBuilt(Exception):
    """A need of tests could not be built: those tests do not run."""


def command(words, name, nice=10):
    """Runs a build command; on failure shows its output. It is niced, because tests have priority: the verdict waits for them."""
    log = f"{FOLDER}/{name.replace(' ', '-')}.log"
    with open(log, "wb") as out:
        code = subprocess.run(["nice", "-n", str(nice), *words], stdout=out, stderr=out).returncode
    if code != 0:
        with open(log, errors="replace") as out:
            print(out.read()[-20000:])
        say(f"{name} failed; its whole output: {log}")
        raise NotBuilt(f"{name} failed")


def configure(stage):
    if not os.path.exists(f"build/{stage.preset}/build.ninja"):
        command(["cmake", "--preset", stage.preset], f"configure {stage.preset}")
    # Again if a CMakeLists.txt has changed: the list of tests must be current.
    command(["cmake", "--build", "--preset", stage.preset, "--", "--quiet", "build.ninja"], f"configure {stage.preset}")


def build(clock, stage, chosen):
    """Builds exactly what the chosen tests name."""
    name, targets = f"build {stage.preset}", stage.targets(chosen)
    if targets:
        clock.run(name, command, ["cmake", "--build", "--preset", stage.preset, "-j", str(CORES), "--", "--quiet", *targets], name)
    stage.complete(chosen)


def make_part(part):
    command(["./dev", "part", part], f"part {part}", nice=5)


def select(stages, names):
    """The tests of each stage whose name matches; stages without one are left out."""
    for stage in stages:
        configure(stage)
    chosen = {stage: [each for each in stage.tests() if not names or any(re.search(name, each.name) for name in names)] for stage in stages}
    if not any(chosen.values()):
        sys.exit(f"No test matches {' '.join(names)}. All of them: ctest --test-dir build/{stages[0].preset} -N")
    return {stage: found for stage, found in chosen.items() if found}


def tell(result):
    """Prints the result, and the output of a failed test."""
    print(f"{'passed' if result.passed else 'FAILED'}  {result.test.stage} {result.test.name}  {result.seconds:.1f} s, {result.busy:.1f} s of a core", flush=True)
    if not result.passed:
        with open(result.log, errors="replace") as log:
            print(log.read()[-20000:])


def run(tests, needs, skips):
    """Runs the tests and returns their results, without those that `skips` selects and that passed with the same inputs. Failed tests on real
    parts run once more, when nothing else runs."""
    digests = {}

    @functools.cache
    def known(test):
        digests[test] = inputs.digest(test)  # only now: its needs are built
        return skips(test) and inputs.was_green(digests[test])

    results = Pool(CORES, f"{FOLDER}/tests").run(tests, needs, known, tell)
    for each in results:
        if each.test in digests:
            inputs.keep(digests[each.test], each.passed)
    again = {each.test: each for each in results if not each.passed and each.test in digests and each.test.on_real_parts}
    if again:
        say(f"a second try: {' '.join(test.name for test in again)}")
        for each in Pool(CORES, f"{FOLDER}/second-try").run(list(again), needs, lambda _: False, tell):
            again[each.test].second = each
    return results


def build_and_run(chosen, clock, skips):
    """Builds one preset after the other, and the parts in parallel; each test runs as soon as its needs are built."""
    parts = inputs.parts_of(each for found in chosen.values() for each in found)
    with ThreadPoolExecutor(1) as maker, ThreadPoolExecutor(1) as builder:
        made = {part: maker.submit(make_part, part) for part in parts}
        built = {stage.preset: builder.submit(build, clock, stage, found) for stage, found in chosen.items()}

        def needs(test):
            return [built[test.stage], *(made[part] for part in test.parts)]

        return run([test for found in chosen.values() for test in found], needs, skips)


def summary(clock, results, skipped):
    """One screen; the last line is the verdict."""
    say("\nsummary")
    print(f"  {clock.said()}")
    print("  slowest: " + ", ".join(f"{each.test.name} {each.seconds:.0f} s" for each in sorted(results, key=lambda each: -each.seconds)[:10]))
    failed = [each for each in results if not each.good]
    if skipped:
        print(f"  passed before with just these inputs: {skipped} (./dev test --again runs them too)")
    for each in results:
        if each.good and not each.passed:
            print(f"  passed at the second try: {each.test.name} (the first: {each.log})")
    for each in failed:
        print(f"  FAILED: {each.test.name} ({each.test.stage}{', twice' if each.second else ''}: {each.log})")
    print(f"{len(results) + skipped - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def main():
    options = argparse.ArgumentParser(prog="./dev test", description="Builds and runs the tests, under sanitizers too.")
    options.add_argument("names", nargs="*", metavar="NAME", help="only tests whose name matches (a regular expression); only these are built")
    options.add_argument("--changed", action="store_true", help="only tests whose inputs have changed since they last passed")
    options.add_argument("--again", action="store_true", help="all, also those that passed before and depend on nothing but their inputs")
    options.add_argument("--every-story", action="store_true", help="all stories on real parts, the long ones too, and nothing else")
    asked = options.parse_args()
    os.environ.setdefault("GOGC", "400")  # for servers, kubectl and helm: memory is plentiful, and each garbage collection costs processor time
    os.environ["KOPIUR_SHARED_NODE"] = os.path.abspath(f"{FOLDER}/node")  # e2e/cluster/with_shared_node.sh
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    inputs.forget_old()
    clock = Clock()
    try:
        chosen = clock.run("configure", select, EVERY_STORY if asked.every_story else STAGES, asked.names)
    except NotBuilt:  # already reported
        return 1

    def skips(test):
        """Whether a pass with the same inputs counts: with --changed, or if the test is repeatable. Named tests always run."""
        return asked.changed or (test.repeatable and not asked.again and not asked.names)

    results = clock.run("all", build_and_run, chosen, clock, skips)
    return summary(clock, results, sum(map(len, chosen.values())) - len(results))


if __name__ == "__main__":
    sys.exit(main())
