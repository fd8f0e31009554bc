# SPDX-License-Identifier: Apache-2.0
"""Wheels: gyroscopes, reaction wheels, control moment gyros against closed forms; energy, momentum, modes, ranks, checkpoints."""
import functools
import math

import numpy as np
import pytest

from support import h5, history_of, limber, run, settings, write

SCHEMES = ["preserving", "decaying", "decaying_a", "decaying_b", "decaying_c", "generalized_alpha"]


def history(text, *changes, **options):
    out = history_of(text, *changes, **options)
    assert np.max(np.abs(out["ledger/residual"])) <= 1e-13 * max(1, out["ledger/exchanged"][-1])
    return out


# ---- a gyroscope ----

SPIN, TILT, RPM = 0.01, math.radians(60), 10000  # inertia of the wheel, its axis against the vertical
M, ARM, ACROSS, ALONG, G = 1.0, 0.1, 0.006, 0.001, 9.81  # of the body that carries it
GYROSCOPE = """
limber: 1
nodes:
  rotor: {{at: [{x}, 0, {z}], rotate: {{about: [0, 1, 0], by: {tilt} rad}}}}
elements:
  - rigid_body: {{name: body, node: rotor, mass: {m}, inertia: [{across}, {across}, {along}]}}
  - wheel: {{name: wheel, node: rotor, axis: [{nx}, 0, {nz}], inertia: {spin}, speed: {rpm} rpm}}
joints:
  - spherical: {{name: pivot, nodes: [ground, rotor], at: [0, 0, 0]}}
loads:
  - gravity: {{acceleration: [0, 0, -{g}]}}
motion: {{angular_velocity: [0, 0, {rate}], at: [0, 0, 0]}}
probes:
  - {{node: rotor}}
  - {{wheel: wheel}}
run: {{step: 10 ms, end: 20 s}}
"""


def precession():
    """The steady rate w about the vertical, the slow root of p w + (C - A) w^2 cos(tilt) = m g l, and the momentum p. The body turns
    about the vertical alone, so that the wheel has the spin of its speed and of the body about its axis."""
    a, speed = ACROSS + M * ARM**2, RPM * 2 * math.pi / 60
    w = M * G * ARM / (SPIN * speed)
    for _ in range(50):
        p = SPIN * (speed + w * math.cos(TILT))
        w = M * G * ARM / (p + (ALONG - a) * w * math.cos(TILT))
    return w, p


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_gyroscope_precesses_at_its_rate_in_steps_of_ten_milliseconds(scheme):
    w, p = precession()
    text = GYROSCOPE.format(x=ARM * math.sin(TILT), z=ARM * math.cos(TILT), nx=math.sin(TILT), nz=math.cos(TILT), tilt=TILT, m=M,
                            across=ACROSS, along=ALONG, spin=SPIN, rpm=RPM, g=G, rate=w)
    h = history(text, f"run.scheme={scheme}")
    x = h["probes/rotor/position"]
    angle = np.unwrap(np.arctan2(x[:, 1], x[:, 0]))
    assert abs(w - M * G * ARM / p) > 2e-5 * w  # the second order counts
    assert angle[-1] / 20 == pytest.approx(w, rel=1e-5)  # 1.2e-7 and less: in a step of 10 ms the wheel turns by 600 degrees
    assert np.max(np.abs(x[:, 2] - ARM * math.cos(TILT))) <= 1e-6 * ARM
    wheel = h["probes/wheel/wheel"]
    assert wheel[-1, 1] == wheel[0, 1] == pytest.approx(p, rel=1e-10)  # 3e-12: the rate of the frame is that of the scheme


# ---- a satellite ----

SATELLITE = """
limber: 1
functions:
  tx: {sine: {amplitude: 0.02 N m, frequency: 0.05}}
  ty: {sine: {amplitude: 0.03 N m, frequency: 0.04, phase: 1 rad}}
nodes: {bus: [0, 0, 0]}
elements:
  - rigid_body: {name: bus, node: bus, mass: 20, inertia: [0.9, 1.1, 0.7, 0.03, -0.02, 0.01]}
  - wheel: {name: wx, node: bus, axis: [1, 0, 0], inertia: 1e-3, speed: 2000 rpm, torque: tx}
  - wheel: {name: wy, node: bus, axis: [0, 1, 0], inertia: 1e-3, speed: -1000 rpm, torque: ty}
  - wheel: {name: wz, node: bus, axis: [0, 0, 1], inertia: 1e-3, torque: 0.01 N m}
probes:
  - {node: bus}
  - {wheel: wx}
  - {wheel: wz}
  - {name: own, energy: wz}
run: {step: 50 ms, end: 40 s, scheme: preserving}
"""


def test_a_satellite_turns_by_its_wheels_at_constant_angular_momentum():
    h = history(SATELLITE)
    total = h["ledger/angular_momentum"]
    assert np.max(np.abs(total - total[0])) <= 1e-13 * np.linalg.norm(total[0])
    assert np.linalg.norm(h["probes/bus/angular_velocity"][-1]) > 0.3  # it does turn
    assert np.sum(h["ledger/load_work"][-1]) == pytest.approx(h["ledger/work"][-1], rel=1e-14)
    assert h["ledger/kinetic"][-1] - h["ledger/kinetic"][0] == pytest.approx(h["ledger/work"][-1], rel=1e-12)
    z = h["probes/wz/wheel"]
    assert z[-1, 1] == pytest.approx(0.01 * 40, rel=1e-12) and z[-1, 2] == pytest.approx(0.01, rel=1e-12)
    assert z[-1, 4] == pytest.approx(np.sum(z[1:, 3]) * 0.05, rel=1e-12)  # work and mean power
    assert np.ravel(h["probes/own/kinetic"])[-1] == pytest.approx(z[-1, 1] ** 2 / 2e-3, rel=1e-13)


def test_a_reaction_wheel_turns_its_body_the_other_way():
    text = SATELLITE.replace("torque: tx", "torque: 0 N m").replace("speed: 2000 rpm, ", "").replace("torque: ty", "torque: 0 N m")
    h = history(text.replace("speed: -1000 rpm, ", "").replace("0.7, 0.03, -0.02, 0.01", "0.7"), "run.step=0.5 s")
    rate = -0.4 / 0.7  # of the scheme; reported is that of the angle, 2 atan(h rate/2)/h
    assert h["probes/bus/angular_velocity"][-1, 2] == pytest.approx(2 * math.atan(0.5 * rate / 2) / 0.5, rel=1e-12)
    assert h["probes/wz/wheel"][-1, 0] == pytest.approx(0.4 / 1e-3 - rate, rel=1e-12)


@functools.cache
def final_rate(text):
    """That of the satellite after short steps: the reference of all schemes."""
    return history(text, "run.end=10 s", "run.step=2 ms", name="fine")["probes/bus/angular_velocity"][-1]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_torques_and_drives_close_the_energy_balance_in_every_scheme(scheme):
    h = history(SATELLITE, f"run.scheme={scheme}", "run.end=10 s", "run.step=10 ms")
    turn, exact = h["probes/bus/angular_velocity"][-1], final_rate(SATELLITE)
    assert np.linalg.norm(turn - exact) <= 2e-4 * np.linalg.norm(exact)  # 4e-5 (generalized_alpha)
    driven = SATELLITE.replace("torque: tx", "drive: sx").replace("speed: 2000 rpm, ", "").replace("  tx:", "  sx: {sine: {amplitude: 300 rad/s, frequency: 0.1, mean: 200 rad/s}}\n  tx:")
    h = history(driven, f"run.scheme={scheme}", "run.end=10 s", "run.step=10 ms")
    turn, exact = h["probes/bus/angular_velocity"][-1], final_rate(driven)
    assert np.linalg.norm(turn - exact) <= 2e-4 * np.linalg.norm(exact)
    wheel = h["probes/wx/wheel"]
    assert wheel[-1, 0] == pytest.approx(200, rel=1e-12)  # as it is driven: 300 sin(2 pi) + 200
    assert h["ledger/load_work"][-1, 0] == pytest.approx(wheel[-1, 4], rel=1e-12)
    # its torque times its speed, by the trapezoidal rule: 1e-3 of it
    t, speed = h["time"], wheel[:, 0]
    middle = 0.5 * (speed[1:] + speed[:-1])
    assert wheel[-1, 4] == pytest.approx(np.sum(wheel[1:, 2] * middle * np.diff(t)), abs=2e-3 * np.max(np.abs(wheel[:, 4])))


def test_a_driven_wheel_keeps_angular_momentum_too():
    driven = SATELLITE.replace("torque: tx", "drive: sx").replace("speed: 2000 rpm, ", "").replace("  tx:", "  sx: {sine: {amplitude: 300 rad/s, frequency: 0.1, mean: 200 rad/s}}\n  tx:")
    h = history(driven)
    total = h["ledger/angular_momentum"]
    assert np.max(np.abs(total - total[0])) <= 2e-12  # 4.9e-13 N m s of 0.5: what Newton leaves in 800 steps


# ---- a control moment gyro ----

GIMBAL = """
limber: 1
nodes: {gimbal: [0, 0, 0]}
elements:
  - rigid_body: {name: gimbal, node: gimbal, mass: 1, inertia: [0.01, 0.01, 0.01]}
  - wheel: {name: w, node: gimbal, axis: [1, 0, 0], inertia: 0.05, speed: 6000 rpm}
joints:
  - revolute: {name: g, nodes: [ground, gimbal], axis: [0, 0, 1]}
loads:
  - drive: {joint: g, rate: 0.3 rad/s}
probes:
  - {joint: g}
run: {step: 20 ms, end: 2 s}
"""


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c", "generalized_alpha"])
def test_a_control_moment_gyro_gives_its_momentum_times_the_rate_of_its_gimbal(scheme):
    h = history(GIMBAL, f"run.scheme={scheme}")
    p, rate = 0.05 * 6000 * 2 * math.pi / 60, 0.3
    t = 2 if scheme == "generalized_alpha" else 2 - 0.01  # forces belong to the end or to the middle of the step
    moment = h["probes/g/moment"][-1]
    expected = p * rate * np.array([-math.sin(rate * t), math.cos(rate * t), 0])  # on the gimbal: the rate of p n
    assert np.linalg.norm(moment - expected) <= 2e-5 * p * rate  # (0.006)^2/12 = 3e-6


# ---- matrices ----

NUTATION = """
limber: 1
nodes: {a: [0, 0, 0]}
elements:
  - rigid_body: {name: body, node: a, mass: 1, inertia: [0.02, 0.02, 0.01]}
  - wheel: {name: wheel, node: a, axis: [0, 0, 1], inertia: 0.01, speed: 3000 rpm, torque: 0 N m}
  - bushing: {name: soft, nodes: [ground, a], stiffness: [0, 0, 0, 1e-6, 1e-6, 1e-6]}
joints:
  - spherical: {name: pivot, nodes: [ground, a]}
probes:
  - {node: a, record: [rotation]}
modes: {count: 3}
linearize: {inputs: [wheel], outputs: [a.rotation.z]}
run: {step: 1 ms, end: 1 s}
"""


def frequencies(said):
    rows = [line.split() for line in said.lines]
    return [float(r[1]) for r in rows if r and r[0].isdigit()]


def test_modes_and_linear_models_have_the_gyroscopic_matrix_of_wheels():
    p = 0.01 * 3000 * 2 * math.pi / 60
    write("nutation.yaml", NUTATION)
    said = limber("modes", "nutation.yaml")
    nutation = (p + math.sqrt(p * p + 4 * 0.02 * 1e-6)) / (2 * 0.02)  # of A theta'' = p n x theta' - k theta with next to no k: p/A
    assert nutation == pytest.approx(p / 0.02, rel=1e-8)
    assert any(abs(f * 2 * math.pi / nutation - 1) < 1e-8 for f in frequencies(said)), said.out  # of 8 digits
    said = limber("linearize", "nutation.yaml")
    assert said.code == 0, said.err
    with h5("nutation.linear.h5") as f:
        found = {}
        f.visititems(lambda k, d: found.__setitem__(k.split("/")[-1], d[()]) if hasattr(d, "shape") else None)
    assert np.max(np.abs(np.linalg.eigvals(found["A"]).imag)) == pytest.approx(nutation, rel=1e-12)
    assert np.min(found["B"]) == pytest.approx(-1 / 0.01, rel=1e-12)  # the motor turns the body the other way


def test_a_wheel_splits_the_frequencies_of_its_elastic_support():
    # A theta'' - p n x theta' + k theta = 0
    write("whirl.yaml", NUTATION.replace("1e-6, 1e-6, 1e-6", "50, 50, 50"))
    said = limber("modes", "whirl.yaml")
    p, a, k = 0.01 * 3000 * 2 * math.pi / 60, 0.02, 50
    roots = [(math.sqrt(p * p + 4 * a * k) + s * p) / (2 * a) / (2 * math.pi) for s in (-1, 1)]
    found = frequencies(said)
    for r in roots:
        assert any(abs(f / r - 1) < 1e-7 for f in found), (roots, said.out)


# ---- the rest ----

def test_a_wheel_is_the_same_on_two_ranks_and_after_a_resume():
    one = history(SATELLITE, name="one")
    two = history(SATELLITE, name="two", ranks=2)
    for key in ("probes/wx/wheel", "probes/bus/angular_velocity"):
        assert np.max(np.abs(one[key] - two[key])) <= 1e-11 * np.max(np.abs(one[key]))
    write("half.yaml", SATELLITE)
    run("half.yaml", "half.h5", *settings("run.end=20 s"))
    said = limber("resume", "half.h5", "-q", "--end", "40")
    assert said.code == 0, said.err
    with h5("half.h5") as f:
        assert np.array_equal(f["history/probes/wx/wheel"][()], one["probes/wx/wheel"])


def test_a_controller_gives_the_torque_of_a_wheel():
    # it turns the satellite to a new attitude and stops there: PD on the angle about z
    text = SATELLITE.replace("functions:", """control:
  u: 0.2*(bus.rotation.z - 0.5) + 0.6*bus.angular_velocity.z
functions:""").replace("torque: 0.01 N m", "torque: u").replace("torque: tx", "torque: 0 N m").replace("torque: ty", "torque: 0 N m")
    text = text.replace("speed: 2000 rpm, ", "").replace("speed: -1000 rpm, ", "").replace("0.7, 0.03, -0.02, 0.01", "0.7")
    h = history(text)
    assert h["probes/bus/rotation"][-1, 2] == pytest.approx(0.5, abs=1e-3)


def test_mistakes_of_wheels_are_told():
    for change, message in (
            (("inertia: 1e-3, torque: 0.01 N m", "inertia: 0, torque: 0.01 N m"), "the `inertia` of a wheel must be positive"),
            (("inertia: 1e-3, torque: 0.01 N m", "inertia: 1e-3, torque: 0.01 N m, drive: 3 rad/s"), "give `torque` or `drive`, not both"),
            (("inertia: 1e-3, torque: 0.01 N m", "inertia: 1e-3, speed: 3 rad/s, drive: 3 rad/s"), "leave out `speed`"),
            (("{wheel: wx}", "{wheel: bus}"), "'bus' is not a wheel")):
        assert change[0] in SATELLITE
        write("bad.yaml", SATELLITE.replace(*change))
        assert message in limber("check", "bad.yaml").err
