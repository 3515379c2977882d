"""The tests that ctest knows."""
import json
import os
import re
import subprocess


class Test:
    """One entry of ctest, in one preset."""

    def __init__(self, stage, entry):
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        self.stage, self.name, self.command = stage, entry["name"], entry.get("command", [])
        self.labels = properties.get("LABELS", [])
        self.files = properties.get("REQUIRED_FILES", [])
        self.parts = [each.removeprefix("part_") for each in properties.get("FIXTURES_REQUIRED", [])]
        self.environment = properties.get("ENVIRONMENT", [])
        self.folder = properties.get("WORKING_DIRECTORY", ".")
        self.seconds = properties.get("COST", 1)  # expected duration in seconds
        self.limit = properties.get("TIMEOUT", 300)

    @property
    def on_real_parts(self):
        return bool({"real", "story", "long"} & set(self.labels))

    @property
    def repeatable(self):
        """True if it depends only on its inputs: no real part, no thread, no process, no clock."""
        return set(self.labels) <= {"unit", "slow"}

    def missing(self):
        """The required files that do not exist."""
        return [each for each in self.files if not os.path.exists(each)]


class Stage:
    """One preset, and its tests that the gate runs, selected by label."""

    def __init__(self, preset, labels=None, without=None):
        self.preset, self.labels, self.without = preset, labels, without
        self.folder = os.path.abspath(f"build/{preset}")

    def has(self, test):
        """Whether the stage runs this test. A part is a fixture, built where a test needs it."""
        fits = self.labels is None or any(re.fullmatch(self.labels, label) for label in test.labels)
        return fits and not any(re.fullmatch(f"part|{self.without}", label) for label in test.labels)

    def tests(self):
        return [test for test in (Test(self.preset, entry) for entry in self.entries()) if self.has(test)]

    def entries(self):
        listed = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
        return json.loads(listed)["tests"]

    def complete(self, chosen):
        """Reads the commands again after the build: ctest reports none for a program that does not exist yet."""
        commands = {entry["name"]: entry.get("command", []) for entry in self.entries()}
        for test in chosen:
            test.command = commands[test.name]

    def targets(self, chosen):
        """The build targets of these tests: every file below the build folder that they name."""
        named = {word for test in chosen for word in test.command + test.files if word.startswith(self.folder + "/")}
        return sorted(os.path.relpath(word, self.folder) for word in named)
