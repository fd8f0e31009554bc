# SPDX-License-Identifier: Apache-2.0
"""Wave ports: two runs that exchange waves keep the sum of their energies and converge to the mechanism that was not cut."""
import json
import math
import os
import subprocess
import sys

import pytest

from support import environment, h5, limber, mpiexec, python, sanitizer, source, write

BUILD = os.environ.get("LIMBER_BUILD") or str(source / "build/dev")


def coupled(case, *words, ranks=1):
    """What a case of coupled.py measures."""
    if ranks > 1 and os.environ.get("LIMBER_WITHOUT_MPI"):
        pytest.skip("without MPI")
    mpi = [mpiexec, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*mpi, sys.executable, "-B", str(source / "tests/coupled.py"), case, *map(str, words)], text=True, check=True,
                          stdout=subprocess.PIPE, env=environment(PYTHONPATH=BUILD + "/python", **sanitizer()))
    return json.loads(done.stdout.splitlines()[0])


def orders(rows, name):
    """Of an error from the first to the last step."""
    return math.log(rows[0][name] / rows[-1][name]) / math.log(rows[0]["h"] / rows[-1]["h"])


# ---- energy ----

def test_the_energy_of_twenty_random_pairs_is_that_of_the_start_plus_work(measured):
    rows = coupled("pairs", 0, 20)
    assert len(rows) == 40
    measured(max(r["excess"] for r in rows))
    assert max(r["excess"] for r in rows) < 1e-13  # measured 1.7e-14
    assert max(r["residual"] for r in rows) < 1e-13  # of the ledger of one run; measured 2.0e-14
    assert all(r["lost"] > 0 for r in rows if r["scheme"] == "decaying")


@pytest.mark.parametrize("h", [0.0005, 0.02, 0.2])
def test_energy_is_kept_whatever_the_step(h):
    for place in ("joint", "node"):
        for scheme in ("preserving", "decaying"):
            # measured 9.9e-15, and the round-off of 4000 steps of 0.5 ms: 1.9e-12 at a coordinate, 8.9e-14 at a node
            most = 1e-13 if h > 0.001 else 4e-12 if place == "joint" else 2e-13
            assert coupled("two_masses", scheme, place, 1.5, 0, h)[0]["excess"] < most


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_a", "decaying_b", "decaying_c"])
def test_every_scheme_with_a_proof_keeps_the_energy_of_flexible_beams(scheme):
    r = coupled("beams", scheme, "unchecked")
    assert r["excess"] < 1e-13 and r["residual"] < 1e-13  # measured 2.2e-15
    assert (r["lost"] > 1e-6) == (scheme != "preserving")
    assert abs(r["largest"] - 2 * 0.4 / 72) < 1e-9  # twice the mass of the end node


def test_exact_momentum_holds_at_a_port():
    r = coupled("beams", "decaying", "exact")
    assert r["excess"] < 1e-13 and r["drift"] < 1e-13  # measured 1.7e-15, 2.2e-15


def test_a_step_in_parts_loses_energy_of_waves_and_the_ledger_says_so():
    r = coupled("parts")
    assert r["events"] == 1 and r["work"] > 1
    assert 0 < r["loss"] < 0.5  # J; measured 0.21, of a force of 40 N that begins in the middle of a step
    assert r["excess"] < 1e-13 and r["residual"] < 1e-13  # measured 1.6e-15, 2.7e-16


# ---- convergence ----

@pytest.mark.parametrize("place", ["joint", "node"])
@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
def test_two_masses_on_a_rail_converge_to_the_closed_form(scheme, place):
    rows = coupled("two_masses", scheme, place, 1.9, 0, 0.025, 0.0125, 0.00625)
    assert abs(orders(rows, "x") - 2) < 0.1  # measured 2.00 to 2.05
    assert orders(rows, "v") > 1.8  # measured 1.92 to 2.34
    assert orders(rows, "force") > 1.5  # measured 1.61 (preserving, whose force rings) to 2.04
    assert rows[-1]["x"] < 2e-4 and rows[-1]["force"] < 2e-3  # m, N; measured 1.8e-4, 1.8e-3
    assert abs(orders(rows, "gap") - 2) < 0.05  # measured 1.98


def test_a_port_of_constant_impedance_is_of_first_order():
    rows = coupled("two_masses", "preserving", "joint", 0, 3, 0.025, 0.0125, 0.00625)
    assert 0.9 < orders(rows, "x") < 1.1  # measured 0.95
    assert rows[0]["excess"] < 1e-13


@pytest.mark.parametrize("sign", [1, -1])
def test_a_shaft_that_is_cut_turns_as_one(sign):
    rows = coupled("turning", "decaying", sign, 0.02, 0.01, 0.005)
    assert abs(rows[0]["largest"] - 4.2) < 1e-9  # twice the inertia of the pendulum about its hinge
    assert abs(orders(rows, "z") - 2) < 0.05 and orders(rows, "rate") > 1.9  # measured 2.01, 2.03
    assert max(r["excess"] for r in rows) < 1e-13  # measured 1.0e-14


@pytest.mark.parametrize("seed", [3, 7])
@pytest.mark.parametrize("scheme", ["preserving", "decaying"])
def test_a_mechanism_cut_at_a_ball_joint_converges_to_the_whole(scheme, seed):
    rows = coupled("uncut", seed, scheme, 0.005, 0.0025, 0.00125)
    for name in ("x", "v", "force"):
        assert orders(rows, name) > 1.8, (name, rows)  # measured 1.98 to 2.01, of the force 1.93 to 2.46
    assert rows[-1]["x"] < 1e-4  # m; measured 6.8e-5


# ---- states and ranks ----

def test_runs_that_are_saved_and_restored_continue_to_the_same_bits():
    assert coupled("steps_of_pair", 2, 40, 20) == coupled("steps_of_pair", 2, 40)


def test_runs_restored_in_another_process_continue_to_the_same_bits():
    coupled("killed", 2, 40, 15)
    assert coupled("killed", 2, 40, 0) == coupled("steps_of_pair", 2, 40)


def test_two_ranks_couple_as_one_does():
    one, two = (list(map(float.fromhex, coupled("steps_of_pair", 2, 40, ranks=n))) for n in (1, 2))
    scale = max(map(abs, one))
    assert max(abs(a - b) for a, b in zip(one, two)) < 1e-11 * scale  # measured 8.9e-14


# ---- results ----

def test_the_report_of_one_side_closes(measured):
    coupled("write_pair", 2)
    with h5("a.h5") as f:
        ledger = {name: f["history/ledger/" + name][:] for name in ("kinetic", "strain", "potential", "scheme_energy", "work", "damping",
                                                                    "dissipated", "port_work", "ports")}
    energy = sum(ledger[n] for n in ("kinetic", "strain", "potential", "scheme_energy"))
    left = energy - energy[0] - ledger["work"] + ledger["damping"] + ledger["dissipated"] + ledger["port_work"]
    assert abs(ledger["port_work"]).max() > 0.1  # J
    measured(abs(left).max())
    assert abs(left).max() < 1e-12  # J; measured 4.6e-14
    assert limber("report", "a.h5", "-o", "a.html").code == 0
    page = open("a.html").read()
    assert "to other models, through ports" in page and "energy - work + damping + dissipated + ports" in page


# ---- what is refused ----

SIDE = """
limber: 1
nodes: {block: [0, 0, 0]}
elements:
  - rigid_body: {node: block, mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  - prismatic: {name: rail, nodes: [ground, block], axis: [1, 0, 0]}
ports:
  - wave: {name: link, joint: rail, mass: 0.5}
run: {step: 10 ms, end: 1 s}
"""


@pytest.mark.parametrize("old, new, said", [
    ("joint: rail, mass: 0.5", "joint: rail", "a port needs either `mass` or `impedance`"),
    ("joint: rail, mass: 0.5", "mass: 0.5", "a port needs either `joint` or `node`"),
    ("mass: 0.5}", "mass: 0.5, impedance: 2}", "a port needs either `mass` or `impedance`"),
    ("mass: 0.5}", "mass: -1}", "`mass` must be positive"),
    ("joint: rail", "node: ground", "a fixed node does not move"),
    ("joint: rail", "joint: rail, coordinate: angle", "its joint has no angle"),
    ("ports:", "ports:\n  - wave: {name: other, joint: rail, mass: 0.1}", "another port has the same place"),
    ("ports:", "functions: {go: {ramp: {end: 1}}}\nloads:\n  - drive: {joint: rail, motion: go}\nports:", "a drive prescribes its coordinate"),
])
def test_a_port_that_cannot_be_is_refused(old, new, said):
    assert old in SIDE
    write("side.yaml", SIDE.replace(old, new, 1))
    r = limber("check", "side.yaml")
    assert r.code == 2 and said in r.err


@pytest.mark.parametrize("words, said", [
    (["run", "side.yaml"], "ports"),
    (["modes", "side.yaml"], "ports need a time simulation with a scheme that has a proof"),
    (["static", "side.yaml"], "ports need a time simulation with a scheme that has a proof"),
])
def test_a_model_with_ports_is_one_side_of_a_coupled_run(words, said):
    write("side.yaml", SIDE)
    r = limber(*words)
    assert r.code != 0 and said in r.err


@pytest.mark.parametrize("change, said", [
    ({"ports.1.mass": "2.5 kg"}, "`mass` must be less than 2"),
    ({"run.scheme": "generalized_alpha"}, "ports need a time simulation with a scheme that has a proof"),
    ({"run.order": "4", "run.scheme": "preserving"}, "is a port, whose waves go forwards in time"),
])
def test_a_run_that_a_port_forbids_says_why(change, said):
    write("side.yaml", SIDE)
    script = f"import limber\ntry:\n    limber.Model('side.yaml', {change!r}).start()\nexcept limber.ModelError as e:\n    print(e)"
    assert said in python(script)


def test_a_port_without_a_connection_takes_no_step():
    assert "nothing is connected to them" in coupled("unconnected")
