# SPDX-License-Identifier: Apache-2.0
"""limber linearize: A, B, C, D of a model against closed forms, modes, transfer functions and simulations."""
import re
import struct

import numpy as np
import pytest

from linear import linear_model, response, transfer
from support import edited, h5, limber, models, run, settings, write

linear = models / "linear"


def linearize(model, path, *words, **options):
    said = limber("linearize", model, "-o", path, *words, **options)
    assert said.code == 0, said.err
    return linear_model(path)


def test_a_pendulum_has_its_equation():
    m = linearize(linear / "pendulum.yaml", "pendulum.h5")
    assert m.states == ["hinge.angle", "hinge.angle.rate"] and m.state_units == ["rad", "rad s-1"]
    assert m.inputs == ["push", "motor", "torque"]
    assert m.outputs == ["hinge.force.x", "hinge.force.y", "hinge.force.z", "hinge.angle", "bob.position.y", "twice"]
    inertia, damping, stiffness = 2.1, 0.3, 19.62
    assert np.allclose(m.A, [[0, 1], [-stiffness / inertia, -damping / inertia]], rtol=1e-13, atol=1e-13)
    assert np.allclose(m.B, np.outer([0, 1 / inertia], [1, 1, 1]), rtol=1e-13, atol=1e-14)
    # the hinge carries what accelerates the mass across, less the push
    across = 2 * np.array([-stiffness, -damping]) / inertia
    assert np.allclose(m.C, [[0, 0], across, [0, 0], [1, 0], [1, 0], [2, 0]], atol=1e-10)
    assert np.allclose(m.D[1], [2 / inertia - 1, 2 / inertia, 2 / inertia], atol=1e-10)
    assert np.allclose(m.output_at, [-19.62, 0, 0, 0, 0, 0], atol=1e-10)


def test_a_coordinate_without_mass_follows_or_is_a_state_of_its_own():
    still = linearize(linear / "massless.yaml", "follows.h5")
    k = 50 * 80 / 130
    assert still.states == ["line1.slide", "line3.slide", "line1.slide.rate", "line3.slide.rate"]
    assert np.allclose(still.A[2:, :2], [[-(70 + k) / 2, k / 2], [k / 3, -k / 3]], rtol=1e-12)
    c = 4
    damped = linearize(linear / "massless.yaml", "lags.h5", *settings(f"let.c={c}"))
    lag = np.array([50 / c, 80 / c, 0, 1, -130 / c])
    a = np.array([[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [-60, 0, 0, 0, 25], np.array([0, -80, 0, -c, 80]) / 3 + c * lag / 3, lag])
    assert damped.states[4] == "line2.slide"
    assert np.allclose(damped.A, a, atol=1e-10)


EIGENVALUES = {"four_bar": [], "linear/arm": [], "linear/rotor": [], "equilibrium/blade_60m": [], "equilibrium/cantilever": []}


@pytest.mark.parametrize("name", EIGENVALUES)
def test_eigenvalues_of_A_are_those_of_modes(name, measured):
    """On the same model, rotating or standing, with joints eliminated here and kept there."""
    m = linearize(models / f"{name}.yaml", "a.h5", *EIGENVALUES[name])
    measured(f"{name}: {len(m.states)} states, modes differ by {m.modes_off:.1e}, stiffness by {m.stiffness_off:.1e}")
    assert m.modes_off < 1e-9 and m.stiffness_off < 1e-9
    said = limber("modes", models / f"{name}.yaml", "-q", "-o", "modes.h5", *EIGENVALUES[name])
    assert said.code == 0, said.err
    values = np.linalg.eigvals(m.A)
    with h5("modes.h5") as f:
        lowest = f["history/mode/real"][0] + 1j * f["history/mode/imaginary"][0]
    off = np.abs(values - lowest).min() / abs(lowest)
    assert off < 1e-6  # numpy's round-off is that of the highest


def test_transfer_functions_of_A_B_C_D_are_those_of_direct_solutions(measured):
    words = settings("response={from: 0.3 Hz, to: 60 Hz, points: 7}")
    m = linearize(linear / "arm.yaml", "arm.h5")
    assert limber("response", linear / "arm.yaml", "-q", "-o", "direct.h5", *words).code == 0
    at, direct = response("direct.h5")
    by_matrix = transfer(m, at)
    assert set(by_matrix) == set(direct) and len(direct) == 6
    worst = 0
    for source, row in by_matrix.items():
        other = np.array([direct[source][o] for o in m.outputs]).T
        for group in {name.rpartition(".")[0] for name in m.outputs}:
            own = [i for i, name in enumerate(m.outputs) if name.rpartition(".")[0] == group]
            worst = max(worst, (np.linalg.norm((row - other)[:, own], axis=1) / np.linalg.norm(other[:, own], axis=1)).max())
    measured(f"{len(direct)} sources, {len(m.outputs)} outputs: they differ by {worst:.1e}")
    assert worst < 2e-6  # 5e-7, of the axial force in the beam: round-off of strains


# ---- against the simulation ----

W, END = 7, 0.4


def linear_motion(m, source, time):
    """Outputs at a time after the inputs (1 - cos w t)^2 = 3/2 - 2 cos w t + cos(2 w t)/2 and their rates."""
    n, s = len(m.A), np.zeros((5, 5))
    s[1, 2], s[2, 1], s[3, 4], s[4, 3] = -W, W, -2 * W, 2 * W
    u = np.array([1.5, -2, 0, 0.5, 0])
    wave = {"": u, ".rate": u @ s, ".acceleration": u @ s @ s}
    column = {k: m.inputs.index(source + k) for k in wave if source + k in m.inputs}
    b = sum(np.outer(m.B[:, i], wave[k]) for k, i in column.items())
    d = sum(np.outer(m.D[:, i], wave[k]) for k, i in column.items())
    values, vectors = np.linalg.eig(np.block([[m.A, b], [np.zeros((5, n)), s]]))
    x = (vectors @ (np.exp(values * time) * np.linalg.solve(vectors, np.r_[np.zeros(n), 1, 1, 0, 1, 0]))).real
    return m.C @ x[:n] + d @ x[n:]


def simulated(m, parameter, size, step):
    """Changes of the outputs over a run."""
    run(linear / "arm.yaml", "s.h5", *settings(f"let.{parameter}={size}", f"let.step={step}", f"let.end={END}"))
    out = []
    with h5("s.h5") as f:
        for name in m.outputs:
            probe, quantity, *component = name.split(".")
            rows = f[f"history/probes/{probe}/{quantity}"]
            at = list(rows.attrs["columns"]).index(component[0]) if component else ()
            out.append(rows[-1, at] - rows[0, at] if component else rows[-1] - rows[0])
    return np.array(out)


def expected_motion(m, source, step):
    """Joints tell means over the last step, all else is at its end."""
    end, mean = linear_motion(m, source, END), linear_motion(m, source, END - step / 2)
    return np.where([name.split(".")[1] in ("force", "moment", "reaction", "multiplier") and name[:4] != "root" for name in m.outputs],
                    mean, end)


CASES = {"push": ("eps_push", 0.05), "rail_drive": ("eps_slide", 6e-4), "motor": ("eps_motor", 1e-3), "wind": ("eps_wind", 0.2),
         "elbow_torque": ("eps_spin", 0.05)}


@pytest.mark.parametrize("source", CASES)
def test_the_linear_model_moves_as_the_simulation_does(source, measured):
    """Half the difference of two runs, which has no part of second order; kinematics, section and joint forces."""
    m = linearize(linear / "arm.yaml", "arm.h5", "-q")
    parameter, size = CASES[source]
    step = 2e-3
    by_model = expected_motion(m, source, step)
    by_run = (simulated(m, parameter, size, step) - simulated(m, parameter, -size, step)) / (2 * size)
    worst, where = 0, ""
    for group in sorted({name.rpartition(".")[0] for name in m.outputs}):
        own = [i for i, name in enumerate(m.outputs) if name.rpartition(".")[0] == group]
        off = np.linalg.norm(by_run[own] - by_model[own]) / np.linalg.norm(by_model[own])
        if off > worst:
            worst, where = off, group
    measured(f"{source}: largest difference {worst:.1e}, of {where}")
    assert worst < 1e-2  # of the step: 7e-3, rotations that pass through zero


def test_the_error_of_the_linear_model_is_of_second_order(measured):
    m = linearize(linear / "arm.yaml", "arm.h5", "-q")
    hand = [m.outputs.index(f"hand.position.{k}") for k in "xyz"]
    step, sizes = 1e-3, (8, 4, 2)
    by_model = expected_motion(m, "push", step)[hand]
    off = [np.linalg.norm(simulated(m, "eps_push", e, step)[hand] - e * by_model) for e in sizes]
    measured("a push of 8, 4, 2 N: off by " + ", ".join(f"{e:.2e} m" for e in off))
    assert off[0] / off[1] == pytest.approx(4, rel=0.2) and off[1] / off[2] == pytest.approx(4, rel=0.1)


def test_a_blade_that_rotates_moves_as_the_simulation_does(measured):
    """Out of the plane of rotation and in sections, where the ground's axes and those of the frame that rotates agree."""
    model, end, step = linear / "rotor.yaml", 0.2, 1e-3
    m = linearize(model, "rotor.h5", "-q")
    names = ["tip.position.z", "tip.velocity.z", *(f"root.force.{k}" for k in ("N", "V2", "V3", "M1", "M2", "M3"))]

    def change(size):
        run(model, "r.h5", *settings(f"functions.f={{expression: {{value: {size}*(1-cos({W}*t))^2}}}}",
                                     f"run={{scheme: preserving, step: {step}, end: {end}, start: equilibrium, snapshots: 0}}"))
        with h5("r.h5") as f:
            rows = [f[f"history/probes/{k}"][:] for k in ("tip/position", "tip/velocity", "root/force")]
        return np.r_[rows[0][-1, 2] - rows[0][0, 2], rows[1][-1, 2] - rows[1][0, 2], rows[2][-1] - rows[2][0]]

    by_run = (change(1) - change(-1)) / 2
    by_model = linear_motion(m, "thrust", end)[[m.outputs.index(name) for name in names]]
    off = np.abs(by_run / by_model - 1)
    measured(f"at 30 rad/s: displacement off by {off[0]:.1e}, velocity {off[1]:.1e}, section forces up to {off[2:].max():.1e}")
    assert off.max() < 1e-2 and off[0] < 3e-4  # of the step: 3e-3, 1e-4


# ---- files, ranks, words ----

def test_two_ranks_give_the_same(measured):
    one = linearize(linear / "arm.yaml", "one.h5")
    two = linearize(linear / "arm.yaml", "two.h5", ranks=2)
    assert one.states == two.states and one.outputs == two.outputs
    worst = max(np.abs(getattr(one, k) - getattr(two, k)).max() / np.abs(getattr(one, k)).max() for k in "ABCD")
    measured(f"matrices differ by {worst:.1e}")
    assert worst < 1e-11


def mat_file(path):
    """Variables of a MAT-file of level 5: matrices, and cells of texts."""
    data = open(path, "rb").read()
    assert data[:19] == b"MATLAB 5.0 MAT-file" and data[124:128] == b"\x00\x01IM"

    def elements(at, end):
        while at < end:
            kind, size = struct.unpack_from("<II", data, at)
            yield kind, at + 8, size
            at += 8 + (size + 7) // 8 * 8

    def array(at, size):
        parts = list(elements(at, at + size))
        kind = data[parts[0][1]]
        rows, columns = struct.unpack_from("<ii", data, parts[1][1])
        name = data[parts[2][1]:parts[2][1] + parts[2][2]].decode()
        if kind == 6:
            return name, np.frombuffer(data, "<f8", rows * columns, parts[3][1]).reshape(rows, columns, order="F")
        if kind == 4:
            return name, data[parts[3][1]:parts[3][1] + parts[3][2]].decode("utf-16-le")
        assert kind == 1 and len(parts) == 3 + rows * columns
        return name, [array(*p[1:])[1] for p in parts[3:]]

    return dict(array(at, size) for kind, at, size in elements(128, len(data)))


def test_the_MAT_file_holds_the_same():
    m = linearize(linear / "arm.yaml", "arm.h5", "--mat", "arm.mat")
    mat = mat_file("arm.mat")
    for k in "ABCD":
        assert np.array_equal(mat[k], getattr(m, k))
    assert mat["state_names"] == m.states and mat["input_names"] == m.inputs and mat["output_names"] == m.outputs
    assert mat["output_units"] == m.output_units and np.array_equal(mat["output_at"][:, 0], m.output_at)


def test_modes_stand_for_coordinates_at_low_frequencies(measured):
    whole = linearize(linear / "arm.yaml", "whole.h5")
    few = linearize(linear / "arm.yaml", "few.h5", *settings("linearize.modes=8"))
    assert len(few.states) == 16 and few.states[0] == "mode.1"
    at = [0.2, 1, 3]
    a, b = transfer(whole, at), transfer(few, at)
    kept = [i for i, name in enumerate(whole.outputs) if name.startswith("hand.")]
    worst = max(np.linalg.norm((a[k] - b[k])[:, kept]) / np.linalg.norm(a[k][:, kept]) for k in a)
    measured(f"8 modes of {len(whole.states) // 2}: up to 3 Hz they differ by {worst:.1e}")
    assert worst < 2e-2


def test_mistakes_are_told_where_they_stand():
    said = limber("linearize", edited(linear / "pendulum.yaml", r"inputs: \[push", "inputs: [pish", "names.yaml"))
    assert said.code == 2
    assert "names.yaml:17:22: error: there is no load or signal 'pish'; did you mean 'push'?" in said.err
    said = limber("linearize", edited(linear / "pendulum.yaml", r"bob\.y", "rob.y", "probe.yaml"))
    assert said.code == 2 and "error: there is no probe 'rob'; did you mean 'bob'?" in said.err
    said = limber("linearize", linear / "pendulum.yaml", "--set", "linearize.outputs=[bob.acceleration.x]",
                  "--set", "probes.bob.record=acceleration")
    assert said.code != 0 and "'bob.acceleration.x' has no derivative, as it belongs to more than one state" in said.err
    said = limber("linearize", linear / "arm.yaml", *settings("let.n=200"))
    assert said.code != 0 and "states, and 3000 are the most" in said.err and "linearize: {modes: 50}" in said.err


def test_modes_of_a_damped_node_without_mass_are_those_of_a(measured):
    """A damper on a node without mass makes a real mode, and changes the others."""
    said = limber("linearize", models / "linear/massless.yaml", "--set", "let.c=4", "-o", "damped.h5")
    assert said.code == 0
    difference = float(re.search(r"eigenvalues of A differ from \d+ of the lowest modes by (\S+)", said.out).group(1))
    measured(f"eigenvalues of A and modes differ by {difference:.1e}")
    assert difference < 1e-9


VERDICT = """
limber: 1
nodes: {a: [0, 0, SIGN1], g: {at: [0, 1, SIGN1], kind: fixed}}
elements:
  - rigid_body: {name: bob, node: a, mass: 2, inertia: [0.1, 0.1, 0.1]}
  - spring: {nodes: [g, a], damping: 0.5}
joints: [universal: {nodes: [ground, a], axis: [1, 0, 0], second_axis: [0, 1, 0], at: [0, 0, 0]}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
"""


def test_unstable_is_what_grows_by_more_than_its_error():
    """A pendulum with two axes, of which one is damped: hanging, and upside down."""
    for sign, grows in (("-", 0), ("", 2)):
        write("verdict.yaml", VERDICT.replace("SIGN", sign))
        said = limber("linearize", "verdict.yaml", "-o", "verdict.h5", "--force")
        assert said.code == 0, said.err
        found = re.search(r"unstable +(\d+) eigenvalue", said.out)
        assert (int(found[1]) if found else 0) == grows, said.out
