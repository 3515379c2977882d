"""The tests that ctest knows, and what came of running them."""
import json
import os
import re
import subprocess
import xml.etree.ElementTree


class Test:
    """One entry of ctest, in one preset."""

    def __init__(self, stage, entry):
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        self.stage, self.name, self.command = stage, entry["name"], entry.get("command", [])
        self.labels = properties.get("LABELS", [])
        self.files = properties.get("REQUIRED_FILES", [])
        self.parts = [each.removeprefix("part_") for each in properties.get("FIXTURES_REQUIRED", [])]
        self.environment = properties.get("ENVIRONMENT", [])

    @property
    def on_real_parts(self):
        return bool({"real", "story", "long"} & set(self.labels))


class Result:
    """What one run of a test came to."""

    def __init__(self, stage, case):
        self.stage, self.name = stage, case.get("name")
        self.passed, self.seconds = case.get("status") == "run", float(case.get("time", 0))
        self.output = case.findtext("system-out") or f"It did not run: {case.get('status')}."
        self.log, self.passed_at_second = None, False

    def keep_log(self, folder):
        """Writes what the run printed to a file of its own."""
        self.log = f"{folder}/first-try/{self.stage}-{self.name}.log"
        os.makedirs(os.path.dirname(self.log), exist_ok=True)
        with open(self.log, "w") as out:
            out.write(self.output)


class Stage:
    """One preset: the tests of it that the gate runs, by their labels, and how many beside each other for each core."""

    def __init__(self, preset, labels=None, without=None, beside=1):
        self.preset, self.labels, self.without, self.beside = preset, labels, without, beside
        self.folder = os.path.abspath(f"build/{preset}")

    def has(self, test):
        """A part is a fixture: it runs where a test needs it."""
        fits = self.labels is None or any(re.fullmatch(self.labels, label) for label in test.labels)
        return fits and not any(re.fullmatch(f"part|{self.without}", label) for label in test.labels)

    def tests(self):
        listed = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
        return [test for test in (Test(self.preset, entry) for entry in json.loads(listed)["tests"]) if self.has(test)]

    def targets(self, chosen):
        """What has to be built for these tests: every file below the build folder that they name."""
        named = {word for test in chosen for word in test.command + test.files if word.startswith(self.folder + "/")}
        return sorted(os.path.relpath(word, self.folder) for word in named)

    def run(self, names, cores, folder, second=False):
        """Runs these by ctest, which prints as it goes."""
        if not names:
            return []
        report = os.path.abspath(f"{folder}/{self.preset}{'-again' if second else ''}.xml")
        beside = cores if second else max(1, int(cores * self.beside))
        subprocess.run(["ctest", "--test-dir", self.folder, "--output-on-failure", "--no-tests=error", "-j", str(beside), "--output-junit", report,
                        "-R", "^(" + "|".join(map(re.escape, names)) + ")$"])
        return [Result(self.preset, case) for case in xml.etree.ElementTree.parse(report).iter("testcase")]
