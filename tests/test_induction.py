# SPDX-License-Identifier: Apache-2.0
"""Velocities that a rotor induces at its blades, against blade-element momentum theory in Python: docs/air.md#rotors."""
import math

import numpy as np
import pytest

import momentum_theory
from support import columns_of, edited, h5, limber, run, settings, write

DEGREES = [(-180, 0, 0.5), (-20, -0.9, 0.2), (-8, -0.8, 0.012), (0, 0.3, 0.008), (6, 1.0, 0.01), (11, 1.35, 0.02), (20, 1.1, 0.2),
           (90, 0.1, 1.3), (180, 0, 0.5)]
TABLE = [(math.radians(r[0]), *r[1:]) for r in DEGREES]
STATIONS = [(0, 1.6, -12), (0.4, 1.2, -5), (1, 0.5, 0)]
ROWS = ", ".join(f"[{r[0]} deg, {r[1]}, {r[2]}, 0]" for r in DEGREES)
SHAPE = ", ".join(f"[{s[0]}, {s[1]}, {s[2]} deg, 0.1, 0]" for s in STATIONS)

# x: downwind. The blade points up; it turns towards -y, to which its leading edge points.
ROTOR = """limber: 1
let: {{V: 9, Omega: 3}}
nodes: {{hub: [0, 0, 0], root: [0, 0, 1.5], tip: [0, 0, 20]}}
sections:
  s: {{stiffness: [1e12, 1e12, 1e12, 1e12, 1e12, 1e12], mass: {mass}, inertia: [1e-3, 1e-3, 1e-3]}}
elements:
  - rigid_body: {{node: hub, mass: 1, inertia: [1, 1, 1]}}
  - beam: {{name: blade, from: root, to: tip, elements: 4, section: s, up: [0, -1, 0]}}
  - strip:
      name: air
      element: blade
      wind: [V, 0, 0]
      density: {density}
      stations: [{shape}]
      polars: [{{table: [{rows}]}}]
      {rotor}
joints:
  - revolute: {{name: shaft, nodes: [ground, hub], axis: [1, 0, 0]}}
  - {joint}
loads:
  - drive: {{name: rate, joint: shaft, rate: {{expression: Omega}}}}
probes: [{probes}]
run: {{end: 0.2, step: 10 ms, scheme: preserving}}
motion: {{angular_velocity: [Omega, 0, 0]}}
"""
PLACES = [(e + 0.5 + p) / 4 for e in range(4) for p in (-math.sqrt(15) / 10, 0, math.sqrt(15) / 10)]
WEIGHTS = [18.5 / 4 * w / 18 for e in range(4) for w in (5, 8, 5)]


def rotor(name, density=1e-6, mass=1e-3, joint="weld: {nodes: [hub, root]}", of="blades: 3, hub: hub, axis: [1, 0, 0]"):
    lines = "\n      ".join(of.replace(", hub", "|hub").replace(", axis", "|axis").replace(", radii", "|radii").split("|"))
    probes = ", ".join(f"{{name: p{g}, element: air, point: {g}, record: output}}" for g in range(12))
    write(name, ROTOR.format(density=density, mass=mass, joint=joint, rotor=lines, shape=SHAPE, rows=ROWS, probes=probes))


def force(angle):
    return momentum_theory.cubic(TABLE, angle)


def blade_at(place):
    chord = np.interp(place, *zip(*((s[0], s[1]) for s in STATIONS)))
    return chord, -math.radians(np.interp(place, *zip(*((s[0], s[2]) for s in STATIONS))))


# Rates up to heavy loading, a > 0.4; hubs that rotate and that stand.
@pytest.mark.parametrize("V, Omega, of, blades, hub", [
    (9, 3, "blades: 3, hub: hub, axis: [1, 0, 0]", 3, 1.5), (5, 4, "blades: 3, hub: ground, axis: [-2, 0, 0]", 3, 1.5),
    (14, 1.5, "blades: 2, hub: hub, axis: [1, 0, 0], radii: [1.2, 21]", 2, 1.2)])
def test_factors_of_induction_are_those_of_momentum_theory(V, Omega, of, blades, hub):
    rotor("rotor.yaml", of=of)
    said = limber("static", "rotor.yaml", "-o", "rotor.h5", "--force", *settings(f"let.V={V}", f"let.Omega={Omega}"))
    assert said.code == 0, said.err
    tip, heavy = 21 if "21" in of else 20, 0
    with h5("rotor.h5") as f:
        found = [f[f"history/probes/p{g}/output"][-1] for g in range(12)]
    for place, row in zip(PLACES, found):
        r, (chord, theta) = 1.5 + 18.5 * place, blade_at(place)
        phi, a, b = momentum_theory.section(force, V, Omega * r, chord, theta, blades, r, tip, hub)
        heavy += a > 0.4
        assert abs(row[1] - (phi - theta)) < 1e-9 and abs(row[5] - a) < 1e-9 and abs(row[6] - b) < 1e-9, (place, row)
        speed = V * (1 - a) / math.sin(phi)
        lift, drag = (0.5e-6 * chord * speed**2 * c for c in force(phi - theta))
        assert np.allclose(row[[0, 2, 3]], [speed, lift, drag], rtol=1e-9)  # measured below 5e-12
    assert (heavy > 3) == (Omega == 4)


def test_a_blade_that_starts_pitched_meets_the_air_at_that_angle():
    rotor("pitched.yaml", joint="revolute: {nodes: [hub, root], axis: [0, 0, 1], angle: {start: 0.05, stiffness: 1e9, rest: 0.05}}")
    edited("pitched.yaml", r"(name: shaft.*0\])}", r"\1, angle: {inertia: 3 kg m2}}", "pitched.yaml")
    assert limber("static", "pitched.yaml", "-o", "pitched.h5", "--force").code == 0
    with h5("pitched.h5") as f:
        found = [f[f"history/probes/p{g}/output"][-1] for g in range(12)]
    for place, row in zip(PLACES, found):
        r, (chord, theta) = 1.5 + 18.5 * place, blade_at(place)
        phi, a, b = momentum_theory.section(force, 9, 3 * r, chord, theta - 0.05, 3, r, 20, 1.5)
        assert abs(row[1] - (phi - theta + 0.05)) < 1e-4 and abs(row[5] - a) < 1e-4, (place, row)  # the quarter point moves by 5 mm


# ---- small motions ----

def flapping(V, Omega, stiffness, density, mass):
    """Eigenvalue of a rigid blade on a hinge at the axis: k, and air that follows angle and rate of the flap."""
    inertia = mass * (20**3 - 1.5**3) / 3

    def moment(angle, rate):
        sum_ = 0
        for place, weight in zip(PLACES, WEIGHTS):
            s, (chord, theta) = 1.5 + 18.5 * place, blade_at(place)
            turn = Omega * math.sin(angle)  # about the blade: what of it moves the point at three quarters of the chord
            through = V * math.cos(angle) - s * rate + turn * (0.5 * chord * math.cos(theta) - 0.1)
            along = Omega * s * math.cos(angle) - turn * 0.5 * chord * math.sin(theta)
            # Prandtl's factors are those of the reference, the solidity is that of the place now
            phi, a, b = momentum_theory.section(force, through, along, chord / math.cos(angle), theta, 3, s, 20, 1.5)
            speed = through * (1 - a) / math.sin(phi)
            lift, drag = force(phi - theta)
            sum_ += weight * s * 0.5 * density * chord * speed**2 * (lift * math.cos(phi) + drag * math.sin(phi))
        return sum_ - stiffness * angle - inertia * Omega**2 * math.sin(angle) * math.cos(angle)
    angle, d = 0.0, 1e-4
    for _ in range(20):
        angle -= moment(angle, 0) * 2 * d / (moment(angle + d, 0) - moment(angle - d, 0))

    def slope(f):
        return (8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d)
    k, c = slope(lambda x: moment(angle + x, 0)), slope(lambda x: moment(angle, x))
    return np.roots([inertia, -c, -k])


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_blade_that_flaps_in_induced_air_has_the_eigenvalue_of_its_equation(ranks):
    rotor("flap.yaml", 1.225, 20, "revolute: {name: flap, nodes: [hub, root], axis: [0, -1, 0], at: [0, 0, 0], angle: {stiffness: 4e5}}")
    said = limber("modes", "flap.yaml", "-o", "flap.h5", "--force", *settings("modes={count: 4}"), ranks=ranks)
    assert said.code == 0, said.err
    with h5("flap.h5") as f:
        found = f["history/mode/real"][:] + 2j * math.pi * f["history/mode/frequency"][:]
    exact = flapping(9, 3, 4e5, 1.225, 20)
    exact = exact[np.argmax(exact.imag)]
    assert exact.real < -0.5, exact
    error = np.abs(found - exact).min() / abs(exact)
    print("measured", error)
    assert error < 1e-6, (found, exact)


# ---- energy, ranks, resuming ----

LIVE = ("live.yaml", 1.225, 20, "revolute: {name: flap, nodes: [hub, root], axis: [0, -1, 0], at: [0, 0, 0], angle: {stiffness: 4e5}}")


@pytest.mark.parametrize("scheme, unsteady", [("preserving", "none"), ("decaying", "none"), ("decaying_c", "all"), ("preserving", "wake")])
def test_the_balance_contains_the_work_of_induced_air(scheme, unsteady):
    rotor(*LIVE)
    run("live.yaml", "live.h5", *settings(f"run.scheme={scheme}", f"elements.air.unsteady={unsteady}"))
    with h5("live.h5") as f:
        q = {k: f[f"history/ledger/{k}"][:] for k in f["history/ledger"]}
    assert np.abs(q["residual"]).max() < 1e-11 * q["exchanged"][-1]
    assert q["wind"][-1] > 1e3  # it drives the rotor


def test_two_ranks_and_a_resumed_run_have_the_same_induced_air():
    rotor(*LIVE)
    run("live.yaml", "one.h5")
    run("live.yaml", "two.h5", ranks=2)
    run("live.yaml", "part.h5", *settings("run.end=0.1"))
    assert limber("resume", "part.h5", "-q", "--end", 0.2).code == 0
    one, two, part = (columns_of(f"{n}.h5") for n in ("one", "two", "part"))
    for k in one:
        if "steps/" not in k:
            assert one[k].tobytes() == part[k].tobytes(), k
        if "/p" in k and "output" in k:
            assert np.allclose(one[k], two[k], rtol=1e-9, atol=1e-9), k


# ---- messages ----

@pytest.mark.parametrize("of, message", [
    ("blades: -1, hub: hub, axis: [1, 0, 0]", "the number of `blades` must not be negative"),
    ("hub: hub, axis: [1, 0, 0]", "a rotor with a `hub` needs the number of its `blades`"),
    ("blades: 3, axis: [1, 0, 0]", "a rotor with `blades` needs the node of its `hub`"),
    ("blades: 3, hub: hub", "a rotor with `blades` needs its `axis`"),
    ("blades: 3, hub: hub, axis: [1, 0, 0], radii: [3, 2]", "`radii` are the radius of the hub and the larger one of the tip"),
    ("blades: 3, hub: hub, axis: [1, 0, 0], radii: [0, 15]", "must lie between the radii of the hub and of the tip"),
    ("blades: 3, hub: hubb, axis: [1, 0, 0]", "there is no node 'hubb'; did you mean 'hub'?"),
])
def test_mistakes_of_a_rotor_are_named_where_they_are(of, message):
    rotor("wrong.yaml", of=of)
    said = limber("check", "wrong.yaml")
    assert said.code == 2 and message in said.err and "wrong.yaml:" in said.err, said.err
