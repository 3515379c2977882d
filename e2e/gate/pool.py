"""Runs tests of all presets in parallel, as many as the machine has capacity for."""
import os
import signal
import subprocess
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait


class Load:
    """Load of the processors by processes that are not niced: niced ones yield."""

    def __init__(self):
        self.before = self.read()

    @staticmethod
    def read():
        with open("/proc/stat") as stat:
            user, nice, system, idle, waits, *rest = map(int, stat.readline().split()[1:])
        return idle + waits + nice, user + nice + system + idle + waits + sum(rest[:3])

    def idle(self):
        """The idle share since the last call; 0 if that was less than a second ago."""
        now = self.read()
        free, whole = (new - old for new, old in zip(now, self.before))
        if whole < os.sysconf("SC_CLK_TCK") * (os.cpu_count() or 1):
            return 0
        self.before = now
        return free / whole


class Result:
    """The result of one run of a test, and the path of its output."""

    def __init__(self, test, log, code=None, seconds=0.0, busy=0.0):
        self.test, self.log, self.code, self.seconds, self.busy = test, log, code, seconds, busy
        self.passed, self.second = code == 0, None

    @property
    def good(self):
        return self.passed or bool(self.second and self.second.passed)


class Pool:
    """At least two tests per core run at any time, and more while 15 % of the machine is idle. Tests of up to a second start
    first, because they show most faults of a change; then the longest."""

    IDLE = 0.15

    def __init__(self, cores, folder):
        self.at_least, self.at_most = 2 * cores, 6 * cores
        self.folder, self.running, self.load = folder, {}, Load()

    def run(self, tests, needs, known, told):
        """Runs each test once all its `needs` (futures) are done, unless it is then `known` to pass. Calls `told` with each result. A test
        does not run if one of its needs failed."""
        waiting, results = sorted(tests, key=lambda each: (each.seconds > 1, -each.seconds)), []
        with ThreadPoolExecutor(self.at_most) as threads:
            try:
                while waiting or self.running:
                    self.begin_some(waiting, needs, known, threads)
                    if waiting and not self.running:
                        wait({each for test in waiting for each in needs(test) if not each.done()}, timeout=1, return_when=FIRST_COMPLETED)
                    for each in wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                        del self.running[each]
                        results.append(each.result())
                        told(results[-1])
            finally:
                self.end_all()
        return results

    def begin_some(self, waiting, needs, known, threads):
        """Starts tests that can run, in order, while there is capacity. Known ones need none."""
        for test in [each for each in waiting if all(one.done() for one in needs(each))]:
            why = [str(each.exception()) for each in needs(test) if each.exception()] + [f"{each} does not exist" for each in test.missing()]
            if not why and known(test):
                waiting.remove(test)
            elif self.has_room():
                waiting.remove(test)
                one = Run(test, self.folder, why)
                self.running[threads.submit(one)] = one
            else:
                return

    def has_room(self):
        return len(self.running) < self.at_least or (len(self.running) < self.at_most and self.load.idle() > self.IDLE)

    def end_all(self):
        for each in self.running.values():
            each.kill()


class Run:
    """One run of a test: limited in time, its output in a separate file."""

    def __init__(self, test, folder, why_not):
        self.test, self.why_not, self.process = test, why_not, None
        self.log = f"{folder}/{test.stage}-{test.name}.log"
        os.makedirs(folder, exist_ok=True)

    def __call__(self):
        with open(self.log, "w") as out:
            if self.why_not:
                out.write("It did not run: " + "; ".join(self.why_not) + "\n")
                return Result(self.test, self.log)
            begun = time.monotonic()
            environment = os.environ | dict(each.split("=", 1) for each in self.test.environment)
            # Its own process group, but not its own session: between sessions the kernel shares the processors without regard to `nice`.
            self.process = subprocess.Popen(self.test.command, cwd=self.test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, process_group=0)
            code, used = self.await_end(begun + self.test.limit)
            if code is None:
                out.write(f"\nIt did not end within {self.test.limit:.0f} s, and was killed.\n")
            return Result(self.test, self.log, code, time.monotonic() - begun, used.ru_utime + used.ru_stime)

    def await_end(self, until):
        """Its exit code (None if it was killed), and the processor time of it and its children."""
        late = False
        while True:
            pid, status, used = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.process.returncode = os.waitstatus_to_exitcode(status)
                return None if late else self.process.returncode, used
            if time.monotonic() > until:
                late = True
                self.kill()
            time.sleep(0.02)

    def kill(self):
        """Kills the process group, so also its children."""
        if self.process and self.process.returncode is None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
