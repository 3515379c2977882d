"""A digest of all inputs of a test, and the digests of tests that passed."""
import functools
import hashlib
import os
import pathlib
import subprocess
import time

GREEN = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "kopiur", "green")
MONTH = 30 * 24 * 3600


@functools.cache
def part_variables():
    """Part name -> environment variable with its path; the path differs for each version."""
    with open("parts/list") as rows:
        return {row.split()[0]: row.split()[1] for row in rows if row.strip() and not row.startswith("#")}


def parts_of(tests):
    """The parts that these tests need, in the order of the list."""
    needed = {part for test in tests for part in test.parts}
    return [part for part in part_variables() if part in needed]


@functools.cache
def files_below(folder):
    """The files of a folder that git tracks or would track: build output does not count."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", folder], check=True, capture_output=True, text=True).stdout
    return sorted(set(listed.splitlines()))


@functools.cache
def content(path):
    if os.path.isdir(path):
        return "\n".join(f"{each} {content(each)}" for each in files_below(path) if os.path.isfile(each))
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def packages():
    """The installed packages: programs use their libraries and time zones."""
    return subprocess.run(["dpkg-query", "-W"], capture_output=True, text=True).stdout


def digest(test):
    """A digest of the machine's packages, the command, its environment, the parts, and the content of every file that the command or REQUIRED_FILES names."""
    here = os.getcwd()
    said = [test.stage, test.name, *test.command, *test.environment, *(os.environ.get(part_variables()[part], "") for part in test.parts)]
    lines = [word.replace(here, "") for word in said]
    lines += [f"{word.replace(here, '')} {content(word)}" for word in [*test.command, *test.files] if word.startswith(here) and os.path.exists(word)]
    return hashlib.sha256("\n".join([*lines, packages()]).encode()).hexdigest()


def was_green(digest_of):
    return os.path.exists(os.path.join(GREEN, digest_of))


def keep(digest_of, green):
    """Records that the test passed, or deletes that record."""
    os.makedirs(GREEN, exist_ok=True)
    path = pathlib.Path(GREEN, digest_of)
    path.touch() if green else path.unlink(missing_ok=True)


def forget_old():
    """Deletes records older than a month: those tests run again."""
    if not os.path.isdir(GREEN):
        return
    for each in os.scandir(GREEN):
        if each.stat().st_mtime < time.time() - MONTH:
            os.remove(each)
