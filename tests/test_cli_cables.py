# SPDX-License-Identifier: Apache-2.0
"""Cables that run through eyes, against closed forms; ranks and checkpoints."""
import math

import numpy as np
import pytest

from support import h5, limber, run, settings, tool, write

ATWOOD = """
limber: 1
let: {heavy: 3, light: 2, g: 9.81}
nodes:
  a: {at: [-0.5, 0, -2], kind: point}
  left: {at: [-0.5, 0, 0], kind: fixed}
  right: {at: [0.5, 0, 0], kind: fixed}
  b: {at: [0.5, 0, -3], kind: point}
elements:
  - mass: {node: a, mass: heavy}
  - mass: {node: b, mass: light}
  - reeved_cable: {name: rope, from: a, over: left, second: right, to: b, stiffness: 1e6, tension: 2*heavy*light/(heavy + light)*g}
loads:
  - gravity: {acceleration: [0, 0, -g]}
probes:
  - {name: a, node: a, record: [position, velocity]}
  - {name: b, node: b, record: [position, velocity]}
  - {name: rope, element: rope, at: 0.2, record: force}
run: {step: 1 ms, end: 0.5 s, scheme: preserving, snapshots: 50 ms}
"""


def history(text, *changes, name="model", ranks=1):
    write(f"{name}.yaml", text)
    run(f"{name}.yaml", f"{name}.h5", *settings(*changes), ranks=ranks)
    with h5(f"{name}.h5") as f:
        out = {}
        f["history"].visititems(lambda key, d: out.__setitem__(key, d[()]) if hasattr(d, "shape") else None)
    assert np.max(np.abs(out["ledger/residual"])) <= 1e-12 * max(1, out["ledger/exchanged"][-1])
    return out


def column(h, name):
    return next(v for k, v in h.items() if k.endswith(name))


def test_atwood_masses_fall_as_in_closed_form():
    h = history(ATWOOD)
    a = 9.81 * (3 - 2) / (3 + 2)
    assert column(h, "a/position")[-1][2] == pytest.approx(-2 - a / 2 * 0.25, rel=1e-12)
    assert column(h, "b/position")[-1][2] == pytest.approx(-3 + a / 2 * 0.25, rel=1e-12)
    assert np.ravel(column(h, "rope/force")[-1]) == pytest.approx(2 * 3 * 2 / 5 * 9.81, rel=1e-9)
    energy = h["ledger/kinetic"] + h["ledger/strain"] + h["ledger/potential"]
    assert np.max(np.abs(energy - energy[0])) <= 1e-11


def test_a_block_on_two_falls_carries_twice_the_counterweight():
    h = history("""
limber: 1
nodes:
  top: {at: [-1, 0, 0], kind: fixed}
  pulley: {at: [1, 0, 0], kind: fixed}
  block: {at: [0, 0, -50], kind: point}
  weight: {at: [1, 0, -2], kind: point}
elements:
  - mass: {node: block, mass: 4}
  - mass: {node: weight, mass: 2*sqrt(50^2 + 1)/50}
  - reeved_cable: {name: rope, from: top, over: block, second: pulley, to: weight, stiffness: 1e6, tension: 4*9.81/2*sqrt(50^2 + 1)/50}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
probes:
  - {name: block, node: block, record: [position, velocity]}
run: {step: 2 ms, end: 0.2 s, scheme: preserving}
""")
    assert np.max(np.abs(column(h, "block/velocity"))) <= 1e-9


def test_a_slack_cable_has_no_force():
    h = history(ATWOOD.replace("tension: 2*heavy*light/(heavy + light)*g", "length: 100"))
    assert column(h, "a/position")[-1][2] == pytest.approx(-2 - 9.81 / 2 * 0.25, rel=1e-12)
    assert np.all(np.ravel(column(h, "rope/force")) == 0)


SWING = ATWOOD.replace("a: {at: [-0.5, 0, -2]", "a: {at: [-1, 0.3, -2]").replace("stiffness: 1e6", "mass: 0.1, damping: 1 ms, stiffness: 2e3")


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_c", "generalized_alpha"])
def test_swinging_masses_are_the_same_on_two_ranks_and_after_a_checkpoint(scheme):
    write("model.yaml", SWING)
    run("model.yaml", "model.h5", *settings(f"run.scheme={scheme}"))
    run("model.yaml", "two.h5", *settings(f"run.scheme={scheme}"), ranks=2)
    assert tool("same_results.py", "model.h5", "two.h5", 1e-10) == "same"
    run("model.yaml", "part.h5", *settings(f"run.scheme={scheme}", "run.end=0.2 s"))
    said = limber("resume", "part.h5", "-q", "--end", "0.5")
    assert said.code == 0, said.err
    assert tool("same_results.py", "model.h5", "part.h5") == "same"


@pytest.mark.parametrize("change,message", [
    ("over: a,", "a reeved cable passes each of its nodes once"),
    ("over: left, length: 3,", "`length` follows from `tension`"),
    ("over: left, damping: -1,", "negative `damping` would create energy"),
])
def test_wrong_cables_are_told(change, message):
    write("wrong.yaml", ATWOOD.replace("over: left,", change))
    said = limber("check", "wrong.yaml")
    assert said.code == 2
    assert message in said.err + said.out
