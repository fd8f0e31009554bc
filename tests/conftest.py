# SPDX-License-Identifier: Apache-2.0
"""Pytest as the other tests are: every test is a proposition, in a folder of its file, and the last line is
`N passed, N failed`. What a test measures it tells by the fixture `measured`."""
import os
import sys
import tempfile

import pytest

sys.path.insert(0, os.path.dirname(__file__))
sys.dont_write_bytecode = True
verdicts = {"passed": 0, "failed": 0}

# Files in which sanitizers see every third test: those about hostile and wrong input, and the one that calls `limber verify`.
THIRDS = {f"test_{name}.py" for name in ("carets", "cli_attacks", "cli_check", "cli_damaged", "cli_failures", "cli_outputs", "cli_static")}


def pytest_addoption(parser):
    parser.addoption("--write", action="store_true", help="write the notes that files of tests/models must earn anew")


def is_tested_beside():
    """Whether the program has sanitizers, or is the one without MPI: the usual build goes through all tests."""
    from support import sanitizer
    return sanitizer() or os.environ.get("LIMBER_WITHOUT_MPI")


def is_left_to_programs(item):
    """Whether it compares ranks: test programs do so under sanitizers (test_mpi_*_on_2), where ranks that wait cost most."""
    return "two_ranks" in item.name or (hasattr(item, "callspec") and item.callspec.params.get("ranks", 1) > 2)


def stride_of(item):
    if item.path.name == "test_without_mpi.py":
        return 1
    return 3 if os.environ.get("LIMBER_WITHOUT_MPI") or item.path.name in THIRDS else 5


def pytest_collection_modifyitems(config, items):
    """Builds that are tested beside the usual one see a part of the tests of a file, and of the schemes with which a test is
    repeated the first and the last. Every command is among them; test programs go through the rest of the code."""
    if not is_tested_beside():
        return
    schemes = {}
    for item in items:
        if hasattr(item, "callspec") and "scheme" in item.callspec.params:
            schemes.setdefault(item.nodeid.partition("[")[0], []).append((item.callspec.params["scheme"], item))
    left_out = [item for found in schemes.values() for scheme, item in found if scheme not in (found[0][0], found[-1][0])]
    left_out += [item for i, item in enumerate(items) if i % stride_of(item)]
    left_out = set(left_out).union(filter(is_left_to_programs, items))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [i for i in items if i not in left_out]


@pytest.fixture(scope="module", autouse=True)
def folder():
    """All tests of a file work in one folder, which goes with them."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="limber.") as name:
        os.chdir(name)
        yield name
        os.chdir(before)


@pytest.fixture
def measured(record_property):
    return lambda text: record_property("measured", text)


def pytest_runtest_logreport(report):
    name = report.nodeid.rpartition("::")[2].removeprefix("test_")
    if report.when == "call" and report.passed:
        verdicts["passed"] += 1
        print(f"ok   {name}", flush=True)
    elif report.failed:  # before, within or after the test
        verdicts["failed"] += 1
        print(f"FAIL {name}", flush=True)
    elif report.skipped:
        print(f"     not tried: {name}: {report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr}", flush=True)
    if report.when == "call":
        for key, value in report.user_properties:
            print(f"     {key}: {value}", flush=True)


def pytest_collectreport(report):
    if report.failed:
        verdicts["failed"] += 1


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report):
    if report.when == "call" or not report.failed:
        return report.outcome if report.when == "call" else "", "", ""


def pytest_unconfigure():
    print(f"{verdicts['passed']} passed, {verdicts['failed']} failed", flush=True)
