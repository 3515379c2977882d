#!/usr/bin/env python3
"""The gate: builds what the selected tests need, runs them, and says in one screen what came of it. Called by ./dev, which installs the
packages and exports the paths of the parts first."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import inputs
from tests import Stage

CORES = int(os.environ.get("KOPIUR_JOBS") or os.cpu_count() or 1)
FOLDER = "build/gate"
STAGES = [
    Stage("asan", without="slow|story|long", beside=1.5),  # half of their time is waiting
    Stage("tsan", labels="threads", beside=2),  # they take two cores each, and wait for their servers
    Stage("release", labels="slow|story", beside=3.5),  # stories mostly wait; those in a cluster count for two
]
EVERY_STORY = [Stage("release", labels="story|long", beside=3.5)]


def say(text):
    print(f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text, flush=True)


class Clock:
    """What took how long."""

    def __init__(self):
        self.times = []

    def run(self, name, work, *args):
        say(name)
        begun = time.monotonic()
        result = work(*args)
        self.times.append((name, time.monotonic() - begun))
        return result


def command(words, name, nice=0):
    """Runs it; what it printed is shown where it failed, and then we end."""
    log = f"{FOLDER}/{name}.log"
    with open(log, "wb") as out:
        code = subprocess.run(["nice", "-n", str(nice), *words], stdout=out, stderr=out).returncode
    if code != 0:
        with open(log, errors="replace") as out:
            print(out.read()[-20000:])
        print(f"{name} failed; its whole output: {log}", flush=True)
        os._exit(1)  # whichever thread this is: there is nothing to wait for


def build(stage, targets, nice=0):
    if targets:
        command(["cmake", "--build", "--preset", stage.preset, "-j", str(CORES), "--", "--quiet", *targets], f"build-{stage.preset}", nice)


def configure(stage):
    if not os.path.exists(f"build/{stage.preset}/build.ninja"):
        command(["cmake", "--preset", stage.preset], f"configure-{stage.preset}")
    # Again where a CMakeLists.txt has changed: the list of tests has to be that of now.
    command(["cmake", "--build", "--preset", stage.preset, "--", "--quiet", "build.ninja"], f"configure-{stage.preset}")


def select(stages, names):
    """The tests of each stage whose name matches; stages without one are left out."""
    for stage in stages:
        configure(stage)
    chosen = {stage: [each for each in stage.tests() if not names or any(re.search(name, each.name) for name in names)] for stage in stages}
    if not any(chosen.values()):
        sys.exit(f"No test matches {' '.join(names)}. All of them: ctest --test-dir build/{stages[0].preset} -N")
    return {stage: found for stage, found in chosen.items() if found}


def run(stage, chosen, changed):
    """The results of those that ran. A test on real parts that failed is run once more, beside fewer others."""
    digests = {each.name: inputs.digest(each) for each in chosen}
    wanted = [each for each in chosen if not (changed and inputs.was_green(digests[each.name]))]
    results = stage.run([each.name for each in wanted], CORES, FOLDER)
    real = {each.name for each in wanted if each.on_real_parts}
    again = [each for each in results if not each.passed and each.name in real]
    if again:
        say(f"a second try: {' '.join(each.name for each in again)}")
        for each in again:
            each.keep_log(FOLDER)
        second = {each.name: each.passed for each in stage.run([each.name for each in again], CORES, FOLDER, second=True)}
        for each in again:
            each.passed_at_second = second.get(each.name, False)
    for each in results:
        if each.passed and each.name in digests:
            inputs.keep_green(digests[each.name])
    return results


def summary(times, results):
    """One screen; the last line is the verdict."""
    say("\nsummary")
    print("  " + "; ".join(f"{name} {int(seconds // 60)}:{int(seconds % 60):02d}" for name, seconds in times if seconds >= 1))
    print("  slowest: " + ", ".join(f"{each.name} {each.seconds:.0f} s" for each in sorted(results, key=lambda each: -each.seconds)[:10]))
    failed = [each for each in results if not each.passed and not each.passed_at_second]
    for each in results:
        if each.passed_at_second:
            print(f"  passed at the second try: {each.name} (the first: {each.log})")
    for each in failed:
        print(f"  FAILED: {each.name} ({each.stage}{', twice; the first: ' + each.log if each.log else ''})")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed", flush=True)
    return 1 if failed else 0


def main():
    options = argparse.ArgumentParser(prog="./dev test", description="Builds and runs the tests, under sanitizers too.")
    options.add_argument("names", nargs="*", metavar="NAME", help="only tests whose name matches (a regular expression); only these are built")
    options.add_argument("--changed", action="store_true", help="only tests whose inputs have changed since they last passed")
    options.add_argument("--every-story", action="store_true", help="all stories on real parts, the long ones too, and nothing else")
    asked = options.parse_args()
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    inputs.forget_old()
    clock = Clock()
    chosen = clock.run("configure", select, EVERY_STORY if asked.every_story else STAGES, asked.names)
    stages = list(chosen)
    parts = inputs.parts_of(each for found in chosen.values() for each in found)
    with ThreadPoolExecutor(1) as parts_builder, ThreadPoolExecutor(1) as builder:
        if parts:  # the first test that needs one waits for it
            parts_builder.submit(command, ["./dev", "part", *parts], "parts", 5)
        clock.run(f"build {stages[0].preset}", build, stages[0], stages[0].targets(chosen[stages[0]]))
        # The other builds go on while the tests wait.
        later = {stage: builder.submit(build, stage, stage.targets(chosen[stage]), 10) for stage in stages[1:]}
        results = []
        for stage in stages:
            if stage in later:
                clock.run(f"build {stage.preset}", later[stage].result)
            results += clock.run(f"tests {stage.preset}", run, stage, chosen[stage], asked.changed)
    return summary(clock.times, results)


if __name__ == "__main__":
    sys.exit(main())
