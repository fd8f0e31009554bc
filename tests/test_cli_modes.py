# SPDX-License-Identifier: Apache-2.0
"""limber modes: frequencies against closed forms and published tables, names, results."""
import math
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from support import h5, limber, settings, source, write


def modes(text, *changes, name="model", ranks=1):
    """Frequencies in rad/s, damping ratios, names and what was printed."""
    write(f"{name}.yaml", text)
    said = limber("modes", f"{name}.yaml", "-o", f"{name}.h5", *settings("modes.frames=0", *changes), ranks=ranks)
    assert said.code == 0, said.err
    with h5(f"{name}.h5") as f:
        names = [n.decode() for n in f["modes/names"][:]]
        return 2 * math.pi * f["history/mode/frequency"][:], f["history/mode/damping"][:], names, said


def bending(omega, names, word):
    """Frequencies of the modes whose names have a word."""
    return [w for w, n in zip(omega, names) if f" {word} " in n]


BEAM = """
limber: 1
let: {n: 10, stiff: 1e7, r: 1e-4, omega: 0, hub: 0}
nodes: {root: [hub, 0, 0]}
sections:
  s: {stiffness: [stiff, stiff, stiff, 1e4, 1, 1], mass: 1, inertia: [2*r^2, r^2, r^2]}
elements:
  - beam: {name: beam, from: root, end: [hub + 1, 0, 0], section: s, up: [0, 0, 1], elements: n}
"""
CLAMPED = BEAM + """
joints:
  - clamp: {node: root}
"""
ROTATING = BEAM + """
motion: {angular_velocity: [0, 0, omega]}
joints:
  - revolute: {name: shaft, nodes: [ground, root], axis: [0, 0, 1], at: [0, 0, 0]}
loads:
  - drive: {joint: shaft, rate: omega}
modes: {count: 12, bending_y: flap, bending_z: lag}
"""


def test_a_cantilever_has_pairs_of_frequencies():
    omega, _, names, _ = modes(CLAMPED)
    exact = np.repeat([3.5160152685, 22.0344915647, 61.6972144135], 2)
    assert omega[:6] == pytest.approx(exact, rel=1e-5)
    assert names[0] == "beam bending z 1, 100 % strain in beam, pair"
    assert names[1] == "beam bending y 1, 100 % strain in beam, pair"


# Wright, Smith, Thresher and Wang (1982), recomputed by a Galerkin method of 14 terms.
WRIGHT = {(0, 2): [4.13732, 22.61492, 62.27318, 121.49669], (0, 12): [13.17015, 37.60311, 79.61448, 140.53435],
          (1, 2): [4.83369, 23.36604, 63.06755], (1, 12): [19.72154, 51.07013, 98.52680]}


@pytest.mark.parametrize("case", WRIGHT)
def test_a_rotating_beam_is_stiffened_as_published(case, measured):
    hub, rate = case
    omega, _, names, _ = modes(ROTATING, f"let.hub={hub}", f"let.omega={rate}")
    flap, lag = bending(omega, names, "flap"), bending(omega, names, "lag")
    exact = WRIGHT[case]
    error = max(abs(a / b - 1) for a, b in zip(flap, exact))
    measured(f"hub {hub}, {rate} rad/s: flap off by {error:.1e}")
    assert len(flap) >= len(exact) and error < 1e-4
    # Coriolis forces, which the published lag frequencies leave out, are of the order of the strain
    assert [a ** 2 + rate ** 2 for a in lag[:3]] == pytest.approx([w ** 2 for w in flap[:3]], rel=2e-4)


SHAFT = """
limber: 1
let: {r: 1/40, omega: 10, stiff: 1e6}
nodes: {left: [0, 0, 0], right: [1, 0, 0]}
motion: {angular_velocity: [omega, 0, 0]}
sections:
  s: {stiffness: [stiff, stiff, stiff, 1e3, 1, 1], mass: 1, inertia: [2*r^2, r^2, r^2]}
elements:
  - beam: {name: shaft, from: left, to: right, section: s, up: [0, 0, 1], elements: 10}
joints:
  - spherical: {nodes: [ground, left]}
  - point_on_line: {nodes: [ground, right], axis: [1, 0, 0]}
modes: {count: 8}
"""
WHIRL = {10: [(9.9008020, 9.7781883), (39.2417458, 38.7601485), (86.9864714, 85.9345404)],
         50: [(10.1506122, 9.5375436), (40.2227771, 37.8147906), (89.1287200, 83.8690653)]}


@pytest.mark.parametrize("rate", WHIRL)
def test_a_spinning_shaft_whirls_forward_and_backward(rate, measured):
    omega, _, names, said = modes(SHAFT, f"let.omega={rate}")
    assert all("whirl" in n for n in names)
    # in the rotating frame forward whirl is slower by the rate, and turns back where that is more; backward is faster
    ways = [sorted(w for w, n in zip(omega, names) if f"{way} whirl" in n) for way in ("forward", "backward")]
    for exact, found in zip(zip(*WHIRL[rate]), ways):
        sign = 1 if found is ways[1] else -1
        for w in exact:
            nearest = min(found, key=lambda v: abs(v - abs(w + sign * rate)))
            measured(f"{w} + {sign * rate}: off by {abs(nearest - abs(w + sign * rate)) / w:.1e}")
            assert nearest == pytest.approx(abs(w + sign * rate), abs=1e-4 * w)
    assert "1 rigid motion" in said.out


TENSIONED = BEAM + """
joints:
  - spherical: {nodes: [ground, root]}
  - point_on_line: {nodes: [ground, beam.end], axis: [1, 0, 0]}
loads:
  - force: {node: beam.end, direction: [50, 0, 0]}
"""


def test_a_beam_under_tension_is_tuned_as_a_string_is(measured):
    omega, _, _, said = modes(TENSIONED)
    exact = [(n * math.pi) ** 2 * math.sqrt(1 + 50 / (n * math.pi) ** 2) for n in (1, 1, 2, 2, 3, 3)]
    measured(f"off by {np.abs(omega[:6] / exact - 1).max():.1e}")
    assert omega[:6] == pytest.approx(exact, rel=2e-5)


PENDULUM = """
limber: 1
nodes: {a: [0, 0, -1], b: [0, 0, -2]}
elements:
  - rigid_body: {name: upper, node: a, mass: 1, inertia: [1e-9, 1e-9, 1e-9]}
  - rigid_body: {name: lower, node: b, mass: 1, inertia: [1e-9, 1e-9, 1e-9]}
joints:
  - revolute: {name: pin, nodes: [ground, a], axis: [0, 1, 0], at: [0, 0, 0]}
  - revolute: {name: elbow, nodes: [a, b], axis: [0, 1, 0], at: [0, 0, -1]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
"""


def test_a_double_pendulum_has_two_modes():
    omega, _, names, _ = modes(PENDULUM)
    assert omega == pytest.approx([math.sqrt(9.81 * (2 - math.sqrt(2))), math.sqrt(9.81 * (2 + math.sqrt(2)))], rel=1e-8)
    assert names[0].startswith("lower along x 1")


def test_dampers_of_joints_damp_modes():
    damped = PENDULUM.replace("axis: [0, 1, 0], at: [0, 0, 0]}", "axis: [0, 1, 0], at: [0, 0, 0], angle: {damping: 0.3}}")
    omega, ratio, _, _ = modes(damped)
    m = np.array([[2.0, 1.0], [1.0, 1.0]])  # angles of both arms, small
    k, c = 9.81 * np.diag([2.0, 1.0]), np.diag([0.3, 0.0])
    a = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(m, k), -np.linalg.solve(m, c)]])
    exact = sorted((e for e in np.linalg.eigvals(a) if e.imag > 0), key=lambda e: e.imag)
    assert omega == pytest.approx([e.imag for e in exact], rel=1e-7)
    assert ratio == pytest.approx([-e.real / abs(e) for e in exact], rel=1e-6)


CABLE = """
limber: 1
let: {length: 100}
nodes: {a: {at: [0, 0, 0], kind: fixed}, b: {at: [100, 0, 0], kind: fixed}}
elements:
  - cable: {name: line, from: a, to: b, stiffness: 1e7, mass: 0.3, length: length, elements: 60, sag: [0, 0, -1]}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
modes: {count: 8}
"""


def horizontal(span, length, weight, stiffness):
    """Tension in the middle of an elastic cable between two places of one height, by bisection on the closed form."""
    def miss(h):
        half = weight * length / 2
        return h * length / stiffness + 2 * h / weight * math.asinh(half / h) - span
    low, high = 1e-3, 1e9
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if miss(middle) < 0 else (low, middle)
    return low


@pytest.mark.parametrize("length", [99.95, 100.01])
def test_a_sagging_cable_has_the_modes_of_irvine(length, measured):
    omega, _, names, _ = modes(CABLE, f"let.length={length}")
    weight, span, ea, mass = 0.3 * 9.81, 100, 1e7, 0.3
    h = horizontal(span, length, weight, ea)
    sag = weight * span ** 2 / (8 * h)
    square = (weight * span / h) ** 2 * span / (h * span * (1 + 8 * (sag / span) ** 2) / ea)
    wave = math.sqrt(h / mass) / span

    def equation(x):
        return math.tan(x / 2) - x / 2 + 4 / square * (x / 2) ** 3
    roots = []
    for n in (0, 1):  # a root after each pole of the tangent, or before the first one where the cable is stiff
        low, high = (2 * n + 1) * math.pi + 1e-9, (2 * n + 3) * math.pi - 1e-9
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if equation(middle) < 0 else (low, middle)
        roots.append(low)
    vertical = [w / wave for w, n in zip(omega, names) if " along z " in n or " along x " in n]
    sideways = [w / wave for w, n in zip(omega, names) if " along y " in n]
    expected = sorted(roots + [2 * math.pi])[:2]
    measured(f"lambda^2 {square:.3g}: vertical {vertical[:2]}, Irvine {expected}; sideways {sideways[:2]}")
    assert vertical[:2] == pytest.approx(expected, rel=1e-2)
    assert sideways[:2] == pytest.approx([math.pi, 2 * math.pi], rel=1e-2)


def test_two_ranks_find_what_one_finds():
    driven = "\n".join(line for line in ROTATING.split("\n") if not line.startswith("motion"))
    for text, changes in ((ROTATING, ["let.omega=5", "let.n=20", "let.stiff=1e5"]), (PENDULUM, []), (CABLE, []),
                          (THREE, ["elements.one.elements=30"]), (driven, ["let.omega=5", "let.stiff=1e5"])):
        one = modes(text, *changes, name="one")
        two = modes(text, *changes, name="two", ranks=2)
        assert two[0] == pytest.approx(one[0], rel=1e-8)
        assert two[2] == one[2]


def test_frames_show_each_mode_once_through_its_period():
    write("shapes.yaml", CLAMPED)
    assert limber("modes", "shapes.yaml", *settings("modes.count=2")).code == 0
    with h5("shapes.modes.h5") as f:
        time = f["VTKHDF/Steps/Values"][:]
        assert len(time) == 50 and time[0] == 1 and time[25] == 2 and 1.999 < time[24] < 2
        position = f["VTKHDF/Points"][:].reshape(50, -1, 3)
        tip = np.abs(position - position[6]).max(axis=(1, 2))  # a quarter of the period is the equilibrium
        assert tip[0] == pytest.approx(0.05, rel=1e-6) and tip[12] == pytest.approx(0.05, rel=1e-6)


def test_mistakes_are_told_with_their_place():
    write("bad.yaml", CLAMPED + "modes: {count: 0, dampd: yes}\n")
    said = limber("modes", "bad.yaml")
    assert said.code == 2 and "bad.yaml:12:19: error" in said.err and "damped" in said.err


def test_a_node_without_mass_or_stiffness_is_named():
    write("loose.yaml", PENDULUM.replace("a: [0, 0, -1]", "loose: [5, 5, 5], a: [0, 0, -1]"))
    said = limber("modes", "loose.yaml")
    assert said.code != 0 and "loose" in said.err


# ---- verdicts ----

DAMPED_TIP = """
limber: 1
let: {c: 2, n: 10}
nodes: {a: [0, 0, 0], g: {at: [1, 0, -0.5], kind: fixed}}
sections: {s: {stiffness: [1e8, 1e8, 1e8, 20, 10, 10], mass: 1, inertia: [2e-8, 1e-8, 1e-8]}}
elements:
  - beam: {name: b, from: a, end: [1, 0, 0], section: s, elements: n, up: [0, 1, 0]}
  - spring: {name: d, nodes: [g, b.end], damping: c}
joints: [clamp: {node: a}]
modes: {count: 8}
"""


def test_no_stable_structure_is_called_unstable(measured):
    assert limber("new", "pendulum", "--force").code == 0
    for text in (open("pendulum.yaml").read(), DAMPED_TIP, DAMPED_TIP.replace("n: 10", "n: 60")):
        _, damping, names, said = modes(text, name="stable")
        assert "unstable" not in said.out
        across = [i for i, n in enumerate(names) if " y 1" in n or " bending y " in n]
        with h5("stable.h5") as f:
            error, size = f["history/mode/real_error"][:], 2 * math.pi * f["history/mode/frequency"][:]
        measured(f"damping {damping}, bounds {error / size}")
        assert len(across) >= 3 and all(damping[i] == 0 for i in across)  # no damper acts across
        assert all(d > 1e-3 for i, d in enumerate(damping) if i not in across)
        assert all(error[across] < 1e-4 * size[across])  # measured: 3e-6


def test_the_swing_of_a_pendulum_has_no_strain():
    assert limber("new", "pendulum", "--force").code == 0
    _, _, names, _ = modes(open("pendulum.yaml").read())
    assert names[0] == "bob along x 1, without strain"
    assert names[2] == "arm bending z 1, 100 % strain in arm"


def test_an_inverted_pendulum_is_called_unstable():
    # lambda^2 = g m l/(m l^2 + J), and a damper in the hinge: J l'' + c l' - g m l = 0
    text = """
limber: 1
nodes: {a: [0, 0, 1]}
elements: [rigid_body: {name: bob, node: a, mass: 2, inertia: [0.1, 0.1, 0.1]}]
joints: [revolute: {nodes: [ground, a], axis: [0, 1, 0], at: [0, 0, 0], angle: {damping: 0.5}}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
"""
    omega, _, _, said = modes(text)
    assert "unstable" in said.out
    with h5("model.h5") as f:
        growth, error = f["history/mode/real"][:].max(), f["history/mode/real_error"][:].max()
    exact = (-0.5 + math.sqrt(0.25 + 4 * 2.1 * 2 * 9.81)) / 4.2
    assert growth == pytest.approx(exact, rel=1e-9) and error < 1e-9


# ---- equal modes ----

THREE = """
limber: 1
nodes: {a: [0, 0, 0], b: [0, 1, 0], c: [0, 2, 0]}
sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [40 mm, 8 mm]}}
elements:
  - beam: {name: one, from: a, end: [1, 0, 0], section: s, up: [0, 1, 0], damping: 1 ms}
  - beam: {name: two, from: b, end: [1, 1, 0], section: s, up: [0, 1, 0], damping: 1 ms}
  - beam: {name: three, from: c, end: [1, 2, 0], section: s, up: [0, 1, 0], damping: 1 ms}
joints: [clamp: {node: a}, clamp: {node: b}, clamp: {node: c}]
modes: {count: 6, bending_z: flap}
"""


def kinetic(name):
    """Shares of the parts in the kinetic energy, a row a mode."""
    with h5(f"{name}.h5") as f:
        return f["history/mode/kinetic_energy"][:][:, :3]


@pytest.mark.parametrize("changes", [[], ["elements.one.end.1=1.000000001"], ["modes.damped=no"], ["modes.count=5"]])
def test_equal_modes_share_a_name_and_are_those_of_single_parts(changes):
    _, damping, names, _ = modes(THREE, *changes)
    assert names[:3] == 3 * ["flap 1 of one, two, three, triple"]
    assert kinetic("model")[:3] == pytest.approx(np.eye(3), abs=1e-6)
    if len(names) == 6:
        assert names[3:] == 3 * ["bending y 1 of one, two, three, triple"]
        assert kinetic("model")[3:] == pytest.approx(np.eye(3), abs=1e-6)
    else:  # of a group that is cut, the first in the order of the model stay
        assert kinetic("model")[3:] == pytest.approx(np.eye(3)[:2], abs=1e-6)


def test_torsion_is_no_whirl():
    _, _, names, _ = modes("""
limber: 1
nodes: {a: [0, 0, 0]}
sections: {s: {stiffness: [1e8, 1e8, 1e8, 500, 500, 500], mass: 0.1, inertia: [2e-6, 1e-6, 1e-6]}}
elements:
  - beam: {name: shaft, from: a, end: [0.5, 0, 0], section: s, elements: 2, up: [0, 1, 0]}
  - rigid_body: {name: disk, node: shaft.end, mass: 5, inertia: [0.1, 0.05, 0.05]}
joints: [revolute: {name: brg, nodes: [ground, a], axis: [1, 0, 0]}]
loads: [drive: {joint: brg, rate: 100}]
modes: {count: 4}
""")
    torsion = [n for n in names if "about x" in n]
    assert len(torsion) == 1 and "whirl" not in torsion[0]
    assert sum("forward whirl" in n for n in names) == 2 and sum("backward whirl" in n for n in names) == 1


def test_rigid_motions_are_left_out_below_a_limit_that_is_told():
    said = modes(BEAM)[3]
    assert "6 rigid motions left out: below" in said.out and "Hz the stiffness of this model is round-off" in said.out


# ---- drives that rotate the model ----

def test_a_drive_rotates_the_model_without_motion():
    still = modes(ROTATING, "let.omega=0")[0]
    for rate in ("rate: omega", "motion: {expression: omega*t}"):
        text = ROTATING.replace("rate: omega", rate)
        given = modes(text, "let.omega=5")
        driven = modes("\n".join(line for line in text.split("\n") if not line.startswith("motion")), "let.omega=5")
        assert driven[0] == pytest.approx(given[0], rel=1e-9) and driven[2] == given[2]
        assert "rotating at 5 rad/s" in driven[3].out and driven[0][0] > 1.1 * still[0]  # measured: 1.16


def test_a_drive_without_a_steady_state_is_refused_by_name():
    write("part.yaml", """
limber: 1
nodes: {a: [0, 0, 0], b: [1, 0, 0], c: [1, 0, 1]}
sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [40 mm, 8 mm]}}
elements:
  - beam: {name: post, from: a, to: b, section: s, up: [0, 0, 1]}
  - rigid_body: {name: rotor, node: c, mass: 1, inertia: [1, 1, 1]}
joints: [clamp: {node: a}, revolute: {name: shaft, nodes: [b, c], axis: [0, 0, 1]}]
loads: [drive: {name: spin, joint: shaft, rate: 3}]
""")
    said = limber("linearize", "part.yaml")
    assert said.code == 1 and "drive 'spin' moves at the rate 3" in said.err and "limber floquet" in said.err
    said = limber("modes", "part.yaml")  # the body looks the same from all sides
    assert said.code == 0 and "with a rotor rotating at 3 rad/s" in said.out
    said = limber("modes", "part.yaml", *settings("loads.spin.rate=0"))
    assert said.code == 0 and "standing" in said.out


def test_warnings_are_those_of_the_command():
    soft = CLAMPED.replace("stiff: 1e7", "stiff: 1e12")
    for run in ("", "run: {step: 100 s, end: 200 s}\n"):
        write("steps.yaml", soft + run)
        said = limber("modes", "steps.yaml", *settings("modes.count=2"))
        assert said.code == 0 and "steps of" not in said.err
        assert ("steps of 100 s" in limber("check", "steps.yaml").err) == bool(run)


def test_ten_modes_of_a_solid_take_one_factorisation_and_few_solutions():
    if os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("without MPI there is neither MUMPS nor SLEPc")
    subprocess.run([sys.executable, source / "benchmarks/peer_cases.py", ".", "--side", "5"], check=True)
    found = []
    for name, options in (("usual", []), ("exact", ["-limber_modes_eps_tol", "1e-14", "-limber_modes_eps_purify", "1"])):
        said = limber("modes", "block.yaml", "-o", f"{name}.h5", "--", *options, "-log_view", f":{name}.log")
        assert said.code == 0, said.err
        with h5(f"{name}.h5") as f:
            found.append(f["history/mode/frequency"][:])
    counts = dict(re.findall(r"^(\w+) +(\d+) ", open("usual.log").read(), re.M))
    assert int(counts["MatCholFctrNum"]) == 1 and int(counts["STMatSolve"]) <= 70 and int(counts["MatMatSolve"]) == 2
    assert len(found[0]) == 10 and found[0] == pytest.approx(found[1], rel=1e-10)
