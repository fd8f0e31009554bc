# SPDX-License-Identifier: Apache-2.0
"""The preserving scheme of order 4 and 6: observed orders, energy, forces of joints, what forbids it, and runs that go on."""
import numpy as np
import pytest

from support import count, h5, limber, models, run, same_results, settings, source

CHAIN, HINGES, BEAM = (models / "order" / name for name in ("chain.yaml", "hinges.yaml", "beam.yaml"))
TOP = source / "examples/heavy_top/heavy_top.yaml"


def results(model, order, step, end, *changes):
    name = f"{model.stem}_{order}_{step}.h5"
    run(model, name, "--force", *settings("run.scheme=preserving", f"run.order={order}", f"run.step={step}", f"run.end={end}",
                                          "run.every=1", "run.snapshots=0", *changes))
    return h5(name)


def states(model, order, step, end, probe):
    file = results(model, order, step, end)
    return np.concatenate([file[f"history/probes/{probe}/{what}"][-1] for what in ("position", "velocity")])


def observed(model, order, steps, end, probe, exact):
    """Of position and velocity, from two steps, the second half of the first."""
    error = [np.abs(states(model, order, step, end, probe) - exact) for step in steps]
    return [np.log2(error[0][part].max() / error[1][part].max()) for part in (slice(0, 3), slice(3, 6))]


# Measured: 3.94 to 4.07 and 5.8 to 6.06.
@pytest.mark.parametrize("model, end, fourth, sixth, probe", [
    (CHAIN, 0.4, 0.04, 0.05, "last"), (HINGES, 0.4, 0.04, 0.05, "last"), (BEAM, 0.2, 0.005, 0.005, "last"),
    (TOP, 0.2, 0.004, 0.004, "top")])
def test_positions_and_velocities_converge_with_the_order(model, end, fourth, sixth, probe):
    exact = states(model, 6, fourth / 8, end, probe)
    for order, step in ((4, fourth), (6, sixth)):
        assert observed(model, order, (step, step / 2), end, probe, exact) == pytest.approx([order, order], abs=0.25)


def mean_error(model, order, step, end, fine, exact):
    """Largest error of the force of a joint, as the mean over each step."""
    force, each = results(model, order, step, end)["history/probes/root/force"][1:], round(step / fine)
    return np.abs(exact.reshape(-1, each, 3).mean(axis=1) - force).max()


# Measured: 3.9 to 4.0 and 5.7; order 2 has 1.0 where a drive moves a joint, whose forces alternate from step to step.
def test_the_force_of_a_joint_is_its_mean_over_the_step():
    fine = 0.001
    exact = results(HINGES, 6, fine, 0.4)["history/probes/root/force"][1:]
    for order, step, least in ((4, 0.02, 3.8), (6, 0.08, 5.4)):
        coarse, half = (mean_error(HINGES, order, h, 0.4, fine, exact) for h in (step, step / 2))
        assert np.log2(coarse / half) > least


# Measured: 6e-13 of the energy exchanged after 1000 steps of order 4, which are 10000 solved ones.
@pytest.mark.parametrize("order, steps", [(4, 1000), (6, 300)])
def test_no_energy_is_lost_in_many_steps(order, steps):
    ledger = results(source / "examples/pendulum/double_pendulum.yaml", order, 0.02, 0.02 * steps)["history/ledger"]
    energy = sum(ledger[name][:] for name in ("kinetic", "strain", "potential"))
    assert len(energy) == steps + 1
    assert np.abs(energy - energy[0]).max() < 1e-12 * ledger["exchanged"][-1]


def test_momentum_and_energy_of_a_free_body_stay():
    file = results(source / "examples/free_top/free_top.yaml", 4, 0.05, 10)
    kinetic = file["history/ledger/kinetic"][:]
    assert np.abs(kinetic / kinetic[0] - 1).max() < 1e-12


def test_a_step_that_fails_is_halved_as_a_whole():
    file = results(CHAIN, 4, 0.2, 0.4, "run.iterations=1")  # one tangent is too few for the first parts
    parts, cut = (file[f"history/steps/{name}"][-1] for name in ("substeps", "rejected"))
    assert parts > 1 and cut > 0 and file["history/time"][-1] == 0.4
    whole = results(CHAIN, 4, 0.0125, 0.4)  # the shortest that it takes
    last = [f["history/probes/last/position"][-1] for f in (file, whole)]
    assert np.abs(last[0] - last[1]).max() < 1e-6


# ---- what forbids a step backwards ----

PARTS = {
    "damper": ("elements", "spring: {name: s, nodes: [ground, r1], stiffness: 10, damping: 1, rest: 0.3}",
               "spring 's' has damping"),
    "friction": ("joints", "actuator: {name: s, nodes: [ground, r1], slide: {friction: {kinetic: 1}}}",
                 "actuator 's' has friction"),
    "one side": ("elements", "spring: {name: s, nodes: [ground, r1], stiffness: 10, side: tension, rest: 0.3}",
                 "spring 's' has limits, clearance or one side on which it does not act"),
    "cable": ("elements", "cable: {name: c, from: r1, to: r3, stiffness: 100, mass: 0.1}",
              "cable 'c' has limits, clearance or one side on which it does not act"),
    "stop": ("joints", "hinge: {name: j, nodes: [ground, r1], at: [0, 0, 0], axis: [0, 1, 0], angle: {limits: [-1, 1], "
             "limit_stiffness: 100}}", "revolute 'j' has limits, clearance or one side on which it does not act"),
    "hinge": ("joints", "hinge: {name: j, nodes: [ground, r1], at: [0, 0, 0], axis: [0, 1, 0], angle: {damping: 0.1}}",
              "revolute 'j' has a damper"),
    "controller": ("loads", "controller: {name: c, joint: j1, gain: 5, derivative_gain: 1, reference: 0}",
                   "controller 'c' has a `derivative_gain`, which acts as a damper"),
}
ADVICE = ", which a step of order 4 does not allow, for parts of it go backwards in time. Remove it, or leave `order` out of `run`"


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_forbids_it_is_named_where_it_stands(part):
    where, entry, said = PARTS[part]
    lines = (HINGES if part == "controller" else CHAIN).read_text().replace("drive: {name: motor", "torque: {name: motor").replace(
        "motion: {expression: 0.4*sin(5*t)}", "value: 1") if part == "controller" else CHAIN.read_text()
    if part in ("stop", "hinge"):
        lines = lines.replace("  - ball: {name: j1, nodes: [ground, r1], at: [0, 0, 0]}\n", "")
        lines = lines.replace("joint: j1", "joint: j2")
    text = []
    for line in lines.split("\n"):
        text.append(line)
        if line == where + ":":
            text.append("  - " + entry)
            at = len(text)
    with open("forbids.yaml", "w", encoding="utf-8") as out:
        out.write("\n".join(text).replace("scheme: preserving", "scheme: preserving, order: 4"))
    answer = limber("check", "forbids.yaml")
    assert answer.code == 2
    assert answer.complaints[0].split(": error: ")[1] == said + ADVICE
    assert answer.complaints[0].startswith(f"forbids.yaml:{at}:")
    assert limber("check", "forbids.yaml", "--set", "run.order=2").code == 0


def test_damping_of_a_beam_and_of_its_mass_forbid_it():
    for damping, said in (("1e-3", "has damping"), ("{mass: 0.1}", "has damping of its mass")):
        answer = limber("check", BEAM, *settings("run.order=6", f"elements.rod.damping={damping}"))
        assert answer.code == 2 and f"beam 'rod' {said}, which a step of order 6 does not allow" in answer.err, answer.err


@pytest.mark.parametrize("changes, said", [
    (["run.order=3"], "order must be 2, 4 or 6"),
    (["run.order=4", "run.scheme=decaying"], "order 4 and 6 need `scheme: preserving`; otherwise leave out `order`"),
    (["run.order=4", "run.control={}"], "leave out 'control' or 'order'")])
def test_a_wrong_order_is_refused(changes, said):
    answer = limber("check", CHAIN, *settings(*changes))
    assert answer.code == 2 and said in answer.err, answer.err


# ---- runs that go on, and several processes ----

@pytest.mark.parametrize("model, order", [(CHAIN, 4), (HINGES, 6), (source / "examples/bricard/bricard.yaml", 4)])
def test_a_later_end_gives_the_bits_of_the_longer_run(model, order):
    changes = settings("run.scheme=preserving", f"run.order={order}", "run.step=10ms")
    run(model, "whole.h5", "--force", *changes, "--set", "run.end=0.2")
    run(model, "part.h5", "--force", *changes, "--set", "run.end=0.11")
    said = limber("resume", "part.h5", "-q", "--end", "0.2")
    assert said.code == 0, said.err
    assert same_results("whole.h5", "part.h5") == "same"


def test_a_run_goes_on_with_its_order_only():
    run(CHAIN, "four.h5", "--force", *settings("run.order=4", "run.end=0.1"))
    said = limber("resume", "four.h5", "-q", "-o", "two.h5", "--end", "0.2", "--set", "run.order=2")
    assert said.code == 2
    assert "the run has scheme preserving of order 4; a run cannot continue with scheme preserving" in said.err


@pytest.mark.parametrize("model", [CHAIN, BEAM])
def test_two_processes_give_the_same(model):
    one = results(model, 4, 0.01, 0.1)
    run(model, "two.h5", "--force", *settings("run.order=4", "run.step=0.01", "run.end=0.1"), ranks=2)
    two = h5("two.h5")
    for what in ("last/position", "last/velocity", "root/force"):
        a, b = (f[f"history/probes/{what}"][:] for f in (one, two))
        assert np.abs(a - b).max() < 1e-9 * np.abs(a).max()


def test_results_and_reports_tell_the_order():
    run(CHAIN, "told.h5", "--force", *settings("run.order=4", "run.end=0.1"))
    assert h5("told.h5").attrs["order"] == 4
    assert limber("report", "told.h5", "-o", "told.html", "--force").code == 0
    with open("told.html", encoding="utf-8") as page:
        assert count("so that it is of order 4", page.read()) == 1
    assert count("preserving of order 4, 10 steps", limber("check", CHAIN, *settings("run.order=4", "run.end=0.1")).out) == 1
