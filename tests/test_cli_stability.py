# SPDX-License-Identifier: Apache-2.0
"""limber stability and limber floquet: outcomes, results files, ranks, and what they say of wrong files."""
import math
import re

import numpy as np
import pytest

from support import h5, limber, settings, source, write

ziegler = source / "examples/ziegler/ziegler.yaml"
column = source / "examples/follower_column/column.yaml"
pendulum = source / "examples/shaken_pendulum/pendulum.yaml"
LOAD = 3.5 - math.sqrt(2)


def critical(path):
    with h5(path) as f:
        return f["history/critical/value"][0], f["history/critical/frequency"][0]


def stability(model, path, *words, **options):
    said = limber("stability", model, "-o", path, *words, **options)
    assert said.code == 0, said.err
    return said


def test_two_frequencies_meet(measured):
    said = stability(ziegler, "z.h5")
    value, frequency = critical("z.h5")
    measured(f"off by {value / LOAD - 1:.1e}")
    assert abs(value / LOAD - 1) < 1e-9 and abs(2 * math.pi * frequency * 2 ** 0.25 - 1) < 1e-7
    assert said.lines[1] == ("flutter at let.P = 2.085786438: two frequencies meet at 0.133832821 Hz (0.840896415 rad/s); "
                             "mode: second along y 1")


def test_two_frequencies_meet_among_others(measured):
    """Beck's column: the modes above the two that meet are not taken for them."""
    stability(column, "beck.h5", *settings("let.n=4", "stability.from=15", "stability.points=5"))
    value, frequency = critical("beck.h5")
    off = 2 * math.pi * frequency / 11.015558 - 1  # Galerkin, 14 functions (examples/follower_column/reference.py)
    measured(f"off by {value / 20.0509536 - 1:.1e} and {off:.1e}")
    assert abs(value / 20.0509536 - 1) < 1.5e-4 and abs(off) < 2e-4


def test_damping_destabilises():
    for c in (0.3, 1e-3):
        said = stability(ziegler, "c.h5", *settings(f"let.c={c}"))
        assert abs(critical("c.h5")[0] - 41 / 28 - c * c / 2) < 3e-9
        assert said.lines[1].startswith("flutter at let.P = 1.") and "meet" not in said.out


def test_digits_are_those_asked_for():
    for digits in (3, 12):
        stability(ziegler, "d.h5", *settings(f"stability.digits={digits}"))
        assert abs(critical("d.h5")[0] / LOAD - 1) < 10 ** -digits


def test_rows_are_followed_eigenvalues():
    stability(ziegler, "r.h5")
    with h5("r.h5") as f:
        axis, e = f["history/time"], f["history/eigenvalue"]
        assert axis.attrs["name"] == "let.P" and axis.shape == (31,) and axis[-1] == 3
        re, im = e["real"][:], e["imaginary"][:]
        assert list(e["real"].attrs["columns"])[:2] == ["mode1", "mode2"]
        at = axis[:]
    stable = at < LOAD
    assert np.abs(re[stable, :2]).max() < 1e-9 and re[~stable, :2].max(axis=1).min() > 0.05
    assert (np.diff(im[stable, 0]) > 0).all() and (np.diff(im[stable, 1]) < 0).all()  # they approach each other
    assert np.allclose(im[~stable, 0], im[~stable, 1])


def test_a_column_buckles_or_flutters():
    words = settings("let.n=3", "stability.points=6", "let.eta=0", "stability.to=10")
    said = stability(column, "b.h5", *words)
    assert abs(critical("b.h5")[0] / (math.pi ** 2 / 4) - 1) < 3e-6
    assert said.lines[1].startswith("divergence (buckling) at let.P = 2.46740") and "column bending y 1" in said.out


def test_nothing_happens_in_a_range_without_crossing():
    said = stability(ziegler, "n.h5", "--to", "2")
    assert said.lines[1] == "stable from let.P = 0 to 2: no eigenvalue gets a positive real part"
    assert math.isnan(critical("n.h5")[0])


def test_a_parameter_that_nothing_uses_has_no_verdict():
    said = limber("stability", ziegler, "--vary", "let.Q", "-o", "q.h5")
    assert said.code == 1 and said.err == "limber stability: nothing in the model depends on 'let.Q'"


def test_a_range_that_begins_unstable_is_told():
    said = stability(ziegler, "u.h5", "--from", "2.5")
    assert said.lines[1].startswith("unstable at let.P = 2.5 already, where the range begins")


def test_two_ranks_give_the_same():
    stability(ziegler, "one.h5")
    stability(ziegler, "two.h5", ranks=2)
    assert abs(critical("one.h5")[0] / critical("two.h5")[0] - 1) < 1e-10


def test_any_number_of_the_file_is_varied():
    stability(ziegler, "k.h5", "--vary", "joints.knee.angle.stiffness", "--from", "0.2", "--to", "3", *settings("let.P=0"))
    assert math.isnan(critical("k.h5")[0])


@pytest.mark.parametrize("words, message", [
    (("stability.to=-1",), "'to' must be above 'from'"),
    (("stability.digits=20",), "'digits' must be from 1 to 15"),
    (("stability.from=much",), "'much' must begin with a number, such as 10 N"),
    (("stability.from=1 N",), "'from' and 'to' must have the same unit"),
])
def test_wrong_ranges_are_told_at_their_place(words, message):
    said = limber("stability", ziegler, "-o", "w.h5", *settings(*words))
    assert said.code == 2 and message in said.err and "--set:1:" in said.err


def test_a_parameter_that_is_not_there_is_told():
    said = limber("stability", ziegler, "-o", "p.h5", "--vary", "joints.elbow.angle.stiffness", "--to", "3")
    assert said.code == 1 and "'joints' has no entry 'elbow'" in said.err


def test_a_file_without_the_part_is_told():
    said = limber("stability", pendulum, "-o", "q.h5")
    assert said.code == 2 and "has no part `stability`" in said.err
    said = limber("floquet", ziegler, "-o", "q.h5")
    assert said.code == 2 and "has no part `floquet`" in said.err


# ---- columns and frames: `stability`, `static`, `modes` and closed forms ----

EA, GA, WEAK, STRONG, SPAN = 1.26e8, 4.04e7, 4200., 9450., 1.5  # N, N, N m2 along x and y, m between columns
LENGTH, GIRDER = 2., 5000.


def buckling_load(stiffness, base=math.inf, top=0, held=False, push=0):
    """The exact load of a column with shear and axial strain (Reissner), from z = 0 to LENGTH under a dead load P:
    theta = A cos kz + B sin kz - H/P, w' = m theta + H/GA, EI k^2 = m P, m = 1 - P/EA + P/GA, w(0) = 0.
    base, top: moments of springs per angle; held: w = 0 at the top, or else a force per displacement `push`."""
    def determinant(p):
        m = 1 - p / EA + p / GA
        k = math.sqrt(m * p / stiffness)
        c, s = math.cos(k * LENGTH), math.sin(k * LENGTH)
        moves = np.array([m * s / k, m * (1 - c) / k, -(1 - p / EA) * LENGTH])  # of A, B, H/P
        clamp = np.array([1., 0., -1.])  # theta at the base
        ends = [clamp if base == math.inf else base * clamp - stiffness * k * np.array([0, 1., 0]),
                moves if held else np.array([0, 0, p]) + push * moves,
                stiffness * k * np.array([-s, c, 0]) + top * np.array([c, s, -1.])]
        return np.linalg.det(ends)
    at, step = 1., stiffness / 400
    while determinant(at) * determinant(at + step) > 0:
        at += step
    low, high = at, at + step
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if determinant(low) * determinant(middle) > 0 else (low, middle)
    return low


def double_curvature(span):
    """Moment per angle of a girder whose ends turn alike; its shear force shortens one column and lengthens the other."""
    stiffness = 6 * GIRDER / span / (1 + 12 * GIRDER / (GA * span ** 2))
    return stiffness / (1 + 4 * stiffness * LENGTH / (EA * span ** 2))


CLAMP, GUIDE = "clamp: {node: a}", "point_on_line: {nodes: [ground, b.end], axis: [0, 0, 1]}"
UNIVERSAL = "universal: {nodes: [ground, a], axis: [1, 0, 0], second_axis: [0, 1, 0]%s}"


def one_column(*joints):
    return ["{a: [0, 0, 0]}"], ["beam: {name: b, from: a, end: [0, 0, 2], section: column, elements: 8, up: [1, 0, 0]}"], joints, ["b.end"]


def portal(*joints, corners=((0, 0), (SPAN, 0)), girders=((1, 2),)):
    """Columns under each corner, girders between them, loads on the columns."""
    nodes = [f"{k}{i}: [{x}, {y}, {z}]" for i, (x, y) in enumerate(corners, 1) for k, z in (("a", 0), ("t", 2))]
    parts = [f"beam: {{name: c{i}, from: a{i}, to: t{i}, section: column, elements: 8, up: [1, 0, 0]}}" for i in range(1, len(corners) + 1)]
    parts += [f"beam: {{name: g{i}, from: t{a}, to: t{b}, section: girder, elements: 4, up: [0, 0, 1]}}" for i, (a, b) in enumerate(girders, 1)]
    joints = [f"clamp: {{node: a{i}}}" for i in range(1, len(corners) + 1)] + list(joints)
    return ["{" + ", ".join(nodes) + "}"], parts, joints, [f"t{i}" for i in range(1, len(corners) + 1)]


CORNER = (["{a: [0, 0, 0], t: [0, 0, 2]}"],
          ["beam: {name: c, from: a, to: t, section: column, elements: 8, up: [1, 0, 0]}",
           f"beam: {{name: g, from: t, end: [{SPAN}, 0, 2], section: girder, elements: 4, up: [0, 0, 1]}}"],
          ["clamp: {node: a}", "prismatic: {nodes: [ground, g.end], axis: [0, 0, 1]}"], ["t"])

# model, stiffness along x and y, exact load, axis along which it buckles
FRAMES = {
    "cantilever": (one_column(CLAMP), (WEAK, STRONG), buckling_load(WEAK), "x"),
    "cantilever weak along y": (one_column(CLAMP), (STRONG, WEAK), buckling_load(WEAK), "y"),
    "universal joint and guide": (one_column(UNIVERSAL % "", GUIDE), (WEAK, STRONG), buckling_load(WEAK, base=0, held=True), "x"),
    "ball joint and guide, free to spin": (one_column("spherical: {nodes: [ground, a]}", GUIDE), (WEAK, STRONG),
                                           buckling_load(WEAK, base=0, held=True), "x"),
    "clamped and guided": (one_column(CLAMP, GUIDE), (STRONG, WEAK), buckling_load(WEAK, held=True), "y"),
    "clamped at both ends": (one_column(CLAMP, "prismatic: {nodes: [ground, b.end], axis: [0, 0, 1]}"), (WEAK, STRONG),
                             buckling_load(WEAK, top=1e15, held=True), "x"),
    "springs at the base": (one_column(UNIVERSAL % ", angle1: {stiffness: 3000}, angle2: {stiffness: 20000}"), (WEAK, STRONG),
                            buckling_load(STRONG, base=3000), "y"),
    "portal that sways": (portal(), (WEAK, 100 * WEAK), buckling_load(WEAK, top=double_curvature(SPAN)), "x"),
    "portal that is braced": (portal(*(f"point_in_plane: {{nodes: [ground, t{i}], axis: [1, 0, 0]}}" for i in (1, 2))), (WEAK, 100 * WEAK),
                              buckling_load(WEAK, top=2 * GIRDER / SPAN, held=True), "x"),
    "corner": (CORNER, (WEAK, 100 * WEAK), buckling_load(WEAK, top=GIRDER / SPAN, push=EA / SPAN), "z"),  # the end of the girder
    "table": (portal(corners=((0, 0), (SPAN, 0), (SPAN, 1), (0, 1)), girders=((1, 2), (2, 3), (3, 4), (4, 1))), (STRONG, WEAK),
              buckling_load(WEAK, top=double_curvature(1)), "y"),
}


def write_frame(path, name, load):
    (nodes, parts, joints, loaded), (along_x, along_y), _, _ = FRAMES[name]

    def section(kind, ex, ey):
        return f"  {kind}: {{stiffness: [{EA}, {GA}, {GA}, 5000, {ey}, {ex}], mass: 4.7, inertia: [3e-4, 1e-4, 2e-4]}}\n"
    return write(path, f"limber: 1\nlet: {{P: {load!r}}}\nnodes: {nodes[0]}\nsections:\n" + section("column", along_x, along_y)
                 + section("girder", GIRDER, GIRDER) + "elements:\n" + "".join(f"  - {p}\n" for p in parts)
                 + "joints:\n" + "".join(f"  - {j}\n" for j in joints)
                 + "loads:\n" + "".join(f"  - force: {{node: {n}, direction: [0, 0, -P]}}\n" for n in loaded)
                 + "static: {to: 1}\nmodes: {count: 3}\n")


def direction(moves):
    return np.array([float(x) for x in re.search(r"along \((.*)\)", moves)[1].split(",")])


def axis_of_shape(path, frames):
    """The axis along which the nodes move most in the first frames of a results file."""
    with h5(path) as f:
        points = f["VTKHDF/Points"][:]
        nodes = len(points) // len(f["VTKHDF/Steps/Values"])
        return "xyz"[np.ptp(points.reshape(-1, nodes, 3)[:frames], axis=0).max(axis=0).argmax()]


@pytest.mark.parametrize("name", FRAMES)
def test_stability_static_and_modes_agree_with_closed_forms(name, measured):
    exact, axis = FRAMES[name][2:]
    model = write_frame("frame.yaml", name, 1.3 * exact)

    said = stability(model, "s.h5", "--vary", "let.P", "--from", "0", "--to", f"{1.3 * exact!r}", *settings("stability.points=4"))
    load = critical("s.h5")[0]
    found = re.match(r"divergence \(buckling\) at let.P = \S+; mode: (.*) 1$", said.lines[0])
    moves = said.lines[1][said.lines[1].index("node"):]
    assert found and "xyz"[np.abs(direction(moves)).argmax()] == axis and axis_of_shape("s.h5", 24) == axis, said.out

    said = limber("static", model, "-o", "p.h5")
    first = next(line for line in said.lines if "bifurcation" in line)
    point = re.search(r"load factor (\S+)( \(within \S+\))?: (.*); (node '\S+' moves most, along .*); 1 direction of", first)
    assert point and point[3] == found[1] and np.abs(direction(point[4]) - direction(moves)).max() < 2e-4, first
    measured(f"{name}: exact {exact:.6f} N, stability {load / exact - 1:+.1e}, static {float(point[1]) * 1.3 - 1:+.1e}, {found[1]}")
    assert abs(load / exact - 1) < 5e-6  # 8 cubic elements a column: at most 3.7e-6, of the one clamped at both ends
    assert abs(float(point[1]) * 1.3 * exact / load - 1) < 1e-8

    with h5("p.h5") as f:  # the path goes on, and counts
        assert f["history/ledger/negative"][-1] >= 1 and abs(f["history/ledger/load_factor"][-1] - 1) < 1e-12
    for factor, stable in ((1 - 1e-6, True), (1 + 1e-6, False)):
        said = limber("modes", write_frame("m.yaml", name, factor * load), "-o", "m.h5")
        assert said.code == 0, said.err
        with h5("m.h5") as f:
            assert f["modes/names"][0].decode().startswith(found[1] + " 1") and axis_of_shape("m.h5", 25) == axis
            assert (f["history/mode/real"][0] <= 0) == stable


def test_two_ranks_find_the_same_buckling():
    model = write_frame("ranks.yaml", "ball joint and guide, free to spin", 2e4)
    said = [[line for line in limber(*words, ranks=n).lines if re.search("bifurcation|stiffness|buckling|found", line)]
            for words in (("static", model, "-o", "r.h5"), ("stability", model, "-o", "r.h5", "--vary", "let.P", "--from", "0", "--to", "2e4"))
            for n in (1, 2)]
    assert said[0] and said[2] and said[0] == said[1] and said[2] == said[3]


def tripod(path):
    feet = [[round(math.cos(a), 12), round(math.sin(a), 12), 0] for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    return write(path, "limber: 1\nlet: {P: 10 kN}\nnodes: {top: {at: [0, 0, 2], kind: point}}\n"
                 "sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, circle: {diameter: 20 mm}}}\nelements:\n"
                 + "".join(f"  - beam: {{name: l{i}, start: {foot}, end: [0, 0, 2], section: s, elements: 4}}\n" for i, foot in enumerate(feet))
                 + "joints:\n" + "".join(f"  - spherical: {{nodes: [ground, l{i}.start]}}\n  - spherical: {{nodes: [l{i}.end, top]}}\n"
                                         for i in range(3))
                 + "loads: [force: {name: P, node: top, direction: [0, 0, -P]}]\nmodes: {count: 3}\n")


def test_struts_that_spin_buckle_once(measured):
    """Each strut, of length sqrt(5), carries P/3 sqrt(5)/2; all three buckle together, in two planes each."""
    euler = math.pi ** 2 * 70e9 * math.pi * 1e-8 / 4 / 5
    exact = 3 * euler * 2 / math.sqrt(5)
    said = limber("static", tripod("t.yaml"), "-o", "t.h5")
    points = [line for line in said.lines if "found" in line]
    assert said.code == 0 and len(points) == 2 and "3 motions without stiffness ignored" in points[0]
    factor = float(re.search(r"bifurcation at load factor (\S+)", points[1])[1])
    assert points[1].endswith("6 directions of negative stiffness after it")
    said = stability("t.yaml", "t.h5", "--vary", "let.P", "--from", "0 kN", "--to", "8 kN")
    load = critical("t.h5")[0]
    measured(f"Euler {exact / 1e4:.6f}, static {factor:.6f}, stability {load / 10:.6f}")
    assert abs(factor * 1e4 / exact - 1) < 4e-4  # shear and shortening of the struts, and a top that comes down: +1.5e-4
    assert abs(load / 10 / factor - 1) < 3e-7 and "bending" in said.out


# ---- floquet ----

def test_a_shaken_pendulum_is_unstable_in_the_tongue(measured):
    said = limber("floquet", pendulum, "-o", "f.h5", *settings("floquet.steps=100"))
    assert said.code == 0
    with h5("f.h5") as f:
        m = f["history/multiplier"]
        real, growth = m["real"][:].ravel(), m["growth"][:].ravel()
        assert f["history/time"].attrs["name"] == "multiplier" and list(f["history/time"]) == [1, 2]
    measured(f"{real}")
    assert np.abs(real - [-1.155868659, -0.865150198]).max() < 1e-4 and growth[0] > 0 > growth[1]
    assert said.lines[-2] == ("unstable: a disturbance grows by 1.15579 in each period, an oscillation of twice the period; "
                              "node 'bob' moves most")


def test_a_motion_that_does_not_repeat_is_told():
    said = limber("floquet", pendulum, "-o", "g.h5", *settings("floquet.steps=50", "floquet.period=0.4 s"))
    assert said.code == 0 and "undecided: the motion is not periodic; after one period it differs from its start by" in said.out
    assert "unstable" not in said.out


def test_wrong_periods_are_told_at_their_place():
    for change, message in (("floquet.period=0 s", "'period' must be positive"), ("floquet.steps=1", "'steps' must be at least 2")):
        said = limber("floquet", pendulum, "-o", "h.h5", *settings(change))
        assert said.code == 2 and message in said.err
