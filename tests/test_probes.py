# SPDX-License-Identifier: Apache-2.0
"""What probes record, from model file to results: tests/models/rotor.yaml has every kind of them."""
import numpy as np
import pytest

from support import edited, h5, limber, models, run, same_bytes, write


@pytest.fixture(scope="module")
def rotor(folder):
    return run(models / "rotor.yaml", "rotor.h5")


@pytest.fixture(scope="module")
def every(folder):
    """The probes of a run with a row for every step."""
    run(edited(models / "rotor.yaml", "every: 10", "every: 1", "all.yaml"), "all.h5")
    with h5("all.h5") as f:
        yield f


@pytest.fixture
def p(every):
    return every["history/probes"]


def largest(x):
    return np.abs(x).max()


def test_the_rotor_runs(rotor):
    assert rotor.code == 0


def test_a_station_at_the_end_is_the_node(p):
    for q in ["position", "displacement", "velocity", "rotation", "angular"]:
        assert largest(p["end"][q] - p["tip"][q][()]) <= 1e-12 * largest(p["tip"][q])


def test_a_station_at_an_integration_point_is_the_point(p):
    for q in ["force", "strain"]:  # the middle one of the three points of the middle element
        assert largest(p["same"][q] - p["gauss"][q][()]) < 1e-13 * largest(p["gauss"][q])


def exponential(v):
    a = np.linalg.norm(v)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]) / max(a, 1e-300)
    return np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k


def matrix(q):
    e = q[1:]
    k = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return (q[0] ** 2 - e @ e) * np.eye(3) + 2 * q[0] * k + 2 * np.outer(e, e)


def test_vector_quaternion_and_matrix_are_one_rotation(p):
    for name in ["hub", "mid"]:
        m = p[name]["matrix"][()].reshape(-1, 3, 3)
        v, q = p[name]["rotation"][()], p[name]["quaternion"][()]
        assert max(largest(exponential(a) - b) for a, b in zip(v, m)) < 1e-13
        assert max(largest(matrix(a) - b) for a, b in zip(q, m)) < 1e-14
        assert largest(np.diff(q, axis=0)) < 0.03
    axes = p["hub"]["axes"][()].reshape(-1, 3, 3)  # rows: the axes
    m = p["hub"]["matrix"][()].reshape(-1, 3, 3)
    assert largest(np.einsum("tij,kj->tki", m, axes[0]) - axes) < 1e-14


def test_rotations_go_on_past_a_full_turn_with_the_hinge(rotor):
    with h5("rotor.h5") as f:
        p = f["history/probes"]
        angle = p["bearing/angle"][()]
        away = np.abs((angle + np.pi) % (2 * np.pi) - np.pi) > 0.2  # at a full turn a vector shows the bending alone
        assert angle[-1] > 7
        for name in ["hub", "mid", "tip"]:
            assert largest((p[name]["rotation"][:, 2] - angle)[away]) < 0.03
        assert largest(p["hub/rotation"][:, 2] - angle) < 1e-12
        assert largest(p["hub/angular"][:, 2] - p["bearing/rate"]) < 1e-9


# The hub's axes turn; the arm is welded to the hub, the blade bends by centimetres.
def test_motion_is_as_seen_from_the_hub(p):
    axes, x, v, w = [p["hub"][q][()] for q in ["axes", "position", "velocity", "angular"]]
    e = axes.reshape(-1, 3, 3)
    arm = p["tip/position"][()] - x
    seen = np.einsum("tij,tj->ti", e, arm)
    rate = np.einsum("tij,tj->ti", e, p["tip/velocity"][()] - v - np.cross(w, arm))
    s = {q: p["tip_seen"][q][()] for q in p["tip_seen"]}
    assert largest(s["position"] - seen) < 1e-14
    assert largest(s["displacement"] - (seen - seen[0])) < 1e-14
    assert largest(s["velocity"] - rate) < 1e-12
    assert largest(s["displacement"]) < 0.1 * largest(p["tip/displacement"])
    assert largest(s["angular"] - np.einsum("tij,tj->ti", e, p["tip/angular"][()] - w)) < 1e-12
    assert largest(p["far/displacement"]) < 1e-14
    assert largest(p["far/rotation"]) < 1e-14
    assert np.allclose(p["turned/force"], np.einsum("tij,tj->ti", e, p["bearing/force"][()]), rtol=1e-12, atol=1e-9)


def test_energies_of_all_bodies_are_the_ledger(every):
    h = every["history"]
    for q, bodies in ("kinetic", 5), ("strain", 4), ("potential", 5):
        parts = [h["probes"][n][q][()] for n in h["probes"] if n.startswith("energy_") and q in h["probes"][n]]
        assert len(parts) == bodies
        assert largest(sum(parts) - h["ledger"][q]) < 1e-14 * h["ledger/exchanged"][-1]


def test_extremes_see_every_step(rotor, every):
    with h5("rotor.h5") as few:
        assert sorted(few["extremes"]) == ["bearing", "mid", "pull", "stretch", "tip_seen"]
        assert len(few["history/time"]) == 21
        t, missed, wrong = every["history/time"][()], 0, []
        for probe, table in few["extremes"].items():
            for row, name in zip(table, table.attrs["rows"]):
                q, _, c = name.partition(".")
                x, rows = every["history/probes"][probe][q], few["history/probes"][probe][q]
                k = list(x.attrs["columns"]).index(c) if c else 0
                x, rows = (x[:, k], rows[:, k]) if c else (x[()], rows[()])
                of_step = (probe, q) in [("bearing", "force"), ("bearing", "moment"), ("bearing", "multiplier"), ("pull", "value")]
                x, when = (x[1:], t[1:]) if of_step else (x, t)  # there is none at the start
                if [x.min(), when[x.argmin()], x.max(), when[x.argmax()]] != list(row):
                    wrong.append(probe + "." + name)
                missed += row[2] > rows.max()
        assert wrong == []
        assert missed > 20
        mid = few["extremes/mid"].attrs
        assert list(mid["rows"]) == ["rotation.z", "force.N", "force.V2", "force.V3", "force.M1", "force.M2", "force.M3"]
        assert mid["units"] == "rad, N, N, N, N m, N m, N m"
        assert list(mid["columns"]) == ["min", "time of min", "max", "time of max"]


def test_formulae_are_arithmetic(rotor):
    with h5("rotor.h5") as f:
        h = f["history"]
        p = h["probes"]
        span = np.linalg.norm(p["tip/position"][()] - p["hub/position"], axis=1)
        assert largest(p["span/value"] - span) < 1e-15 * 4
        assert np.array_equal(p["stretch/value"], p["span/value"][()] - 2)
        assert np.array_equal(p["share/value"], p["energy_blade/kinetic"][()] / h["ledger/kinetic"])
        assert np.array_equal(p["pull/value"], -p["bearing/force"][:, 2])
        assert (p["span/value"].attrs["units"], p["share/value"].attrs["units"]) == ("m", "1")


def test_a_formula_may_bear_the_name_of_a_parameter_that_it_uses():
    run(write("same.yaml", """limber: 1
let: {z: 5}
nodes: {p: {at: [0, 0, 0], kind: point}}
elements: [{mass: {node: p, mass: 1}}]
probes: [{name: z, formula: z + time}, {name: twice, formula: 2*z}]
run: {step: 1 s, end: 2 s}
"""), "same.h5")
    assert limber("export", "same.h5", "z", "twice").lines[-1] == "2,7,14"


def test_a_formula_is_called_by_its_name(rotor):
    assert limber("export", "rotor.h5", "span", "--to", "0").lines[0] == "time [s],span [m]"


# ---- against what is known ----
def test_a_rope_carries_the_weight():
    run(write("hanging.yaml", """limber: 1
nodes: {bob: {at: [0, 0, -1], kind: point}, top: {at: [0, 0, 0], kind: fixed}}
elements:
  - mass: {node: bob, mass: 3}
joints:
  - distance: {name: rope, nodes: [top, bob]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {joint: rope}
run: {step: 1 ms, end: 10 ms}
"""), "hanging.h5")
    with h5("hanging.h5") as f:
        p = f["history/probes/rope"]
        assert sorted(p) == ["force", "multiplier"]
        assert largest(p["force"][1:] - [0, 0, 3 * 9.81]) < 1e-10


# A cantilever that has come to rest under its weight: V = q (L - s), M = q (L - s)^2/2, but for its bending.
def test_forces_along_a_cantilever_are_those_of_statics(measured):
    stations = "".join("  - {name: s%d, element: b, at: %.3f, record: [force]}\n" % (i, i / 40) for i in range(41))
    run(write("shelf.yaml", """limber: 1
nodes: {a: [0, 0, 0], e: [2, 0, 0]}
sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [60 mm, 20 mm]}}
elements:
  - beam: {name: b, from: a, to: e, section: s, elements: 4, order: 2, up: [0, 1, 0]}
joints: [{clamp: {name: wall, node: a}}]
loads: [{gravity: {acceleration: [0, 0, -9.81]}}]
probes:
  - {joint: wall}
""" + stations + "run: {scheme: decaying_a, step: 1 s, end: 60 s, every: 1000}\n"), "shelf.h5")
    with h5("shelf.h5") as f:
        p = f["history/probes"]
        q, s = 2700 * 0.06 * 0.02 * 9.81, np.arange(41) / 20
        force = np.array([p["s%d/force" % i][-1] for i in range(41)])
        shear = largest(np.abs(force[:, 2]) - q * (2 - s)) / (2 * q)
        bending = largest(np.abs(force[:, 4]) - q * (2 - s) ** 2 / 2) / (2 * q)
        measured("shear off by %.1e, bending by %.1e" % (shear, bending))
        assert shear < 1e-4  # measured: 4.8e-5
        assert bending < 0.02  # measured: 1.1e-2
        assert largest(p["wall/force"][-1] - [0, 0, 2 * q]) < 1e-8 * q
        assert largest(p["wall/moment"][-1] - [0, -2 * q, 0]) < 1e-3 * q


# ---- ranks and bytes ----
def test_the_same_run_gives_the_same_bytes(rotor):
    run(models / "rotor.yaml", "again.h5", "--", "-limber_flush", "0")
    assert same_bytes("rotor.h5", "again.h5")


@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_record_what_one_does(rotor, ranks, measured):
    run(models / "rotor.yaml", "ranks.h5", ranks=ranks)
    scale = dict(velocity=40, angular=20, force=1e5, moment=1e3, multiplier=1e5, kinetic=2000, strain=2000, potential=2000)
    wrong, worst = [], 0.0
    with h5("rotor.h5") as one, h5("ranks.h5") as several:
        def visit(name, x):
            nonlocal worst
            if not hasattr(x, "shape") or "probes" not in name and "extremes" not in name:
                return
            size = scale.get(name.split("/")[-1], 1) if "probes" in name else 1e5
            off = np.abs(x[()] - several[name][()])
            if "extremes" in name:
                off = off[:, ::2]  # of equal ones round-off chooses the time
            off = off.max() / size
            worst = max(worst, off)
            if not off <= 1e-9:
                wrong.append("%s is off by %.1e" % (name, off))
        one.visititems(visit)
    measured("largest relative difference %.1e" % worst)
    assert wrong == []
