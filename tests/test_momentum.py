# SPDX-License-Identifier: Apache-2.0
"""The option `momentum`: angular momentum with `exact` in free and supported models, in every kind of step, and its balance in the results."""
import pathlib
import signal
import sys

import numpy as np
import pytest

from support import Going, columns_of, history_of, limber, models, run, same_bytes, same_results, settings, source, until, write

sys.path.insert(0, str(source / "tests" / "random"))
from mechanism import Mechanism, text as mechanism_text  # noqa: E402

FREE = {
    "rigid body": """
nodes: {B: {at: [0.1, 0, 0], angular_velocity: [0.3, 0.2, 2], velocity: [1, 2, 0]}}
elements: [rigid_body: {node: B, mass: 2, inertia: [0.1, 0.2, 0.25]}]
""",
    "beam": """
sections: {s: {E: 20 MPa, nu: 0.3, density: 1000, rectangle: [40 mm, 20 mm]}}
elements: [beam: {name: rod, start: [0, 0, 0], end: [1, 0, 0], up: [0, 0, 1], section: s, elements: 4}]
motion: {angular_velocity: [0.5, 0.2, 2], velocity: [1, 2, 0]}
""",
    "body of points": """
elements: [simplex_body: {name: B, centre: [0, 0, 0], mass: 1, box: [0.4, 0.3, 0.2], velocity: [1, 2, 0], angular_velocity: [0.3, 0.2, 2], stiffness: 1e7, nu: 0.3}]
""",
    "linkage": """
nodes: {A: {at: [0, 0, 0]}, B: {at: [1, 0, 0]}, C: {at: [1, 1, 0]}}
elements:
  - rigid_body: {node: A, mass: 2, inertia: [0.1, 0.2, 0.25]}
  - rigid_body: {node: B, mass: 1, inertia: [0.1, 0.1, 0.05]}
  - rigid_body: {node: C, mass: 3, inertia: [0.3, 0.1, 0.3]}
joints:
  - revolute: {nodes: [A, B], axis: [0, 1, 1], at: [0.5, 0, 0], angle: {stiffness: 3, damping: 0.1, initial_rate: 4}}
  - universal: {nodes: [B, C], axis: [1, 0, 0], second_axis: [0, 0, 1], at: [1, 0.5, 0]}
motion: {angular_velocity: [0.5, 0.2, 2], velocity: [1, 2, 0]}
""",
    "solid": """
nodes:
  a: {at: [0, 0, 0], kind: point}
  b: {at: [1, 0, 0], kind: point}
  c: {at: [0, 1, 0], kind: point}
  d: {at: [0, 0, 1], kind: point}
  e: {at: [1, 1, 1], kind: point}
materials: {m: {E: 1 MPa, nu: 0.3, density: 1000}}
elements: [solid: {mesh: [{tetrahedron: [a, b, c, d]}, {tetrahedron: [b, c, d, e]}], material: m}]
motion: {angular_velocity: [0.5, 0.2, 2], velocity: [1, 2, 0]}
""",
    "laws that recall the last step": """
nodes:
  A: {at: [0, 0, 0]}
  B: {at: [1, 0, 0]}
  C: {at: [1, 1, 0]}
  a: {at: [2, 0, 0], kind: point}
  b: {at: [3, 0, 0], kind: point}
  c: {at: [2, 1, 0], kind: point}
  d: {at: [2, 0, 1], kind: point}
materials: {m: {E: 20 kPa, nu: 0.4, density: 100, law: neo_hookean}}
elements:
  - rigid_body: {node: A, mass: 2, inertia: [0.1, 0.2, 0.25]}
  - rigid_body: {node: B, mass: 1, inertia: [0.1, 0.1, 0.05]}
  - rigid_body: {node: C, mass: 3, inertia: [0.3, 0.1, 0.3]}
  - solid: {mesh: [{tetrahedron: [a, b, c, d]}], material: m, damping: 1 ms}
  - spring: {nodes: [C, a], table: [[-0.3, -200], [0, 0], [0.5, 20]], damping: 0.3}
  - spring: {nodes: [B, b], stiffness: 200, clearance: 0.05, limits: [1.5, 2.5], limit_stiffness: 1e4}
  - cable: {from: A, to: c, stiffness: 500, mass: 0.1, length: 2.3, elements: 3, damping: 1 ms}
joints:
  - revolute: {nodes: [A, B], axis: [0, 1, 1], at: [0.5, 0, 0], angle: {friction: {kinetic: 0.3, static: 0.5}, limits: [-0.4, 0.4], limit_stiffness: 50, initial_rate: 4}}
  - universal: {nodes: [B, C], axis: [1, 0, 0], second_axis: [0, 0, 1], at: [1, 0.5, 0], angle1: {table: [[-1, -3], [0, 0], [1, 9]]}, angle2: {stiffness: 3, clearance: 0.1}}
motion: {angular_velocity: [0.5, 0.2, 2], velocity: [1, 2, 0]}
""",
}


def balance(h):
    """The largest momentum balance errors over what is exchanged."""
    return max(h[f"ledger/{name}_error"].max() / h[f"ledger/{name}_scale"][-1] for name in ("momentum", "angular_momentum"))


def check_energy(h, most=1e-10):
    """Energy never exceeds that of the start with its scheme energy plus the work since, and every step is balanced."""
    energy = h["ledger/kinetic"] + h["ledger/strain"] + h["ledger/potential"] - h["ledger/work"]
    exchanged = h["ledger/exchanged"][-1]
    assert (energy - energy[0] - h["ledger/scheme_energy"][0]).max() <= most * exchanged
    assert np.abs(h["ledger/residual"]).max() <= 1e-12 * exchanged


# ---- free bodies ----

@pytest.mark.parametrize("step", [0.005, 0.05, 0.3])
@pytest.mark.parametrize("body", FREE)
def test_the_momenta_of_free_bodies_do_not_change(body, step):
    h = history_of("limber: 1\n" + FREE[body] + f"run: {{step: {step}, end: {400 * step}, momentum: exact, snapshots: 0}}\n")
    for name in ("momentum", "angular_momentum"):
        p = h["ledger/" + name]
        assert np.abs(p - p[0]).max() <= 1e-12 * h[f"ledger/{name}_scale"][-1], name
    assert balance(h) <= 1e-13
    check_energy(h)


@pytest.mark.parametrize("body", ["rigid body", "body of points", "linkage"])
def test_without_the_option_angular_momentum_changes_with_the_square_of_the_step(body):
    drift = []
    for step in (0.02, 0.01):
        h = history_of("limber: 1\n" + FREE[body] + f"run: {{step: {step}, end: 2 s, momentum: checked, snapshots: 0}}\n")
        j = h["ledger/angular_momentum"]
        drift.append(np.abs(j - j[0]).max() / np.linalg.norm(j[0]))
        assert h["ledger/momentum_error"].max() <= 1e-13 * h["ledger/momentum_scale"][-1]
        assert h["ledger/angular_momentum_error"].max() > 1e-9 * h["ledger/angular_momentum_scale"][-1]
    assert 3 < drift[0] / drift[1] < 20


@pytest.mark.parametrize("increments", ["rotation", "momentum", "zero"])
@pytest.mark.parametrize("turn", [0.05, 0.6])
def test_a_rotation_loses_nothing_from_its_first_step_on(increments, turn):
    body = "nodes: {B: {at: [0, 0, 0], angular_velocity: [0, 0, 1]}}\nelements: [rigid_body: {node: B, mass: 1, inertia: [0.1, 0.2, 0.25]}]\n"
    h = history_of(f"limber: 1\n{body}run: {{step: {turn}, end: {100 * turn}, momentum: exact, start_increments: {increments}, snapshots: 0}}\n")
    assert np.abs(h["ledger/kinetic"] / h["ledger/kinetic"][0] - 1).max() <= 1e-13
    assert h["ledger/scheme_energy"].max() <= 1e-13 * h["ledger/kinetic"][0]


def test_a_free_body_falls_as_in_the_preserving_scheme():
    text = "limber: 1\n" + FREE["beam"] + "loads: [gravity: {acceleration: [0, 0, -9.81]}]\nrun: {step: 20 ms, end: 1 s, snapshots: 0}\n"
    exact = history_of(text, "run.momentum=exact")
    preserving = history_of(text, "run.momentum=checked", "run.scheme=preserving")
    assert np.abs(exact["ledger/momentum"] - preserving["ledger/momentum"]).max() <= 1e-12 * np.abs(exact["ledger/momentum"]).max()
    assert max(balance(exact), balance(preserving)) <= 1e-13


@pytest.mark.parametrize("law", ["stiffness: 1e5, restitution: 0.8", "penetration: none"])
def test_bodies_that_collide_keep_their_sum(law):
    """Two spheres that spin meet off their centres. With friction contacts change angular momentum, and the balance accounts for it."""
    text = f"limber: 1\ncontacts: [contact: {{name: c, {law}, friction: mu}}]" + """
nodes: {a: {at: [0, 0, 0], velocity: [1, 0, 0], angular_velocity: [0, 5, 3]}, b: {at: [0.3, 0.05, 0], velocity: [-1, 0.2, 0], angular_velocity: [2, 0, 4]}}
elements: [rigid_body: {node: a, mass: 1, inertia: [4e-3, 4e-3, 4e-3]}, rigid_body: {node: b, mass: 2, inertia: [8e-3, 7e-3, 8e-3]}]
surfaces: [sphere: {name: a, node: a, radius: 0.1}, sphere: {name: b, node: b, radius: 0.1}]
let: {mu: 0.3}
run: {step: 0.5 ms, end: 0.2 s, momentum: exact, snapshots: 0}
"""
    rough, smooth = history_of(text), history_of(text, "let.mu=0")
    assert rough["ledger/contact_friction"][-1] > 0
    for h in (rough, smooth):
        assert np.abs(h["ledger/momentum"] - h["ledger/momentum"][0]).max() <= 1e-12 * h["ledger/momentum_scale"][-1]
        assert balance(h) <= 1e-13
    j = smooth["ledger/angular_momentum"]
    assert np.abs(j - j[0]).max() <= 1e-12 * smooth["ledger/angular_momentum_scale"][-1]


# ---- supported models, loads, laws, events, contacts, steps of any length ----

SUPPORTED = {
    "heavy top": (source / "examples/heavy_top/heavy_top.yaml", ["run.end=0.02", "run.step=0.2ms"]),
    "ten rods": (source / "examples/falling_rods/ten_rods.yaml", ["run.end=0.5", "run.step=4ms"]),
    "swing with its event": (models / "swing.yaml", ["run.end=0.04"]),
    "four-bar with a drive": (models / "four_bar.yaml", ["run.end=0.1"]),
    "governor": (source / "examples/governor/governor.yaml", ["run.end=0.3", "run.step=3ms"]),
    "contact": (models / "contact.yaml", []),
    "everything": (models / "all.yaml", []),
}


@pytest.mark.parametrize("name", SUPPORTED)
def test_loads_and_reactions_balance_the_change_of_momentum(name):
    path, changes = SUPPORTED[name]
    run(path, "r.h5", *settings("run.scheme=decaying", "run.momentum=exact", "run.snapshots=0", *changes))
    h = columns_of("r.h5")
    assert balance(h) <= 1e-12
    assert np.abs(h["ledger/residual"]).max() <= 1e-10 * h["ledger/exchanged"][-1]


def test_steps_that_the_run_chooses_keep_it_too():
    h = history_of("limber: 1\n" + FREE["linkage"] + "run: {step: 20 ms, end: 4 s, momentum: exact, snapshots: 0, control: {largest: 0.2, loss: 1e-3}}\n")
    assert h["steps/step"][1:].max() > 2 * h["steps/step"][1:].min()
    j = h["ledger/angular_momentum"]
    assert np.abs(j - j[0]).max() <= 1e-12 * np.linalg.norm(j[0])
    check_energy(h)


# ---- every kind of the catalogue ----

# A part of the stiffness k that is tied to the ground has the force k x with the round-off of the place x, which no solution makes smaller and which
# the momentum takes up: this one leaves 1.5e-9, with the option and without it. The mechanism with a wind has such a beam: 7.5e-12, 8.2e-12 without the
# option, 8.2e-12 without air.
STIFF = ["reeved_cable", "wind"]
# A slack cable that begins to fall: all displacements are nearly parallel. Eigenvalues of the equation for b down to lambda = 1e-10 of its trace count,
# and multiply the round-off of velocities by 1/sqrt(lambda). Twelve runs with rho_inf from 0.5 to 0.5011 leave 6e-13 to 4.2e-10, 2.1e-11 in the middle.
LEFT = {"cable": 1e-9}


def seeds_of_kinds():
    """For each kind of element and joint the random mechanisms that have it, those with the fewest parts first."""
    found = {}
    for seed in range(400):
        m = Mechanism(seed, 0.1)
        for kind in {kind for kind, _ in m.elements + m.joints}:
            found.setdefault(kind, []).append((len(m.elements + m.joints), seed))
    return sorted((kind, [seed for _, seed in sorted(seeds)[:8]]) for kind, seeds in found.items())


@pytest.mark.parametrize("kind, seeds", [pytest.param(*case, id=case[0]) for case in seeds_of_kinds()])
def test_every_element_and_joint_keeps_momentum_and_energy(kind, seeds):
    """Twenty steps of the first mechanism with this kind that moves, each step with the past that the steps before it left."""
    for seed in seeds:
        options = {"scheme": "decaying", "rho_inf": 0.5, "step": 0.005, "end": 0.1, "snapshots": 0, "momentum": "exact"}
        write("m.yaml", mechanism_text(Mechanism(seed, 0.1).model(options)))
        if limber("run", "m.yaml", "-q", "-o", "m.h5").code == 0 and columns_of("m.h5")["ledger/exchanged"][-1] > 1e-3:
            break
    h = columns_of("m.h5")
    exchanged = h["ledger/exchanged"][-1]
    assert exchanged > 1e-3
    run("m.yaml", "checked.h5", *settings("run.momentum=checked"))
    without = columns_of("checked.h5")  # the option does not affect its error of linear momentum
    round_off = without["ledger/momentum_error"].max() / without["ledger/momentum_scale"][-1]
    assert balance(h) <= max(LEFT.get(kind, 1e-12), 2 * round_off if kind in STIFF else 0)
    assert np.abs(h["ledger/residual"]).max() <= 1e-10 * exchanged
    stored = sum(h["ledger/" + name] for name in ("kinetic", "strain", "potential", "scheme_energy")) - h["ledger/work"]
    assert np.diff(stored).max() <= 1e-10 * exchanged


# ---- ranks, checkpoints, refusals, report ----

@pytest.mark.parametrize("body", ["beam", "linkage"])
def test_two_ranks_find_what_one_finds(body):
    text = "limber: 1\n" + FREE[body] + "run: {step: 20 ms, end: 1 s, momentum: exact, snapshots: 0}\n"
    one, two = history_of(text), history_of(text, ranks=2)
    for name in ("kinetic", "angular_momentum", "scheme_energy"):
        assert np.abs(one["ledger/" + name] - two["ledger/" + name]).max() <= 1e-10 * np.abs(one["ledger/" + name]).max(), name
    assert balance(two) <= 1e-14


def test_a_later_end_gives_the_bits_of_the_longer_run():
    write("m.yaml", "limber: 1\n" + FREE["linkage"] + "run: {step: 20 ms, end: 2 s, momentum: exact, snapshots: 0.3}\n")
    run("m.yaml", "whole.h5")
    run("m.yaml", "part.h5", *settings("run.end=0.9"))
    assert limber("resume", "part.h5", "-q", "--end", "2").code == 0
    assert same_results("whole.h5", "part.h5") == "same"


def test_a_killed_run_continues_to_the_same_bytes():
    write("m.yaml", "limber: 1\n" + FREE["laws that recall the last step"] + "run: {step: 10 ms, end: 60 s, momentum: exact, snapshots: 5}\n")
    run("m.yaml", "whole.h5")
    with Going("run", "m.yaml", "-q", "-o", "killed.h5", "--checkpoint", "0.05s") as going:
        until(lambda: pathlib.Path("killed.checkpoint").exists(), tries=1000, wait=0.01)
        assert going.stop(signal.SIGKILL).code == 137
    said = limber("resume", "killed.h5", "-q")
    assert said.code == 0, said.err
    assert same_bytes("whole.h5", "killed.h5")


@pytest.mark.parametrize("scheme", ["decaying_c", "generalized_alpha"])
def test_other_schemes_refuse_the_option(scheme):
    write("m.yaml", "limber: 1\n" + FREE["rigid body"] + f"run: {{scheme: {scheme}, step: 1 ms, end: 1 s, momentum: exact}}\n")
    said = limber("check", "m.yaml")
    assert said.code == 2 and "`momentum` is an option of `decaying` and `preserving`" in said.err


def test_the_summary_and_the_report_show_the_balance():
    write("m.yaml", "limber: 1\n" + FREE["beam"] + "run: {step: 20 ms, end: 1 s, momentum: exact}\n")
    said = limber("run", "m.yaml", "-o", "r.h5")
    assert "momentum    balance error of" in said.out
    assert limber("report", "r.h5", "-o", "r.html").code == 0
    with open("r.html", encoding="utf-8") as page:
        text = page.read()
    assert "Angular momentum balance error of a step" in text and "of the angular momentum exchanged" in text
