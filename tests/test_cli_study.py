# SPDX-License-Identifier: Apache-2.0
"""Studies: the table has the same bytes whoever did the runs, and whatever interrupted them."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

from support import command, environment, h5, limber, program, run, same_bytes, write

RUNS = 200
MODEL = """limber: 1
let: {length: 1 m, damping: 0.02, step: 20 ms}
nodes: {pivot: [0, 0, 0]}
elements:
  - rigid_body: {name: bob, node: pivot, mass: 1, inertia: [0.1, 0.1, 0.1], centre: [length, 0, 0]}
joints:
  - revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0], angle: {damping: damping}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: hinge, joint: hinge}
run: {scheme: preserving, step: step, end: 1 s}
"""
# The damping is negative in about two of a hundred runs: the model refuses that.
PLAN = f"""limber: 1
title: Many pendulums
study:
  model: swing.yaml
  vary:
    let.length: {{uniform: [0.5 m, 1.5 m]}}
    let.damping: {{normal: [0.02, 0.01]}}
  design: random
  runs: {RUNS}
  seed: 1
  summary:
    - {{channel: hinge.angle, statistics: [extremes, mean, deviation]}}
    - {{channel: ledger.kinetic, statistics: [extremes]}}
"""


def study(plan, output, *words, **options):
    said = limber("study", plan, "-o", output, *words, **options)
    assert said.code == 0, said.err
    return said


@pytest.fixture(scope="module")
def whole():
    """The table that two workers make, undisturbed."""
    write("swing.yaml", MODEL)
    write("plan.yaml", PLAN)
    said = study("plan.yaml", "whole.h5", "--workers", 2)
    assert not os.path.exists("whole.blocks")
    return said


def test_a_row_has_the_statistics_of_its_run(whole):
    with h5("whole.h5") as f:
        assert f["status"].shape == (RUNS,)
        row, names = f["statistics"][7], [str(n) for n in f["statistics"].attrs["columns"]]
        units = dict(zip(names, (str(u) for u in f["statistics"].attrs["units"])))
        assert units["hinge.angle max"] == "rad" and units["ledger.kinetic max"] == "J" and units["ledger.kinetic max time"] == "s"
        concurrent, beside = f["concurrent"][7], [str(n) for n in f["concurrent"].attrs["columns"]]
        length, damping = f["parameters"][7]
        assert f["steps"][7] == 50 and f["time"][7] == pytest.approx(1)
    run("swing.yaml", "seven.h5", "--set", f"let.length={length:.17g} m", "--set", f"let.damping={damping:.17g}")
    with h5("seven.h5") as f:
        angle, kinetic = f["history/probes/hinge/angle"][:].ravel(), f["history/ledger/kinetic"][:]
        t = f["history/time"][:]
    assert row[names.index("hinge.angle max")] == angle.max()
    assert row[names.index("hinge.angle max time")] == t[angle.argmax()]
    assert row[names.index("hinge.angle min")] == angle.min()
    assert concurrent[beside.index("ledger.kinetic at max of hinge.angle")] == kinetic[angle.argmax()]
    assert concurrent[beside.index("hinge.angle at max of ledger.kinetic")] == angle[kinetic.argmax()]


@pytest.fixture(scope="module")
def bars(whole):
    """The study with error bars, and the one without with an eighth of the step."""
    write("bars.yaml", PLAN.replace("seed: 1", "seed: 1\n  error_bars: true").replace(f"runs: {RUNS}", "runs: 40"))
    said = study("bars.yaml", "bars.h5", "--workers", 2)
    write("fine.yaml", PLAN.replace(f"runs: {RUNS}", "runs: 40").replace("swing.yaml", "eighth.yaml"))
    write("eighth.yaml", MODEL.replace("20 ms", "2.5 ms"))
    study("fine.yaml", "fine.h5", "--workers", 2)
    return said


def test_the_true_error_is_inside_the_error_bar(whole, bars, measured):
    with h5("bars.h5") as f, h5("fine.h5") as exact, h5("whole.h5") as plain:
        names = [str(n) for n in f["statistics"].attrs["columns"]]
        assert [str(n) for n in f["errors"].attrs["columns"]] == [f"{n} error" for n in names]
        assert list(f["errors"].attrs["units"]) == list(f["statistics"].attrs["units"])
        assert np.array_equal(f["statistics"][:], plain["statistics"][:40], equal_nan=True)  # those of the model's own step
        error, true = f["errors"][:], abs(f["statistics"][:] - exact["statistics"][:])
        finished = f["status"][:] == 0
    assert np.isnan(error[~finished]).all()
    error, true = error[finished], true[finished]
    known, inside = np.isfinite(error), true <= error + 1e-12
    ratio = np.median((error / np.maximum(true, 1e-12))[known & (true > 1e-9)])
    measured(f"{known.mean():.1%} have a bar, {inside[known].mean():.1%} of these are inside, median {ratio:.1f} times the error")
    assert f"{known.sum()} of {known.size} numbers have one" in bars.out
    assert known.mean() > 0.9 and inside[known].mean() > 0.95 and ratio < 10  # 100 %, 100 %, 1.5


def test_error_bars_are_the_same_for_workers_and_ranks(whole, bars):
    study("bars.yaml", "bars1.h5", "--workers", 1)
    assert same_bytes("bars.h5", "bars1.h5")
    study("bars.yaml", "bars2.h5", "--ranks-per-run", 2, ranks=2)
    assert same_bytes("bars.h5", "bars2.h5")


def test_error_bars_need_equal_steps_and_two_longer_runs(whole):
    write("adaptive.yaml", MODEL.replace("end: 1 s", "end: 1 s, control: {loss: 1e-3}"))
    write("controlled.yaml", PLAN.replace("seed: 1", "error_bars: true").replace("swing.yaml", "adaptive.yaml"))
    said = limber("study", "controlled.yaml")
    assert said.code == 2 and "'error_bars' compares runs with different steps" in said.err
    write("coarse_swing.yaml", MODEL.replace("20 ms", "500 ms"))  # four times that is longer than the run
    write("coarse_plan.yaml", PLAN.replace("seed: 1", "error_bars: true").replace("swing.yaml", "coarse_swing.yaml").replace(f"runs: {RUNS}", "runs: 2"))
    assert "0 of 20 numbers have one" in study("coarse_plan.yaml", "coarse.h5").out


CHOSEN = """limber: 1
study:
  model: stepless.yaml
  vary: {let.length: [0.2 m, 1 m], run.accuracy: [1 %, 5e-5 %]}
  gradients: {of: hinge.angle@end, wrt: length}
  summary: [{channel: hinge.angle}, {channel: ledger.kinetic, statistics: extremes}]
"""


@pytest.fixture(scope="module")
def chosen():
    write("stepless.yaml", MODEL.replace("step: step, ", "").replace(", step: 20 ms}", "}"))
    write("chosen.yaml", CHOSEN)
    return study("chosen.yaml", "chosen.h5", "--workers", 2)


def test_each_run_of_a_study_chooses_its_step(chosen, measured):
    t = columns_of("chosen.h5")
    step, error, accuracy = t["step"], t["relative error"], np.array([1e-2, 5e-7, 1e-2, 5e-7])
    measured(f"steps {step}, relative errors {error}")
    assert (error <= accuracy).all() and (error[1::2] > accuracy[1::2] / 10).all()
    assert step == pytest.approx([1.25e-3, 0.15625e-3, 1.25e-3, 0.3125e-3])  # the first are a quarter of a 200th of the run
    assert f"  steps       {step.min():.4g} to {step.max():.4g} s, chosen; relative errors of at most {100 * error.max():.2g} %" in chosen.out
    assert "stepless.yaml, each run chooses its step for an accuracy of 1 %" in limber("study", "chosen.yaml", "--check").out


def test_a_run_that_chose_its_step_is_that_of_the_step(chosen, measured):
    """The numbers and gradients are those of a study with this step, and those of a quarter of it are inside the error bars."""
    t = columns_of("chosen.h5")
    plan = CHOSEN.replace("vary: {let.length: [0.2 m, 1 m], run.accuracy: [1 %, 5e-5 %]}", "design: zip\n  vary: {LENGTH, STEP}")
    for parts, name in ((1, "same"), (4, "quarter")):
        steps = ", ".join(f"{s / parts:.17g} s" for s in t["step"])
        plan = plan if parts == 1 else plan.replace("  gradients: {of: hinge.angle@end, wrt: length}\n", "")
        write(f"{name}.yaml", plan.replace("LENGTH", "let.length: [0.2 m, 0.2 m, 1 m, 1 m]").replace("STEP", f"run.step: [{steps}]"))
        study(f"{name}.yaml", f"{name}.h5")
    same, exact = columns_of("same.h5"), columns_of("quarter.h5")
    names = [n for n in same if not n.startswith(("let.", "run."))]
    assert all(np.array_equal(t[n], same[n], equal_nan=True) for n in names)
    bars = [n for n in t if n.endswith(" error") and not n.startswith(("d ", "relative"))]
    inside = [abs(t[n[:-6]] - exact[n[:-6]]) <= t[n] for n in bars]
    measured(f"{np.mean(inside):.0%} of {np.size(inside)} numbers are inside their bars")
    assert np.mean(inside) > 0.95  # 100 %


def test_steps_are_chosen_the_same_by_workers_ranks_and_for_one_run(chosen):
    study("chosen.yaml", "chosen1.h5", "--workers", 1)
    study("chosen.yaml", "chosen2.h5", ranks=2)
    assert same_bytes("chosen.h5", "chosen1.h5") and same_bytes("chosen.h5", "chosen2.h5")
    t = columns_of("chosen.h5")
    said = limber("study", "chosen.yaml", "--run", 3, "-o", "third.h5")
    assert said.code == 0, said.err
    with h5("third.h5") as f:
        assert f["history/probes/hinge/angle"][:].max() == t["hinge.angle max"][3]
    assert said.out == f"third.h5: run 3, {round(1 / t['step'][3])} steps of {t['step'][3]:.4g} s"


BEAM = """limber: 1
let: {length: 2 m, E: 70 GPa, load: 1 mN}
nodes: {root: [0, 0, 0]}
sections: {bar: {E: E, nu: 0, density: 2700 kg/m^3, rectangle: [60 mm, 40 mm]}}
elements: [beam: {name: beam, from: root, end: [length, 0, 0], section: bar, elements: 2, order: 3, damping: 0.02 ms}]
joints: [clamp: {node: root}]
loads: [force: {node: beam.end, direction: [0, 0, -1], amplitude: {constant: {value: load}}}]
probes: [{name: tip, node: beam.end, record: [displacement]}]
run: {step: 2 ms, end: 20 ms}
"""
BEAMS = """limber: 1
study:
  model: beam.yaml
  vary:
    let.length: {from: 1.99 m, to: 2.01 m, count: 3}
    elements.beam.damping: [0.02 ms, 0.03 ms]
  gradients:
    of: [static(tip.displacement.z), tip.displacement.z@end, frequency(1), mass]
    wrt: [length, let.E, elements.beam.damping, sections.bar.density=2700 kg/m^3]
"""
QUANTITIES = ["static(tip.displacement.z)", "tip.displacement.z@end", "frequency(1)", "mass"]
PARAMETERS = ["let.length", "let.E", "elements.beam.damping", "sections.bar.density"]


@pytest.fixture(scope="module")
def gradients():
    write("beam.yaml", BEAM)
    write("beams.yaml", BEAMS)
    return study("beams.yaml", "beams.h5", "--workers", 2)


def columns_of(path):
    with h5(path) as f:
        sets = [name for name in f if "columns" in f[name].attrs]
        return {str(n): f[s][:, i] for s in sets for i, n in enumerate(f[s].attrs["columns"])}


def test_gradients_of_a_study_have_names_units_and_errors(gradients):
    with h5("beams.h5") as f:
        names, units = ([str(n) for n in f["gradients"].attrs[k]] for k in ("columns", "units"))
        errors = [str(n) for n in f["gradient_errors"].attrs["columns"]]
        assert np.isfinite(f["gradients"][:]).all() and np.isfinite(f["gradient_errors"][:]).all()
    assert names == [n for q in QUANTITIES for n in [q] + [f"d {q} / d {p}" for p in PARAMETERS]]
    assert errors == [f"{n} error" for n in names if n.startswith("d ")]
    assert units[:5] == ["m", "m/m", "m/(m-1 kg s-2)", "m/ms", "m/(kg/m^3)"] and units[10:12] == ["Hz", "Hz/m"]
    assert "  gradients   of 6 of 6 runs" in gradients.out


def test_gradients_of_a_study_follow_closed_forms(gradients, measured):
    """u = -P L^3/3EI - P L/kGA, f ~ sqrt(E/rho)/L^2 and the mass rho A L, in each row with its own length."""
    t = columns_of("beams.h5")
    length, area, inertia = t["let.length"], 0.06 * 0.04, 0.06 * 0.04**3 / 12
    bending = 1e-3 * length**3 / 3 / 70e9 / inertia
    shear = -t["static(tip.displacement.z)"] - bending
    assert (shear > 0).all() and (shear < 2e-3 * bending).all()
    exact = -(3 * bending + shear) / length
    assert t["d static(tip.displacement.z) / d let.length"] == pytest.approx(exact, rel=1e-8)
    assert t["d static(tip.displacement.z) / d let.E"] == pytest.approx(-t["static(tip.displacement.z)"] / 70e9, rel=1e-9)
    assert t["d frequency(1) / d let.E"] == pytest.approx(t["frequency(1)"] / 2 / 70e9, rel=1e-8)
    assert t["d mass / d let.length"] == pytest.approx(np.full(6, 2700 * area), rel=1e-9)
    assert t["d mass / d sections.bar.density"] == pytest.approx(area * length, rel=1e-9)
    off = abs(t["d static(tip.displacement.z) / d let.length"] / exact - 1).max()
    measured(f"static deflection by length: off by {off:.1e}")


def test_gradients_of_a_study_are_differences_of_neighbouring_rows(gradients, measured):
    """Of the middle of three equally spaced lengths: the difference is off by h^2/6 times the third derivative."""
    t = columns_of("beams.h5")
    for q in QUANTITIES:
        value, rate = t[q].reshape(3, 2), t[f"d {q} / d let.length"].reshape(3, 2)
        slope = (value[2] - value[0]) / 0.02
        third = (rate[2] - 2 * rate[1] + rate[0]) / 0.01**2  # of the quantity
        measured(f"{q}: differences off by {abs(slope / rate[1] - 1).max():.1e}, "
                 f"{abs((slope - 0.01**2 * third / 6) / rate[1] - 1).max():.1e} without their own error")
        assert slope - 0.01**2 * third / 6 == pytest.approx(rate[1], rel=2e-7), q
    by_damping = t["d tip.displacement.z@end / d elements.beam.damping"].reshape(3, 2).mean(axis=1)
    change = np.diff(t["tip.displacement.z@end"].reshape(3, 2))[:, 0] / 0.01  # ms
    assert change == pytest.approx(by_damping, rel=1e-3)


def test_gradients_of_a_study_are_the_same_for_workers_ranks_and_after_a_kill(gradients):
    study("beams.yaml", "beams1.h5", "--workers", 1)
    assert same_bytes("beams.h5", "beams1.h5")
    study("beams.yaml", "beams2.h5", ranks=2)
    assert same_bytes("beams.h5", "beams2.h5")
    going = subprocess.Popen(command("study", "beams.yaml", "-o", "beams3.h5", "-q", "--workers", 1), env=environment())
    while going.poll() is None and not blocks_of("beams3.h5"):
        time.sleep(0.002)
    going.kill()
    going.wait()
    study("beams.yaml", "beams3.h5", "--workers", 2)
    assert same_bytes("beams.h5", "beams3.h5")


@pytest.mark.parametrize("method, end", [("forward", "0.8 s"), ("adjoint", "12 s")])
def test_an_interrupted_gradient_of_a_study_ends_between_steps(method, end):
    """The gradients take several times as long as the run. No row has a part of them, and the same bytes follow."""
    write("long_beam.yaml", BEAM.replace("20 ms", end))
    plan = BEAMS[:BEAMS.index("    of:")].replace("beam.yaml", "long_beam.yaml").replace("{from: 1.99 m, to: 2.01 m, count: 3}", "[2 m]").replace(", 0.03 ms]", "]")
    write("long.yaml", plan + f"    method: {method}\n    of: tip.displacement.z@end\n    wrt: [length, E, load, sections.bar.density=2700]\n")

    def start(name):
        going = subprocess.Popen(command("study", "long.yaml", "-o", f"{name}.h5", "--workers", 1), env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while going.poll() is None and not list(pathlib.Path(f"{name}.blocks").glob("*.part")):
            time.sleep(0.005)
        return going, time.monotonic()

    whole, begun = start(f"whole_{method}")
    assert whole.wait() == 0, whole.communicate()
    took = time.monotonic() - begun
    for part in 0.7, 0.5, 0.35, 0.25:  # another process may have slowed down the whole study
        name = f"{method}_{part}"
        going, _ = start(name)
        time.sleep(part * took)
        going.send_signal(signal.SIGINT)
        out, err = going.communicate()
        if not blocks_of(f"{name}.h5") and going.returncode:
            break
    assert going.returncode == 1 and "interrupted" in err and not blocks_of(f"{name}.h5"), (out, err, took)
    assert limber("study", "long.yaml", "-o", f"{name}.h5", "--workers", 1).code == 0
    assert same_bytes(f"{name}.h5", f"whole_{method}.h5")


def test_a_run_without_gradients_is_a_row_with_the_reason(gradients):
    write("schemes.yaml", BEAMS.replace("elements.beam.damping: [0.02 ms, 0.03 ms]", "run.scheme: [decaying, generalized_alpha]")
          .replace("elements.beam.damping, ", "").replace("count: 3", "count: 2"))
    said = study("schemes.yaml", "schemes.h5")
    with h5("schemes.h5") as f:
        assert (f["status"][:] == 0).all() and np.isfinite(f["statistics"][:]).all()
        assert list(np.isfinite(f["gradients"][:, 1])) == [True, False, True, False]
        cause = f["cause"][:]
    assert cause[0] == b"" and b"decaying" in cause[1]
    assert f"  gradients   of 2 of 4 runs; run 1: {cause[1].decode()}" in said.out
    shown = limber("study", "schemes.yaml", "--show", "all").lines
    assert shown[2] == f"run 1: finished at t = 0.02 s after 10 steps; no gradients: {cause[1].decode()}"
    assert shown[-1] == "0 of 4 runs failed"
    assert limber("report", "schemes.h5", "--force").code == 0
    page = pathlib.Path("schemes.report.html").read_text()
    assert "Over the 2 runs that have them; limber study PLAN --show all" in page and "d mass / d let.length" in page


@pytest.mark.parametrize("old, new, message", [
    ("static(tip.displacement.z)", "maximum(tip.z)", "'maximum(tip.z)' is no quantity"),
    ("static(tip.displacement.z)", "max(tip.displacement.y.y)", "has no column 'tip.displacement.y.y'; did you mean"),
    ("frequency(1), mass", "mass, mass", "'mass' is listed twice"),
    ("[length, let.E", "[lenght, let.E", "'lenght' is no number of `let`; there are length, E, load"),
    ("[length, let.E", "[length, let.length", "the parameter 'let.length' is listed twice"),
    ("elements.beam.damping, sec", "elements.beam.damping=1 ms, sec", "'elements.beam.damping' varies: write it without a value"),
    ("wrt: [length", "wrt: [[length]", "'wrt' must be a list of words, and this is a list"),
])
def test_mistakes_in_gradients_are_named_before_the_first_run(gradients, old, new, message):
    write("wrong.yaml", BEAMS.replace(old, new))
    said = limber("study", "wrong.yaml")
    assert said.code == 2 and message in said.err and said.err.startswith("wrong.yaml:"), said.err


def test_runs_that_fail_are_rows_and_the_others_finish(whole):
    with h5("whole.h5") as f:
        status, names = f["status"][:], [str(n) for n in f["status"].attrs["names"]]
        failed = np.flatnonzero(status)
        assert 0 < len(failed) < 10
        assert {names[s] for s in status[failed]} == {"not_started"}
        assert b"damping" in f["cause"][failed[0]] and f["cause"][0] == b""
        assert np.all(f["parameters"][failed][:, 1] < 0)
        assert np.all(np.isnan(f["statistics"][failed]))
        assert np.all(np.isfinite(f["statistics"][status == 0]))
    said = limber("study", "plan.yaml", "-o", "whole.h5", "--show", "failed")
    assert said.code == 0 and len(said.lines) == 2 * len(failed) + 1
    assert said.lines[0].startswith(f"run {failed[0]}: not_started") and said.lines[-1] == f"{len(failed)} of {RUNS} runs failed"
    again = subprocess.run(said.lines[1].strip().replace("limber ", f"{program} ", 1), shell=True, text=True, stderr=subprocess.PIPE)
    assert again.returncode == 2 and "negative `damping`" in again.stderr


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_workers_gives_the_same_bytes(whole, workers):
    study("plan.yaml", f"workers{workers}.h5", "--workers", workers)
    assert same_bytes("whole.h5", f"workers{workers}.h5")


def test_ranks_of_mpi_give_the_same_bytes(whole):
    study("plan.yaml", "ranks.h5", ranks=2)
    assert same_bytes("whole.h5", "ranks.h5")


def test_two_ranks_that_do_a_run_together_give_the_same_bytes(whole):
    study("plan.yaml", "pair.h5", "--ranks-per-run", 2, ranks=2)
    assert same_bytes("whole.h5", "pair.h5")


def test_parts_give_the_same_bytes_and_a_missing_one_is_named(whole):
    for part in (3, 1):
        said = study("plan.yaml", "parts.h5", "--part", f"{part}/3")
        assert said.lines[-1] == f"parts.h5: part {part}/3 is done; when all are: limber study plan.yaml -o parts.h5 --merge"
    said = limber("study", "plan.yaml", "-o", "parts.h5", "--merge")
    assert said.code == 1 and said.complaints[0] == f"limber study: 67 of {RUNS} blocks are missing: 1, 4, 7, 10, 13, 16, 19, 22 ..."
    assert not os.path.exists("parts.h5")
    study("plan.yaml", "parts.h5", "--part", "2/3")
    study("plan.yaml", "parts.h5", "--merge")
    assert same_bytes("whole.h5", "parts.h5")


def blocks_of(output):
    folder = pathlib.Path(output).with_suffix(".blocks")
    return sum(1 for _ in folder.glob("*.rows")) if folder.is_dir() else 0


@pytest.mark.parametrize("ranks", [1, 2])
def test_killed_again_and_again_it_gives_the_same_bytes(whole, ranks):
    # each time as soon as some blocks more are there: how fast the machine is does not matter
    name, kills = f"killed{ranks}.h5", 0
    for i in range(8):
        words = command("study", "plan.yaml", "-o", name, "-q", ranks=ranks)
        enough = blocks_of(name) + 1 + 5 * i
        going = subprocess.Popen(words, env=environment(), start_new_session=True, stderr=subprocess.DEVNULL)
        while going.poll() is None and blocks_of(name) < enough:
            time.sleep(0.002)
        if going.poll() is None:
            os.killpg(going.pid, signal.SIGKILL) if ranks > 1 else going.kill()
            kills += 1
        going.wait()
        time.sleep(0.1)
    assert kills
    study("plan.yaml", name, ranks=ranks)
    assert same_bytes("whole.h5", name)


def test_an_interrupt_ends_it_in_order_and_the_same_command_goes_on(whole):
    write("long.yaml", PLAN.replace("runs: 200", "runs: 2000"))
    going = subprocess.Popen(command("study", "long.yaml"), env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    going.stdout.readline()
    time.sleep(0.5)
    going.send_signal(signal.SIGINT)
    out, err = going.communicate(timeout=60)
    assert going.returncode == 1, err
    assert err.startswith("limber study: interrupted after ") and "run the same command again to continue" in err
    assert not os.path.exists("long.h5") and os.listdir("long.blocks")
    assert not [n for n in os.listdir("long.blocks") if n.endswith(".tmp") or n.startswith("lock")]
    shutil.rmtree("long.blocks")


def test_two_commands_do_not_write_one_study(whole):
    write("slow.yaml", PLAN.replace("runs: 200", "runs: 20000"))
    going = subprocess.Popen(command("study", "slow.yaml", "-q"), env=environment())
    while not os.path.exists("slow.blocks/lock"):
        time.sleep(0.02)
    time.sleep(0.1)
    said = limber("study", "slow.yaml")
    going.terminate()
    assert going.wait() == 1
    assert said.code == 2 and said.err.startswith(f"limber study: the study is already being run by process {going.pid}")
    shutil.rmtree("slow.blocks")


def test_another_plan_or_model_is_refused_until_it_is_forced(whole):
    shutil.copy("whole.h5", "other.h5")
    write("other.yaml", PLAN.replace("seed: 1", "seed: 2"))
    said = limber("study", "other.yaml", "-o", "other.h5")
    assert said.code == 2 and "is a study with another study file" in said.err and "--force" in said.err
    assert same_bytes("whole.h5", "other.h5")
    study("other.yaml", "other.h5", "--force")
    assert not same_bytes("whole.h5", "other.h5")
    # runs that are done, of a model that was changed since
    study("plan.yaml", "half.h5", "--part", "1/2")
    before = pathlib.Path("swing.yaml").read_text()
    write("swing.yaml", before.replace("mass: 1,", "mass: 2,"))
    said = limber("study", "plan.yaml", "-o", "half.h5", "--part", "2/2")
    write("swing.yaml", before)
    assert said.code == 2 and "study file, model or version" in said.err
    study("plan.yaml", "half.h5")
    assert same_bytes("whole.h5", "half.h5")


def test_a_study_that_is_done_is_not_done_again(whole):
    before = os.stat("whole.h5").st_mtime_ns
    said = study("plan.yaml", "whole.h5")
    assert said.out == f"whole.h5: all {RUNS} runs of this study are done already"
    assert os.stat("whole.h5").st_mtime_ns == before


def test_results_of_a_run_are_not_overwritten(whole):
    run("swing.yaml", "single.h5")
    said = limber("study", "plan.yaml", "-o", "single.h5")
    assert said.code == 2 and "is not the table of a study" in said.err


def test_one_run_of_a_study_has_the_bits_of_limber_run(whole):
    assert limber("study", "plan.yaml", "--run", 7, "-o", "run7.h5", "-q").code == 0
    with h5("whole.h5") as f:
        length, damping = f["parameters"][7]
    run("swing.yaml", "set7.h5", "--set", f"let.length={length:.17g} m", "--set", f"let.damping={damping:.17g}")
    with h5("run7.h5") as a, h5("set7.h5") as b:
        assert np.array_equal(a["history/probes/hinge/angle"][:], b["history/probes/hinge/angle"][:])
    said = limber("study", "plan.yaml", "--run", RUNS, "-o", "none.h5")
    assert said.code == 2 and said.err == f"limber study: --run needs the number of a run, 0 to {RUNS - 1}, not '{RUNS}'"


def test_the_worst_runs_are_kept_with_their_histories(whole):
    write("worst.yaml", PLAN + "  keep: {histories: worst 3, channel: hinge.angle}\n")
    study("worst.yaml", "worst.h5")
    with h5("worst.h5") as f:
        names = [str(n) for n in f["statistics"].attrs["columns"]]
        largest = np.max(np.abs(f["statistics"][:][:, [names.index("hinge.angle max"), names.index("hinge.angle min")]]), axis=1)
        largest[np.isnan(largest)] = 0
    expected = sorted(np.argsort(-largest, kind="stable")[:3])
    assert sorted(n for n in os.listdir("worst.runs") if n.endswith(".h5")) == [f"{i:06d}.h5" for i in expected]
    with h5(f"worst.runs/{expected[0]:06d}.h5") as f:
        assert np.abs(f["history/probes/hinge/angle"][:]).max() == largest[expected[0]]


def test_check_tells_what_would_be_done_and_does_nothing(whole):
    before = sorted(os.listdir())
    said = limber("study", "plan.yaml", "--check")
    assert said.code == 0 and said.err == "" and sorted(os.listdir()) == before
    lines = said.out.split("\n")
    assert lines[0].startswith("plan.yaml: no errors") and f"  runs        {RUNS}, design " in said.out
    write("wrong.yaml", PLAN.replace("let.length", "let.lenght"))
    said = limber("study", "wrong.yaml", "--check")
    assert said.code == 2 and "wrong.yaml:" in said.err and "length" in said.err


@pytest.mark.parametrize("change, said", [
    ("study.repeat=2", "limber study: --set changes the model, not the study: change 'study.repeat' in the study file"),
    ("let.lenght=2 m", "limber study: --set let.lenght=2 m: nothing in 'swing.yaml' uses the parameter 'lenght'; did you mean 'length'?"),
])
def test_a_change_without_effect_is_refused(whole, change, said):
    found = limber("study", "plan.yaml", "--check", "--set", change)
    assert found.code == 2 and found.err.rstrip().split("\n")[-1] == said


def test_runs_of_another_study_are_replaced_only_by_force(whole):
    write("again.yaml", PLAN + "  keep: {histories: worst 2, channel: hinge.angle}\n")
    os.mkdir("again.runs")
    for name in ("999999.h5", "999999.xdmf", "notes.txt"):
        pathlib.Path("again.runs", name).touch()
    said = limber("study", "again.yaml", "-o", "again.h5")
    assert said.code == 2 and "'again.runs' has the results of runs of another study" in said.err and "--force" in said.err
    assert os.path.exists("again.runs/999999.h5") and not os.path.exists("again.h5")
    study("again.yaml", "again.h5", "--force")
    kept = sorted(n for n in os.listdir("again.runs") if not n.endswith(".xdmf"))
    assert len(kept) == 3 and "999999.h5" not in kept and "notes.txt" in kept


def test_files_with_names_of_blocks_are_not_removed(whole):
    os.mkdir("mine.blocks")
    pathlib.Path("mine.blocks/000001.h5").touch()
    said = limber("study", "plan.yaml", "-o", "mine.h5")
    assert said.code == 2 and "'mine.blocks' has files with names of blocks" in said.err
    assert os.path.exists("mine.blocks/000001.h5")
    study("plan.yaml", "mine.h5", "--force")
    assert not os.path.exists("mine.blocks") and same_bytes("whole.h5", "mine.h5")


def test_failed_runs_are_kept_up_to_where_they_failed(whole):
    plan = PLAN[:PLAN.index("  vary:")] + """  vary:
    let.length: [1 m, 2 m, 3 m]
    let.step: [20 ms, 5 ms]
  limits: {steps: 60}
  keep: {histories: failed}
""" + PLAN[PLAN.index("  summary:"):]
    write("limited.yaml", plan)
    study("limited.yaml", "limited.h5")
    with h5("limited.h5") as f:
        names = [str(n) for n in f["status"].attrs["names"]]
        assert [names[s] for s in f["status"][:]] == ["finished", "timeout"] * 3
        assert list(f["steps"][:]) == [50, 60] * 3 and f["cause"][1] == b"limit of 60 steps"
    assert sorted(n for n in os.listdir("limited.runs") if n.endswith(".h5")) == ["000001.h5", "000003.h5", "000005.h5"]
    with h5("limited.runs/000001.h5") as f:
        assert f["history/time"][-1] == pytest.approx(0.3)


def test_a_table_in_place_reads_as_one_that_is_copied(whole):
    study("plan.yaml", "place.h5", "--in-place")
    with h5("whole.h5") as a, h5("place.h5") as b:
        for name in ("parameters", "status", "steps", "statistics", "concurrent", "cause"):
            assert np.array_equal(a[name][:], b[name][:], equal_nan=a[name].dtype.kind == "f"), name
    assert limber("export", "whole.h5").out == limber("export", "place.h5").out


def test_the_table_is_exported_with_all_digits(whole):
    said = limber("export", "whole.h5", "let.length", "hinge.angle max", "status")
    assert said.lines[0] == "run [1],let.length [m],hinge.angle max [rad],status [1]"
    with h5("whole.h5") as f:
        length = f["parameters"][:, 0]
    assert [float(line.split(",")[1]) for line in said.lines[1:]] == list(length)
    assert said.lines[1].startswith("0,") and said.lines[1].endswith(",finished")
    assert limber("export", "whole.h5", "-o", "whole.csv").out == f"whole.csv: {RUNS} runs"
    assert limber("export", "whole.h5", "-o", "whole.csv").code == 0  # its own file
    said = limber("export", "whole.h5", "hinge.angel")
    assert said.code == 2 and "no column 'hinge.angel'" in said.err


def test_a_failure_stops_the_study_where_the_plan_asks_for_it(whole):
    write("stop.yaml", PLAN + "  on_failure: stop\n")
    said = limber("study", "stop.yaml", "--workers", 1)
    assert said.code == 1 and "a run failed, and the study file says `on_failure: stop`" in said.err and not os.path.exists("stop.h5")
    shutil.rmtree("stop.blocks")


@pytest.mark.parametrize("words, wrong", [
    (["--part", "4/3"], "--part needs two numbers, such as 3/100, not '4/3'"),
    (["--workers", "none"], "--workers needs a whole number from 1 to 65536, not 'none'"),
    (["--part", "1/2", "--merge"], "--part and --merge exclude each other: --merge is given when all parts are done"),
    (["--show", "good"], "--show lists `failed` or `all` runs, not 'good'")])
def test_a_wrong_option_is_told(whole, words, wrong):
    said = limber("study", "plan.yaml", *words)
    assert (said.code, said.err) == (2, "limber study: " + wrong)


# ---- folders that somebody else has filled ----
KEEPING = PLAN.replace(f"runs: {RUNS}", "runs: 3") + "  keep: {histories: all}\n"
NAMES = ["plan.blocks", "plan.blocks/identity", "plan.blocks/lock", "plan.blocks/000000.part", "plan.blocks/000000.rows",
         "plan.blocks/000000.tmp", "plan.blocks/000000.h5", "plan.h5.draft", "plan.h5", "plan.runs", "plan.runs/000000.h5"]


@pytest.mark.parametrize("name", NAMES)
def test_a_study_writes_through_no_link_and_waits_for_no_pipe(whole, name):
    for target in "victim", "none", "folder", None:
        shutil.rmtree("given", ignore_errors=True)
        os.makedirs("given/outside/folder")
        for victim in "victim", "folder/000000.part", "folder/identity":
            write(f"given/outside/{victim}", "mine\n")
        write("given/swing.yaml", MODEL)
        write("given/plan.yaml", KEEPING)
        os.makedirs(os.path.dirname(f"given/{name}"), exist_ok=True)
        if target:
            os.symlink(("../" if "/" in name else "") + f"outside/{target}", f"given/{name}")
        else:
            os.mkfifo(f"given/{name}")
        for words in [], ["--force"]:
            said = limber("study", "plan.yaml", "--workers", 1, "-q", *words, cwd="given")
            assert said.code in (0, 1, 2), (name, target, said.code, said.err)
            for path, folders, files in os.walk("given/outside"):
                assert all(pathlib.Path(path, file).read_text() == "mine\n" for file in files), (name, target, files)
            assert sorted(os.listdir("given/outside")) == ["folder", "victim"], (name, target)
            assert sorted(os.listdir("given/outside/folder")) == ["000000.part", "identity"], (name, target)
