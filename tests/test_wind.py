# SPDX-License-Identifier: Apache-2.0
"""Wind that strips share: boxes of TurbSim, which are written and interpolated here independently; docs/air.md."""
import math
import struct

import numpy as np
import pytest

from support import columns_of, h5, limber, run, same_results, settings, write

SLOPE, OFFSET = (1800.0, 3100.0, 2900.0), (-21000.0, 40.0, -300.0)


def bts(path, velocity, dz, dy, dt, speed, bottom, periodic=True, tower=0, text=b"a test"):
    """Writes velocities [time][up][across][3] as TurbSim does; returns what the file has of them, with 16 bits."""
    nt, nz, ny, _ = velocity.shape
    digits = np.clip(np.round(velocity * SLOPE + OFFSET), -32768, 32767).astype("<i2")
    head = struct.pack("<h4l6f", 8 if periodic else 7, nz, ny, tower, nt, dz, dy, dt, speed, 90, bottom)
    head += struct.pack("<6f", *(x for pair in zip(SLOPE, OFFSET) for x in pair)) + struct.pack("<l", len(text)) + text
    with open(path, "wb") as f:
        f.write(head)
        for grid in digits:
            f.write(grid.tobytes() + bytes(6 * tower))
    return (digits.astype(float) - OFFSET) / SLOPE


def random_box(nt=12, nz=4, ny=5, seed=1):
    rng = np.random.default_rng(seed)
    return np.array([11.0, 0, 0]) + rng.uniform(-1.5, 1.5, (nt, nz, ny, 3))


def between(grid, dz, dy, dt, speed, bottom, lead, time, x, y, z):
    """The velocity at a place in the axes of the periodic box: straight between the eight points around it."""
    nt, nz, ny, _ = grid.shape
    q = [(time + lead - x / speed) / dt, min(max((z - bottom) / dz, 0), nz - 1), min(max(y / dy + (ny - 1) / 2, 0), ny - 1)]
    low = [math.floor(v) for v in q]
    out = np.zeros(3)
    for corner in np.ndindex(2, 2, 2):
        weight = math.prod(v - i if c else 1 - (v - i) for v, i, c in zip(q, low, corner))
        t, k, j = (i + c for i, c in zip(low, corner))
        if weight:
            out += weight * grid[t % nt, k, j]
    return out


REST = """limber: 1
nodes: {{a: {{at: {a}, kind: fixed}}, b: {{at: {b}}}}}
sections: {{s: {{stiffness: [1e13, 1e13, 1e13, 1e13, 1e13, 1e13], mass: 1, inertia: [1, 1, 1]}}}}
elements:
  - wind_box: {{name: breeze, velocity: {{turbsim: box.bts}}, direction: {direction}, at: [3, -2, 1]{more}}}
  - beam: {{name: wing, from: a, to: b, elements: 1, order: 1, section: s, up: {up}}}
  - strip: {{name: air, element: wing, air: breeze, chord: 1e-6}}
probes: [{{name: air, element: air, point: 0, record: output}}]
run: {{scheme: preserving, end: 3, step: 0.1}}
"""


@pytest.mark.parametrize("direction, along", [("[2, 0, 0]", (1, 0)), ("[0.6, 0.8, 0.3]", (0.6, 0.8)), ("[0, -1, 0]", (0, -1))])
def test_velocities_of_a_turbsim_file_are_straight_between_its_points(direction, along):
    dz, dy, dt, speed, bottom, lead = 7.0, 6.0, 0.25, 11.5, 40.0, 1.7
    grid = bts("box.bts", random_box(), dz, dy, dt, speed, bottom, tower=3)
    along = np.array([*along, 0.0])
    across = np.cross([0, 0, 1.0], along)
    for height, up, part in ((55.0, "[-1, 0, 0]", 0), (47.5, "[0, 0, 1]", 2)):
        # the section is in the plane of x and z, or of x and y; its beam along y or z
        a = np.array([4.0, -5.0, height])
        b = a + ([0, 0.02, 0] if part == 0 else [0.02, 0, 0])
        write("rest.yaml", REST.format(a=a.tolist(), b=b.tolist(), up=up, direction=direction, more=f", lead: {lead}"))
        run("rest.yaml", "rest.h5")
        with h5("rest.h5") as f:
            out, time = f["history/probes/air/output"][:], f["history/time"][:]
        arm = 0.5 * (a + b) - [3, -2, 1]
        worst = 0
        for row in range(1, len(time)):
            v = between(grid, dz, dy, dt, speed, bottom, lead, time[row] - 0.05, arm @ along, arm @ across, arm[2])
            v = v[0] * along + v[1] * across + [0, 0, v[2]]
            # axes e2 to the leading edge and e3: -x, z for a beam along y; z, -y for one along x
            u, w = (v[0], v[2]) if part == 0 else (-v[2], -v[1])
            worst = max(worst, abs(out[row, 0] - math.hypot(u, w)), abs(math.remainder(out[row, 1] - math.atan2(w, u), 2 * math.pi)))
        assert worst < 1e-5, worst  # measured 2.4e-6: single precision of the box


TURBINE = """limber: 1
nodes: {{hub: {{at: [0, 0, 60]}}}}
sections: {{s: {{stiffness: [1e9, 1e9, 1e9, 5e7, 4e8, 9e8], mass: 80, inertia: [20, 5, 15]}}}}
elements:
  - wind_box: {{name: breeze, velocity: {{turbsim: box.bts}}, direction: [1, 0, 0]}}
  - rigid_body: {{name: hub, node: hub, mass: 5000, inertia: [4e4, 2e4, 2e4]}}
  - beam: {{name: one, start: [0, 0, 61], end: [0, 0, 78], elements: 2, section: s, up: [0, 1, 0]}}
  - beam: {{name: two, start: [0, 0, 59], end: [0, 0, 42], elements: 2, section: s, up: [0, -1, 0]}}
  - strip: {{name: air1, element: one, air: breeze, chord: 1.5, twist: 80 deg, unsteady: wake}}
  - strip: {{name: air2, element: two, air: breeze, chord: 1.5, twist: 80 deg, unsteady: wake}}
joints:
  - revolute: {{name: shaft, nodes: [ground, hub], axis: [1, 0, 0], angle: {{damping: 1e4}}}}
  - weld: {{nodes: [hub, one.start]}}
  - weld: {{nodes: [hub, two.start]}}
probes:
  - {{name: root, element: one, point: 0}}
  - {{name: shaft, joint: shaft}}
run: {{scheme: {scheme}, end: 4, step: 20 ms}}
"""


def turbine_box(periodic=True):
    return bts("box.bts", random_box(nt=30, nz=9, ny=9, seed=2), 5.0, 5.0, 0.2, 11.0, 39.0, periodic)


@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
def test_the_balance_closes_in_turbulence(scheme):
    turbine_box()
    write("turbine.yaml", TURBINE.format(scheme=scheme))
    run("turbine.yaml", "turbine.h5")
    q = columns_of("turbine.h5")
    ledger = {k.split("/")[1]: v for k, v in q.items() if k.startswith("ledger/")}
    assert ledger["wind"][-1] > 5e3
    assert np.abs(ledger["residual"]).max() < 1e-12 * ledger["exchanged"][-1]  # measured 7e-16


def test_two_ranks_and_a_resumed_run_give_the_same():
    turbine_box()
    write("turbine.yaml", TURBINE.format(scheme="decaying"))
    run("turbine.yaml", "one.h5")
    run("turbine.yaml", "two.h5", ranks=2)
    assert same_results("one.h5", "two.h5", 1e-9) == "same"  # measured bit for bit
    run("turbine.yaml", "part.h5", *settings("run.end=2"))
    said = limber("resume", "part.h5", "-q", "--end", "4")
    assert said.code == 0, said.err
    assert columns_of("part.h5").keys() == columns_of("one.h5").keys()
    for name, column in columns_of("one.h5").items():
        if "/steps" not in name:
            assert column.tobytes() == columns_of("part.h5")[name].tobytes(), name


def test_strips_of_one_wind_see_what_each_saw_with_its_own():
    text = TURBINE.format(scheme="decaying")
    own = text.replace("air: breeze", "wind: [11, 1, 0], shear: 0.2, height: 60, amplitude: gust").replace(
        "elements:", 'functions: {gust: {expression: {value: "1 + 0.2*sin(t)"}}}\nelements:', 1)
    own = own.replace("  - wind_box: {name: breeze, velocity: {turbsim: box.bts}, direction: [1, 0, 0]}\n", "")
    shared = own.replace("wind: [11, 1, 0], shear: 0.2, height: 60, amplitude: gust", "air: breeze").replace(
        "  - rigid_body", "  - wind: {name: breeze, velocity: [11, 1, 0], shear: 0.2, height: 60, amplitude: gust}\n  - rigid_body")
    write("own.yaml", own), write("shared.yaml", shared)
    run("own.yaml", "own.h5"), run("shared.yaml", "shared.h5")
    a, b = columns_of("own.h5"), columns_of("shared.h5")
    for name in a:
        if "/steps" not in name:
            assert a[name].tobytes() == b[name].tobytes(), name


def test_a_run_beyond_the_end_of_a_box_is_refused_where_the_box_is_named():
    turbine_box(periodic=False)
    write("turbine.yaml", TURBINE.format(scheme="decaying"))
    said = limber("check", "turbine.yaml")
    assert said.code == 2 and "turbine.yaml:5:" in said.err, said.err
    assert "the box of wind 'breeze' lasts until 2.16364 s of the run, which ends at 4 s" in said.err, said.err
    run("turbine.yaml", "short.h5", *settings("run.end=2.16"))


def header(**changes):
    h = dict(id=8, nz=9, ny=9, tower=0, nt=30, dz=5.0, dy=5.0, dt=0.2, speed=11.0, hub=60, bottom=39.0, slope=1.0, letters=0)
    h.update(changes)
    return struct.pack("<h4l6f6fl", h["id"], h["nz"], h["ny"], h["tower"], h["nt"], h["dz"], h["dy"], h["dt"], h["speed"], h["hub"],
                       h["bottom"], h["slope"], 0, 1, 0, 1, 0, h["letters"])


@pytest.mark.parametrize("content, message", [
    (b"", "it is no full-field file of TurbSim"),
    (b"limber: 1\n" * 20, "it is no full-field file of TurbSim"),
    (header(id=9), "it does not begin with 7 or 8"),
    (header()[:40], "it is no full-field file of TurbSim"),
    (header(), "it ends after 0 of 30 times"),
    (header() + bytes(6 * 81 * 29 + 5), "it ends after 29 of 30 times"),
    (header(nt=2**31 - 1, ny=10000, nz=10000), "it ends after 0 of 2147483647 times"),
    (header(ny=2**31 - 1), "more than 10000 points on a side"),
    (header(ny=-3), "it has no points or no times"),
    (header(nt=0), "it has no points or no times"),
    (header(tower=-1), "it has no points or no times"),
    (header(letters=-1), "it ends within its description"),
    (header(letters=2**31 - 1), "it ends within its description"),
    (header(dz=0), "its distances, step and mean speed must be positive"),
    (header(dt=math.nan), "its distances, step and mean speed must be positive"),
    (header(speed=math.inf), "its distances, step and mean speed must be positive"),
    (header(slope=0), "its velocities have no scale"),
])
def test_damaged_files_are_told_where_they_are_named(content, message):
    with open("box.bts", "wb") as f:
        f.write(content)
    write("turbine.yaml", TURBINE.format(scheme="decaying"))
    said = limber("check", "turbine.yaml")
    assert said.code == 2 and message in said.err and "turbine.yaml:5:" in said.err, said.err


@pytest.mark.parametrize("old, new, message", [
    ("velocity: {turbsim: box.bts}", "velocity: {turbsim: box.bts}, step: 1", "'step' is given by the file of 'velocity'"),
    ("velocity: {turbsim: box.bts}", "velocity: [[1, 0, 0]], step: 1, speed: 1", "the `spacing` of the points must be positive"),
    ("velocity: {turbsim: box.bts}", "velocity: {bts: box.bts}", "turbsim"),
    ("velocity: {turbsim: box.bts}", "velocity: 3", "or a file, {turbsim: wind.bts}"),
    ("direction: [1, 0, 0]", "direction: [0, 0, 1]", "must not be zero or upwards"),
    ("air: breeze, chord: 1.5", "air: two, chord: 1.5", "its `air` must be a wind"),
    ("air: breeze, chord: 1.5", "air: breeze, wind: [1, 0, 0], chord: 1.5", "`air` already gives the wind"),
    ("end: [0, 0, 78]", "end: [0, 0, 88]", "its beam begins outside of the grid of the wind"),
])
def test_mistakes_of_a_box_are_named(old, new, message):
    turbine_box()
    text = TURBINE.format(scheme="decaying")
    assert old in text
    write("turbine.yaml", text.replace(old, new, 1))
    said = limber("check", "turbine.yaml")
    assert said.code == 2 and message in said.err, said.err
