# SPDX-License-Identifier: Apache-2.0
"""What .ci/run makes of the verdicts of ctest (.ci/propositions): counts, skips, and tests that pass only when they are repeated."""
import os
import subprocess
import sys

from support import source


def propositions(*arguments):
    done = subprocess.run([sys.executable, source / ".ci/propositions", *arguments], text=True, stdout=subprocess.PIPE)
    return done.returncode, done.stdout


def write_verdicts(path, **tests):
    """tests: name = (whether it ended well, what it printed)"""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    cases = "".join(f'<testcase name="{name}" status="{"run" if good else "fail"}"><system-out>{said}</system-out></testcase>'
                    for name, (good, said) in tests.items())
    with open(path, "w") as f:
        f.write(f"<testsuite>{cases}</testsuite>")


def test_propositions_are_counted():
    write_verdicts("counts/tests.xml", one=(True, ""), many=(True, "ok   a\n7 passed, 0 failed\n"), bad=(False, "3 passed, 0 failed\n"))
    assert propositions("counts/tests.xml") == (0, "11 1 0\n")
    assert propositions("--names", "counts/tests.xml") == (0, "^(bad)$\n")
    assert propositions("nothing.xml") == (0, "0 1 0\n")


def test_a_skip_is_named_and_a_missing_program_is_a_failure():
    disk = "     not tried: a_full_disk: Skipped: a small disk cannot be mounted here\n"
    two_ranks = "     not tried: two: Skipped: without MPI\n     not tried: three: Skipped: without MPI\n"
    write_verdicts("skips/tests.xml", disk=(True, disk + "1 passed, 0 failed\n"), ranks=(True, two_ranks + "0 passed, 0 failed\n"))
    assert propositions("skips/tests.xml") == (0, "1 0 3\n")
    assert propositions("--skips", "skips/tests.xml") == (0, "disk: a small disk cannot be mounted here\nranks: without MPI (2 propositions)\n")
    write_verdicts("missed/tests.xml", plot=(True, "     not tried: draws: Skipped: no gnuplot here\n4 passed, 0 failed\n"))
    assert propositions("missed/tests.xml") == (0, "4 1 0\n")
    assert propositions("--failures", "missed/tests.xml") == (0, "FAIL plot: not tried: draws: Skipped: no gnuplot here\n")


def test_a_test_that_passes_only_when_repeated_fails_the_second_time():
    def run(preset, name, steady):
        write_verdicts(f"{preset}/tests.xml", **{name: (steady, "0 passed, 1 failed\n")})
        write_verdicts(f"{preset}/again.xml", **({} if steady else {name: (True, "1 passed, 0 failed\n")}))
        return propositions("--unsteady", "again.txt", preset)

    failure = "FAIL dev/slow_start: it passed only when repeated, in two runs in a row\n"
    assert run("dev", "slow_start", steady=False) == (0, "")
    assert propositions("--failures", "dev/tests.xml", "dev/again.xml")[1].startswith("UNSTEADY slow_start: ")
    assert run("sanitize", "slow_start", steady=False) == (0, "")  # another build
    assert run("dev", "slow_start", steady=False) == (1, failure)
    assert run("dev", "slow_start", steady=True) == (0, "")
    assert run("dev", "slow_start", steady=False) == (0, "")
