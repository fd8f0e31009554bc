# SPDX-License-Identifier: Apache-2.0
"""Runs that go on from their checkpoints: to the same bits, whatever ended them."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from support import Going, count, edited, environment, h5, limber, models, program, run, same_bytes, same_results, settings, source, write

SCHEMES = ["preserving", "decaying_c", "generalized_alpha"]


def resume(results, *words, **options):
    said = limber("resume", results, "-q", *words, **options)
    assert said.code == 0, said.err
    return said


def assert_same_files(a, b):
    """Results and sidecars of two names have the same bytes, but for the names in the sidecar."""
    assert same_bytes(a + ".h5", b + ".h5")
    assert pathlib.Path(a + ".xdmf").read_text().replace(a + ".h5", b + ".h5") == pathlib.Path(b + ".xdmf").read_text()


# ---- a later end ----
# The early end lies between rows and between snapshots, which the run to the late end does not have there.
def later(model, early, late, *changes):
    run(model, "whole.h5", *settings(f"run.end={late}", *changes))
    run(model, "part.h5", *settings(f"run.end={early}", *changes))
    resume("part.h5", "--end", late)
    return same_results("whole.h5", "part.h5")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_later_end_gives_the_bits_of_the_longer_run(scheme):
    assert later(models / "swing.yaml", 0.021, 0.04, f"run.scheme={scheme}", "run.snapshots=3ms", "run.every=4") == "same"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_so_it_does_with_drives_and_redundant_joints(scheme):
    assert later(models / "four_bar.yaml", 0.053, 0.1, f"run.scheme={scheme}") == "same"


def test_a_later_end_gives_the_bits_of_the_longer_run_with_exponential():
    assert later(source / "examples/truss/truss.yaml", 0.0021, 0.004, "run.snapshots=0.3ms") == "same"


def test_the_same_where_files_are_included():
    assert later(models / "gust.yaml", 0.02, 0.04, "run.snapshots=3ms") == "same"


def test_the_summary_is_of_the_whole_run():
    run(models / "gust.yaml", "summary.h5", *settings("run.end=0.02"))
    assert count("^summary.h5: .* to t = 0.05 s, in", limber("resume", "summary.h5", "--end", "50ms").out) == 1


def test_snapshots_keep_their_interval():
    run(models / "swing.yaml", "s.h5", *settings("run.end=10ms"))
    resume("s.h5", "--end", "20ms")
    with h5("s.h5") as f:
        assert len(f["VTKHDF/Steps/Values"]) == 41


# ---- signals ----
def stopped(how, *words):
    """A run to part.h5 that gets a signal once its first checkpoint is there; it is long enough for that."""
    pathlib.Path("part.checkpoint").unlink(missing_ok=True)
    with Going("run", models / "swing.yaml", "-q", "-o", "part.h5", *words) as going:
        for _ in range(1000):
            if os.path.exists("part.checkpoint"):
                break
            time.sleep(0.01)
        time.sleep(0.15)
        return going.stop(how)


@pytest.fixture(scope="module", params=["SIGTERM", "SIGINT"])
def signalled(request, folder):
    run(models / "swing.yaml", "whole.h5", *settings("run.end=0.4"))
    return stopped(getattr(signal, request.param), *settings("run.end=0.4"))


def test_a_signal_ends_a_run_with_a_word_on_how_to_go_on(signalled):
    assert signalled.code == 1
    assert count("interrupted at t = .* limber resume part.h5$", signalled.err) == 1


def test_after_a_signal_the_results_have_the_same_bytes(signalled):
    resume("part.h5")
    assert_same_files("whole", "part")


def test_a_signal_inside_a_long_step_ends_it_at_once_and_the_results_go_on_to_the_same_bytes(measured):
    net = subprocess.run([sys.executable, source / "benchmarks/net.py", "60", "1"], text=True, stdout=subprocess.PIPE).stdout
    write("net.yaml", net + "run: {step: 10 ms, end: 20 ms}\n")
    with Going("run", "net.yaml", "-q", "-o", "net_part.h5") as going:
        while not os.path.exists("net_part.checkpoint"):
            time.sleep(0.01)
        begun = time.monotonic()
        said = going.stop(signal.SIGTERM)
        taken = time.monotonic() - begun
    measured(f"ended after {taken:.2f} s")
    assert said.code == 1 and taken < 2
    assert "limber run: interrupted inside a step, which is lost; from the last checkpoint the run continues with: " \
           "limber resume net_part.h5" in said.err
    resume("net_part.h5")
    run("net.yaml", "net_whole.h5")
    assert_same_files("net_whole", "net_part")


def test_a_killed_run_that_chooses_its_steps_has_the_same_bytes():
    chosen = settings("run.control={loss: 1 mW, rows: 1.5 ms}", "run.snapshots=20ms", "run.end=0.8")
    run(models / "swing.yaml", "whole.h5", *chosen)
    assert stopped(signal.SIGKILL, "--checkpoint", "0.05s", *chosen).code == 137
    resume("part.h5")
    assert_same_files("whole", "part")


# ---- SIGKILL at any time ----
def test_ten_runs_killed_at_random_have_the_same_bytes(measured):
    seed = random.randrange(32768)
    measured(f"seed {seed}")
    done = subprocess.run(["bash", source / "benchmarks/kill.sh", "10", str(seed)], env=environment(LIMBER=program), text=True,
                          stdout=subprocess.PIPE)
    last = done.stdout.rstrip("\n").split("\n")[-1].split(",")
    assert (last[0], last[3]) == ("10", "10"), done.stdout


def test_a_run_killed_before_the_last_write_of_its_results_has_the_same_bytes():
    run(models / "swing.yaml", "whole.h5", *settings("run.end=0.02"))
    for end in ("h5", "xdmf", "checkpoint"):
        shutil.copy("whole." + end, "part." + end)
    with open("part.h5", "r+b") as f:
        f.seek(20)
        assert f.read(1) == b"\0"
        f.seek(20)
        f.write(b"\1")  # HDF5's mark of a file that is open: removing it is the last write of all
    resume("part.h5")
    assert_same_files("whole", "part")
    assert "give a later end with --end" in limber("resume", "part.h5").err


def test_a_run_killed_after_the_first_write_of_its_results_starts_again():
    run(models / "swing.yaml", "start.h5", *settings("run.end=0.002"))
    for size in (96, 600):
        with open("start.h5", "rb") as f:
            begun = bytearray(f.read(96).ljust(size, b"\0"))
        begun[20] = 1  # open
        pathlib.Path("begun.h5").write_bytes(begun)
        run(models / "swing.yaml", "begun.h5", *settings("run.end=0.002"))
        assert same_results("start.h5", "begun.h5", 0) == "same"
    pathlib.Path("begun.h5").write_bytes(begun[:96] + b"x" * 504)  # there are data, of whomever
    assert "is not a results file (HDF5) that Limber wrote" in limber("run", models / "swing.yaml", "-o", "begun.h5").err


# ---- two processes ----
@pytest.fixture(scope="module")
def two(folder):
    """two_whole.h5 and two_part.h5, which ends earlier, by two processes."""
    swing = ["run.snapshots=3ms", "run.every=4"]
    run(models / "swing.yaml", "two_whole.h5", *settings("run.end=0.04", *swing), ranks=2)
    run(models / "swing.yaml", "two_part.h5", *settings("run.end=0.021", *swing), ranks=2)


def branch_files(name, to):
    shutil.copy(name + ".h5", to + ".h5")
    shutil.copy(name + ".checkpoint", to + ".checkpoint")


# measured: 5e-9 of the largest number of a dataset, in the forces of stiff beams, as between one process and two anyway
def test_two_processes_go_on_to_round_off(two):
    shutil.copy("two_part.h5", "kept.h5")
    shutil.copy("two_part.checkpoint", "kept.checkpoint")
    resume("two_part.h5", "--end", "0.04", ranks=2)
    assert same_results("two_whole.h5", "two_part.h5", 1e-7) == "same"
    shutil.copy("kept.h5", "two_part.h5")
    shutil.copy("kept.checkpoint", "two_part.checkpoint")


LONG_CHAIN = """
limber: 1
sections:
  rod: {E: 210 GPa, nu: 0.3, density: 7800 kg/m3, rectangle: [10 mm, 10 mm]}
elements:
  - beam: {name: rod, start: [0, 0, 0], end: [120 m, 0, 0], up: [0, 0, 1], section: rod, elements: 1200, order: 3}
joints:
  - clamp: {node: rod.start}
loads:
  - gravity: {acceleration: [0, 1, -9.81]}
run: {scheme: decaying, step: 1 ms, end: 6 ms, every: 2, snapshots: 4 ms}
"""


# 21600 unknowns: each process eliminates its own part
def test_two_processes_of_a_long_chain_go_on_to_the_same_bits(folder):
    model = write("long_chain.yaml", LONG_CHAIN)
    run(model, "long_whole.h5", ranks=2)
    run(model, "long_part.h5", *settings("run.end=3ms"), ranks=2)
    resume("long_part.h5", "--end", "6ms", ranks=2)
    assert same_results("long_whole.h5", "long_part.h5") == "same"


@pytest.mark.parametrize("ranks", [1, 3])
def test_another_number_of_processes_goes_on_where_two_stopped(two, ranks):
    branch_files("two_part", "other_ranks")
    said = limber("resume", "other_ranks.h5", "--end", "0.04", ranks=ranks)
    assert said.code == 0
    assert count(f"note: the number of processes was 2 and is now {ranks}", said.out) == 1
    assert same_results("two_whole.h5", "other_ranks.h5", 1e-7) == "same"


def test_two_processes_go_on_where_one_stopped():
    run(models / "four_bar.yaml", "one.h5", *settings("run.end=0.053"))
    run(models / "four_bar.yaml", "whole.h5", *settings("run.end=0.1"))
    resume("one.h5", "--end", "0.1", ranks=2)
    assert same_results("whole.h5", "one.h5", 1e-7) == "same"


# ---- branches ----
PUSH = "loads.push.direction=[0, 0, 1]"


@pytest.fixture(scope="module")
def branch(folder):
    """run.h5 to 0.02 s, before.h5 its copy, branch.h5 with another load from there on."""
    run(models / "swing.yaml", "run.h5", *settings("run.end=0.02"))
    shutil.copy("run.h5", "before.h5")
    shutil.copy("run.checkpoint", "good.checkpoint")
    said = limber("resume", "run.h5", "-q", "-o", "branch.h5", "--end", "0.03", *settings(PUSH))
    shutil.copy("branch.checkpoint", "foreign.checkpoint")
    return said


def test_a_branch_leaves_the_run_as_it_was(branch):
    assert branch.code == 0
    assert same_bytes("run.h5", "before.h5")


def test_a_branch_has_the_same_past_and_another_future(branch):
    resume("run.h5", "-o", "straight.h5", "--end", "0.03")
    with h5("branch.h5") as a, h5("straight.h5") as b:
        x, y = (f["history/probes/B/position"][()] for f in (a, b))
        assert len(x) == 61
        assert np.array_equal(x[:41], y[:41])
        assert np.abs(x[-1] - y[-1]).max() > 1e-9
        assert (a.attrs["changed_at"], a.attrs["end"]) == (0.02, 0.03)
        assert a.attrs["changes"].tolist() == [PUSH, "run.end=0.03"]


def test_a_branch_goes_on_with_its_changes(branch):
    resume("branch.h5", "--end", "0.04")
    resume("run.h5", "-o", "whole.h5", "--end", "0.04", *settings(PUSH))
    assert same_results("whole.h5", "branch.h5") == "same"


# ---- branches that change what is stored ----
def account(f):
    """What the ledger leaves open, over the largest energy; and that energy."""
    ledger = f["history/ledger"]
    energy = sum(ledger[n][()] for n in ("kinetic", "strain", "potential", "scheme_energy"))
    open_by = energy - energy[0] - ledger["work"][()] + ledger["damping"][()] + ledger["dissipated"][()]
    return np.abs(open_by).max(), energy


# What the change is worth, by hand from the state at the branch: 1/2 dm v^2 + dm g z, 1/2 dk z^2, (g'/g - 1) V; E twice as
# large doubles the arm's energy, which is what springs leave of the strain energy.
# measured: accounts open by 3e-15 of the energy at most, bookings off by 3e-16
def assert_booked(results, what, change):
    resume(results, "-o", "other.h5", "--end", "0.4", *settings(change))
    with h5("other.h5") as f:
        ledger, at = f["history/ledger"], 40  # the row of the branch
        v, z = (f["history/probes/tip/" + n][at] for n in ("velocity", "position"))
        long = np.linalg.norm(z - [1.2, 0.3, 1.5]) - 1
        angle = f["history/probes/hinge/angle"][at] - 0.1
        strain, potential = ledger["strain"][at], ledger["potential"][at]
        expected = {"gravity": (3 / 9.81 - 1) * potential, "spring": 20 * long**2, "hinge": 30 * angle**2,
                    "section": strain - 20 * long**2 - 15 * angle**2, "mass": 0.5 * v @ v + 9.81 * z[2], "nothing": 0}[what]
        open_by, energy = account(f)
        scale = np.abs(energy).max()
        assert open_by <= 1e-12 * scale
        assert abs(f.attrs["changed_work"] - expected) <= 1e-12 * scale
        assert "%.6g J" % f.attrs["changed_work"] in f.attrs["remarks"] or what == "nothing" and f.attrs["remarks"] == ""
        assert (len(energy), f.attrs["status"]) == (81, "finished")


@pytest.fixture(scope="module", params=SCHEMES)
def stored(request, folder):
    run(models / "branch.yaml", "stored.h5", *settings("run.end=0.2", f"run.scheme={request.param}"))
    return "stored.h5"


def test_a_branch_books_other_gravity(stored):
    assert_booked(stored, "gravity", "let.g=3")


def test_a_branch_books_another_spring(stored):
    assert_booked(stored, "spring", "elements.string.stiffness=80")


def test_a_branch_books_another_spring_of_a_joint(stored):
    assert_booked(stored, "hinge", "joints.hinge.angle.stiffness=90")


def test_a_branch_books_another_section(stored):
    assert_booked(stored, "section", "sections.strip.E=4GPa")


def test_a_branch_books_another_mass(stored):
    assert_booked(stored, "mass", "elements.load.mass=3")


def test_a_branch_books_nothing_for_another_damper(stored):
    assert_booked(stored, "nothing", "elements.arm.damping=1e-3")


@pytest.fixture(scope="module")
def stored_by_two(folder):
    run(models / "branch.yaml", "by_two.h5", *settings("run.end=0.2"), ranks=2)
    return "by_two.h5"


@pytest.fixture(scope="module")
def less_gravity(stored_by_two):
    """A branch by one process of what two have stored."""
    return limber("resume", stored_by_two, "-o", "less.h5", "--end", "0.4", *settings("let.g=3"))


def test_a_branch_on_another_number_of_processes_books_no_round_off(stored_by_two):
    assert_booked(stored_by_two, "nothing", "elements.arm.damping=1e-3")


def test_two_processes_book_what_one_does(stored_by_two, less_gravity):
    resume(stored_by_two, "-o", "two.h5", "--end", "0.4", *settings("let.g=3"), ranks=2)
    assert same_results("less.h5", "two.h5", 1e-7) == "same"


def test_the_summary_tells_what_was_booked(less_gravity):
    assert count(r"note: at t = 0.2 s, where the model was changed, the stored energy changes by -2\.[0-9]+ J|"
                 r"-2\.[0-9]+ J of that work is the change", less_gravity.out) == 2


def test_a_branch_of_a_branch_adds_to_it(less_gravity):
    resume("less.h5", "-o", "again.h5", "--end", "0.5", *settings("elements.load.mass=3"))
    with h5("less.h5") as a, h5("again.h5") as b:
        assert len(b.attrs["remarks"].splitlines()) == 2
        assert a.attrs["changed_work"] != b.attrs["changed_work"]


def test_a_branch_of_the_exponential_scheme_books_another_stiffness():
    run(source / "examples/truss/truss.yaml", "truss.h5", *settings("run.end=2ms"))
    resume("truss.h5", "-o", "stiff.h5", "--end", "4ms", *settings("let.E=4.2e11"))
    with h5("stiff.h5") as f:
        open_by, energy = account(f)
        assert open_by <= 1e-12 * energy.max()
        assert abs(f.attrs["changed_work"] / f["history/ledger/strain"][20] - 1) <= 1e-12


# ---- the model ----
def test_a_model_file_that_changed_is_noted():
    shutil.copy(models / "swing.yaml", "mine.yaml")
    run("mine.yaml", "mine.h5", *settings("run.end=0.01"))
    edited("mine.yaml", "rho_inf: 0.5", "rho_inf: 0.6", "mine.yaml")
    assert count("note: .*mine.yaml has changed since the start of the run; the",
                 limber("resume", "mine.h5", "--end", "20ms").out) == 1


# ---- what is refused ----
def assert_refused(pattern, *words):
    """Exit code 2, one line that matches, and the results untouched."""
    before = pathlib.Path("run.h5").read_bytes()
    said = limber("resume", *words)
    assert said.code == 2
    assert count(pattern, said.err) == 1, said.err
    assert pathlib.Path("run.h5").read_bytes() == before


def at(place, byte):
    """run.checkpoint with another byte at a place."""
    data = bytearray(pathlib.Path("good.checkpoint").read_bytes())
    data[place] = byte
    pathlib.Path("run.checkpoint").write_bytes(data)


@pytest.fixture
def checkpoint(branch):
    """The checkpoint of run.h5, which is good again after the test."""
    shutil.copy("good.checkpoint", "run.checkpoint")
    yield pathlib.Path("run.checkpoint")
    shutil.copy("good.checkpoint", "run.checkpoint")


def test_a_run_at_its_end_needs_a_later_one(checkpoint):
    assert_refused(r"^limber resume: run.h5 is at t = 0.02 s, and its end is 0.02 s; give a later end with --end$", "run.h5")


def test_changes_need_a_file_of_their_own(checkpoint):
    assert_refused(r"^limber resume: 'let.n=3' changes the model: .* -o branch.h5$", "run.h5", *settings("let.n=3"))


def test_the_results_are_no_branch_of_themselves(checkpoint):
    assert_refused("-o is 'run.h5' itself", "run.h5", "-o", "run.h5", "--end", "1")


def test_mistakes_in_changes_are_noted(checkpoint):
    assert_refused("^--set:2:7: error: 'loads' has no entry 'pish'; did you mean 'push'", "run.h5", "-o", "x.h5",
                   *settings("loads.pish.direction=[1, 0, 0]"))


def test_another_scheme_is_refused(checkpoint):
    assert_refused("the run has scheme decaying_c; a run cannot continue with scheme preserving", "run.h5", "-o", "x.h5", "--end", "1",
                   *settings("run.scheme=preserving"))


def test_another_step_is_refused(checkpoint):
    assert_refused("the run has steps of 0.0005 s; they cannot change to 0.001 s in a run that continues", "run.h5", "-o", "x.h5", "--end", "1",
                   *settings("run.step=1ms"))


def test_other_elements_are_refused(checkpoint):
    assert_refused("the elements differ from those of the run", "run.h5", "-o", "x.h5", "--end", "1",
                   *settings("elements.strip1.elements=3"))


def test_an_interval_must_be_a_time(checkpoint):
    assert_refused("--checkpoint needs a time, such as 60s, 5min or 0 for none, not 'often'", "run.h5", "--end", "1",
                   "--checkpoint", "often")


def test_a_checkpoint_that_is_cut_off_is_refused(checkpoint):
    checkpoint.write_bytes(checkpoint.read_bytes()[:5000])
    assert_refused("'run.checkpoint' is truncated or has grown", "run.h5", "--end", "1")


def test_a_damaged_checkpoint_is_refused(checkpoint):
    at(9001, ord("x"))
    assert_refused("'run.checkpoint' is damaged: its checksum is wrong", "run.h5", "--end", "1")


def test_another_format_is_refused(checkpoint):
    at(12, 7)
    assert_refused("has format 7, this version of Limber reads 2: resume with the version that wrote it", "run.h5", "--end", "1")


def test_a_checkpoint_of_another_run_is_refused(checkpoint):
    shutil.copy("foreign.checkpoint", checkpoint)
    assert_refused("'run.h5' is not the file that the checkpoint next to it belongs to", "run.h5", "--end", "1")


def test_results_that_are_not_there_are_named(checkpoint):
    checkpoint.unlink()
    assert_refused("^limber resume: cannot read 'gone.h5': No such file", "gone.h5")


def test_a_model_is_no_result(checkpoint):
    shutil.copy(models / "swing.yaml", "mine.yaml")
    assert_refused("mine.yaml' is not a results file; limber resume takes those of a run, such as run.h5", "mine.yaml")


def test_a_run_without_checkpoint_says_what_to_do(checkpoint):
    checkpoint.unlink()
    assert_refused("there is no checkpoint 'run.checkpoint' next to 'run.h5'", "run.h5", "--end", "1")


def test_no_checkpoints_are_written_where_none_are_wanted():
    run(models / "swing.yaml", "none.h5", "--checkpoint", "0", *settings("run.end=1ms"))
    assert sorted(map(str, pathlib.Path().glob("none.*"))) == ["none.h5", "none.xdmf"]


def test_a_new_run_removes_the_checkpoint_of_an_old_one(branch):
    shutil.copy("good.checkpoint", "none.checkpoint")
    run(models / "swing.yaml", "none.h5", "--checkpoint", "0", *settings("run.end=1ms"))
    assert sorted(map(str, pathlib.Path().glob("none.*"))) == ["none.h5", "none.xdmf"]
