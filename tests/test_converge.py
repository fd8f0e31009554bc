# SPDX-License-Identifier: Apache-2.0
"""limber converge: error bars, orders, the horizon, verdicts; files and runs that fail."""
import csv
import json
import math
import os
import signal
import subprocess
import tempfile
import time

import numpy as np
import pytest

from support import command, environment, limber, python, source, write

def bars(*words, **more):
    said = limber("converge", *words, "--json", **more)
    assert said.code in (0, 1), said.err
    found = json.loads(said.out)
    return found, {(q["label"], q["quantity"]): q for q in found["quantities"]}


def example(name):
    return source / "examples" / f"{name}.yaml"


def folders():
    return {n for n in os.listdir(tempfile.gettempdir()) if n.startswith("limber-converge-")}


# ---- closed answers ----

FALL = """limber: 1
nodes: {a: {at: [1.5, 0, 0], kind: point}}
elements: [mass: {node: a, mass: 2}]
loads: [gravity: {acceleration: [-3, 0, 0]}]
probes: [{name: a, node: a, record: [position, velocity]}]
run: {step: 20 ms, end: 2 s}
"""


def test_free_fall():
    """x = 1.5 - 1.5 t^2. preserving is exact, and its runs are equal; decaying is 4.2e-6 m off, with a bar of 5.2e-6 m."""
    write("fall.yaml", FALL)
    found, b = bars("fall.yaml", "--set", "run.scheme=preserving")
    end = b["a.x", "end"]
    assert end["verdict"] == "converged" and abs(end["value"] + 4.5) < 1e-12 and end["error"] < 1e-10
    assert len(found["runs"]) == 3 and found["step"] == 0.02 and found["horizon"] == pytest.approx(2)
    _, b = bars("fall.yaml")
    end = b["a.x", "end"]
    assert abs(end["value"] + 4.5) <= end["error"] <= 2 * abs(end["value"] + 4.5) and end["order"] == pytest.approx(2, abs=0.1)


def pendulum_angle(start, times, gravity, length):
    """theta'' = -g/l sin(theta) by Runge-Kutta with steps of 20 microseconds: error below 1e-12."""
    h, state, out, t = 2e-5, np.array([start, 0.0]), [], 0.0

    def rate(s):
        return np.array([s[1], -gravity / length * math.sin(s[0])])

    for at in times:
        while t < at - h / 2:
            k1 = rate(state)
            k2 = rate(state + h / 2 * k1)
            k3 = rate(state + h / 2 * k2)
            k4 = rate(state + h * k3)
            state, t = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), t + h
        out.append(state[0])
    return np.array(out)


def test_bars_of_the_pendulum_contain_the_true_error():
    """A point mass on a rod of 1 m, released at the horizontal, against an independent integration of its equation of motion."""
    found, b = bars(example("pendulum/pendulum"), "P.x", "P.z", "--set", "run.end=1 s", "--set", "run.step=10 ms", "-o", "bars.csv")
    rows = np.genfromtxt("bars.csv", delimiter=",", skip_header=1)
    with open("bars.csv", encoding="utf-8") as f:
        assert f.readline() == "time [s],P.x [m],P.x error [m],P.z [m],P.z error [m]\n"
    angle = pendulum_angle(math.pi / 2, rows[:, 0], 9.81, 1.0)
    for column, label, exact in ((1, "P.x", -np.sin(angle)), (3, "P.z", -np.cos(angle))):
        true = np.abs(rows[:, column] - exact)
        history = b[label, "history"]
        assert true.max() <= history["error"] <= 10 * true.max(), (true.max(), history)
        assert history["verdict"] == "converged" and history["order"] == pytest.approx(2, abs=0.2)
        assert (true <= rows[:, column + 1] + 1e-12).mean() > 0.95  # the band up to each time
        assert abs(b[label, "end"]["value"] - exact[-1]) <= b[label, "end"]["error"]
    assert found["order"] == 2


def test_the_oscillator_has_order_three_and_conserves_energy():
    """decaying_c: x = cos(2 pi t), 20 periods; its energy is 1, and its range vanishes with the step."""
    found, b = bars(example("oscillator/oscillator"))
    assert found["order"] == 3 and b["mass.y", "history"]["order"] == pytest.approx(3, abs=0.2)
    energy = b["energy", "end"]
    assert abs(energy["value"] - 1) <= energy["error"] <= 3 * abs(energy["value"] - 1)
    assert found["step"] < found["runs"][0]["step"]  # 0.1 s is too long for 1 %
    assert found["step"] == max(r["step"] for r in found["runs"] if r["error"] <= 0.01)


@pytest.mark.parametrize("name, column", [("heavy_top/heavy_top", "top.x"), ("slider_crank/slider_crank", "x"),
                                          ("contacts/cradle", None), ("pendulum/double_pendulum", "P2.z")])
def test_bars_contain_the_distance_from_a_finer_run(name, column):
    """Of all values of the probe at least 95 % are inside; the finer run has a quarter of the shortest step."""
    words = [column] if column else []
    found, b = bars(example(name), *words, "--runs", 3)
    fine, f = bars(example(name), *words, "--runs", 3, "--set", f"run.step={found['runs'][2]['step'] / 4!r} s")
    inside = [abs(q["value"] - f[key]["value"]) <= q["error"] + 1e-9 * abs(q["value"]) for key, q in b.items()
              if key[1] != "history" and q["error"] is not None and key in f]
    assert len(inside) >= 5 and sum(inside) >= 0.95 * len(inside), [key for key in b]
    assert fine["order"] == found["order"]


CHAOS = """limber: 1
nodes:
  pivot: {at: [0, 0, 0], kind: fixed}
  P1: {at: [-0.6, 0, 0.8], kind: point}
  P2: {at: [-1.4, 0, 1.4], kind: point}
elements: [mass: {node: P1, mass: 1}, mass: {node: P2, mass: 1}]
joints: [distance: {nodes: [pivot, P1]}, distance: {nodes: [P1, P2]}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
probes: [{name: P2, node: P2, record: position}]
run: {step: 4 ms, end: 12 s}
"""


def test_a_chaotic_motion_has_a_horizon():
    """A double pendulum that goes over the top: the last two runs part before the end, there is no error bar then, and the horizon
    grows with shorter steps (measured: 5.32 s, 6.43 s)."""
    write("chaos.yaml", CHAOS)
    found, b = bars("chaos.yaml", "P2.x", "--runs", "3")
    finer, _ = bars("chaos.yaml", "P2.x", "--runs", "3", "--set", "run.step=1 ms")
    history = b["P2.x", "history"]
    assert history["verdict"] == "not converged" and history["error"] is None and history["spread"] > 1
    assert 4 < found["horizon"] < finer["horizon"] < 12 and found["horizon_column"] == "P2.x" and found["step"] is None
    said = limber("converge", "chaos.yaml", "P2.x", "--runs", "3")
    assert said.code == 1 and "not converged; spread" in said.out and f"t = {found['horizon']:.6g} s of 12 s" in said.out
    short, _ = bars("chaos.yaml", "P2.x", "--set", "run.end=3 s")  # before the horizon it is a motion as any other
    assert short["step"] is not None and short["horizon"] == pytest.approx(3)


def test_extremes_have_wide_bars_where_histories_part():
    """The last two runs part before the end: an order of a value is chance. One that is round-off, at the start, has none."""
    write("chaos.yaml", CHAOS)
    found, b = bars("chaos.yaml", "P2.x", "P2.z", "--runs", "8", "--set", "run.step=16 ms", "--set", "run.end=9 s")
    assert found["step"] is None and found["horizon"] < 9
    values = [q for key, q in b.items() if key[1] not in ("history", "end") and q["order"] is not None]
    assert len(values) >= 6 and all(q["verdict"] != "converged" for q in values), values


# ---- finer meshes ----

ROD = """limber: 1
nodes: {a: {at: [0, 0, 0], kind: fixed}, b: [1, 0, 0]}
sections: {rod: {E: 2 GPa, G: 0.8 GPa, density: 1100, circle: {diameter: 20 mm}}}
elements:
  - beam: {name: rod, from: b, start: [1, 0, 0], end: [0, 0, 0], section: rod, elements: 2, order: ORDER}
  - cable: {name: rope, from: a, to: b, stiffness: 20 kN, mass: 0.1, length: 1.05, elements: 4, sag: [0, 0, -1], damping: 1 ms}
joints: [spherical: {nodes: [ground, rod.end], at: [0, 0, 0]}]
loads: [gravity: {acceleration: [0, 0, -9.81]}]
probes:
  - {name: tip, node: b, record: position}
  - {name: mid, node: rod.MIDDLE, record: position}
  - {name: rope, node: rope.2, record: position}
run: {step: 1 ms, end: 0.2 s}
"""


@pytest.mark.parametrize("order, columns", [(1, ["tip.z", "mid.z", "rope.z"]), (3, ["tip.z", "mid.z", "rope.z"])])
def test_the_error_of_the_mesh_contains_that_of_a_far_finer_mesh(order, columns):
    """16 times the elements. Bars are 1.21 to 1.67 times the true error of histories."""
    write("rod.yaml", ROD.replace("ORDER", str(order)).replace("MIDDLE", str(order)))
    found, b = bars("rod.yaml", *columns, "--mesh", "--runs", "3", "--accuracy", "30%")
    step = f"run.step={found['mesh_step']!r}"
    rows = []
    for refine in (1, 16):
        assert limber("run", "rod.yaml", "--set", f"refine={refine}", "--set", step, "-o", "rod.h5", "--force").code == 0
        said = limber("export", "rod.h5", *columns, "-o", "rod.csv", "--force")
        assert said.code == 0, said.err
        rows.append(np.genfromtxt("rod.csv", delimiter=",", skip_header=1)[1:])
    for k, column in enumerate(columns, 1):
        true = np.abs(rows[0][:, k] - rows[1][:, k]).max()
        assert true <= b[column, "history"]["mesh"] <= 2 * true, (column, true, b[column, "history"]["mesh"])
    worst = max(q["mesh"] / (q["error"] / q["relative"]) for q in b.values() if q["relative"])
    assert found["mesh_error"] >= worst * (1 - 1e-12)  # a bar of 0 does not tell the range


def test_finer_meshes_keep_the_places_of_integration_points():
    """A cantilever: the moment at the first of three points, 11.27 % from the clamp, is q (L - x)^2/2 for small deflections."""
    write("arm.yaml", """limber: 1
nodes: {a: [0, 0, 0]}
sections: {rod: {E: 200 GPa, G: 80 GPa, density: 1000, rectangle: [100 mm, 100 mm]}}
elements: [beam: {name: arm, from: a, end: [1, 0, 0], section: rod, elements: 1}]
joints: [clamp: {node: a}]
loads: [gravity: {acceleration: [0, 0, -10]}]
probes: [{name: root, element: arm, point: 0, record: force}]
run: {step: 1 ms, end: 1 ms, start: equilibrium}
""")
    exact = 1000 * 0.01 * 10 / 2 * (1 - 0.5 * (1 - math.sqrt(0.6))) ** 2
    for refine in (1, 2, 5):
        assert limber("run", "arm.yaml", "--set", f"refine={refine}", "-o", "arm.h5", "--force").code == 0
        assert limber("export", "arm.h5", "root.M2", "-o", "arm.csv", "--force").code == 0
        measured = abs(np.genfromtxt("arm.csv", delimiter=",", skip_header=1)[0, 1])
        assert measured == pytest.approx(exact, rel=1e-5), (refine, measured, exact)


def test_finer_meshes_keep_the_places_of_nodes_and_refuse_what_has_none():
    """A straight rod of two cubic elements: node 3 of 6 is its middle, node 4 is inside an element."""
    text = ROD.replace("ORDER", "3")
    write("rod.yaml", text.replace("MIDDLE", "3"))
    for refine in (1, 2, 3):
        assert limber("run", "rod.yaml", "--set", f"refine={refine}", "--set", "run.end=1 ms", "-o", "rod.h5", "--force").code == 0
        assert limber("export", "rod.h5", "mid.x", "-o", "rod.csv", "--force").code == 0
        assert np.genfromtxt("rod.csv", delimiter=",", skip_header=1)[0, 1] == pytest.approx(0.5, abs=1e-12)
    write("inside.yaml", text.replace("MIDDLE", "4"))
    said = limber("check", "inside.yaml", "--set", "refine=2")
    assert said.code == 2 and "inside.yaml:11:23: error: 'refine' leaves no node at the place of 'rod.4'" in said.err, said.err
    assert "rod.3" in said.err
    said = limber("check", "rod.yaml", "--set", "refine=65")
    assert said.code == 2 and "'refine' must be 1 to 64, not 65" in said.err
    said = limber("converge", example("pendulum/pendulum"), "--mesh")
    assert said.code == 2 and "has no beam or cable" in said.err


# ---- runs, files, mistakes ----

def test_the_end_stays_where_the_longest_step_puts_it():
    """1 s in steps of 0.3 s ends at 1.2 s, with all steps."""
    write("fall.yaml", FALL)
    found, b = bars("fall.yaml", "--set", "run.step=0.3 s", "--set", "run.end=1 s", "--set", "run.scheme=preserving")
    assert found["end"] == pytest.approx(1.2) and b["a.x", "end"]["value"] == pytest.approx(1.5 - 1.5 * 1.44)
    assert [r["steps"] for r in found["runs"]] == [4, 8, 16]


def test_mistakes_are_named():
    write("fall.yaml", FALL)
    write("still.yaml", FALL.split("run:")[0])
    for words, text in ((["fall.yaml", "--accuracy", "2"], "--accuracy needs"), (["fall.yaml", "--runs", "2"], "at least 3"),
                        (["fall.yaml", "b.x"], "b"), (["still.yaml"], "no part `run`"), (["none.yaml"], "none.yaml"),
                        (["fall.yaml", "--set", "run.control={loss: 1 mW}"], "leave out `control`")):
        said = limber("converge", *words)
        assert said.code in (1, 2) and text in said.err, (words, said.code, said.err)
    assert not folders()


def test_an_unknown_column_is_refused_before_the_first_run():
    write("fall.yaml", FALL)
    for word, text in (("a.y.x", "has no column 'a.y.x'; its columns are a.position.x, a.x"), ("a.velocity.xx", "did you mean 'a.velocity.x'?"), ("ledger.kinetik", "ledger.kinetic")):
        said = limber("converge", "fall.yaml", word, "--set", "run.end=1e6 s")  # the runs would take minutes
        assert said.code == 2 and text in said.err and "limber-converge" not in said.err, (said.code, said.err)
    for word in ("a", "a.position", "a.z", "a.velocity.x", "ledger.kinetic"):
        assert limber("converge", "fall.yaml", word).code == 0, word


def test_a_file_that_limber_did_not_write_stays():
    write("fall.yaml", FALL)
    write("mine.csv", "my own notes")
    said = limber("converge", "fall.yaml", "-o", "mine.csv")
    assert said.code == 2 and open("mine.csv", encoding="utf-8").read() == "my own notes" and not folders()
    said = limber("converge", "fall.yaml", "-o", "fall.yaml")
    assert said.code == 2 and open("fall.yaml", encoding="utf-8").read() == FALL


def test_a_run_that_fails_is_named():
    """A library that is not allowed, or a step for which Newton's method does not converge."""
    said = limber("converge", example("pendulum/pendulum"), "--set", "run.step=0.5 s", "--set", "run.iterations=1", "--set",
                  "run.halvings=-1", "--set", "run.end=2 s", "--runs", "3")
    assert said.code == 1 and "with a step of 0.5 s" in said.err and "no_convergence" in said.err and not folders()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_command_leaves_nothing(number):
    run = subprocess.Popen(command("converge", example("gear_train/gear_train")), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    for _ in range(200):
        if folders():
            break
        time.sleep(0.05)
    assert folders()
    time.sleep(0.5)
    run.send_signal(number)
    _, said = run.communicate(timeout=30)
    assert run.returncode == (1 if number == signal.SIGTERM else -number), said
    for _ in range(100):
        if not folders():
            break
        time.sleep(0.05)
    assert not folders()
    if number == signal.SIGTERM:
        assert "interrupted" in said


def test_a_worker_that_is_killed_once_is_replaced():
    """The same numbers as without; a second time it is named."""
    words = [example("pendulum/pendulum"), "P.x", "--runs", "3", "--set", "run.end=40 s"]
    _, expected = bars(*words)
    run = subprocess.Popen(command("converge", *words, "--json"), env=environment(), stdout=subprocess.PIPE, text=True)
    victim = None
    for _ in range(200):
        children = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True, check=False).stdout.split()
        if len(children) >= 2 and folders():
            victim = int(children[-1])
            break
        time.sleep(0.02)
    time.sleep(0.3)
    os.kill(victim, signal.SIGKILL)
    out, _ = run.communicate(timeout=60)
    found = {(q["label"], q["quantity"]): q for q in json.loads(out)["quantities"]}
    assert found == expected and not folders()


def test_two_ranks_give_the_same_bars():
    write("fall.yaml", FALL)
    words = [example("slider_crank/slider_crank"), "x", "--runs", "3", "--set", "run.end=2 s"]
    one, b = bars(*words)
    two, c = bars(*words, ranks=2)
    assert one["step"] == two["step"] and b.keys() == c.keys()
    for key, q in b.items():
        assert c[key]["value"] == pytest.approx(q["value"], rel=1e-9, abs=1e-12) and c[key]["verdict"] == q["verdict"]


def test_python_gives_the_same():
    lines = ["import limber, sys", "c = limber.converge(sys.argv[1], ['P.x'], runs=3, changes={'run.end': '1 s'})",
             "b = c['P.x', 'end']; assert b is not None and c['P.position.x', 'end'] == b",
             "print(repr(b.value), repr(b.error), b.verdict, c.step, len(c.bars), len(c.runs))",
             "try: limber.converge('none.yaml')", "except limber.ModelError as e: assert 'none.yaml' in str(e)", "else: raise SystemExit('no error')"]
    said = python("\n".join(lines), str(example("pendulum/pendulum")))
    found, b = bars(example("pendulum/pendulum"), "P.x", "--runs", "3", "--set", "run.end=1 s")
    end = b["P.x", "end"]
    assert said.split() == [repr(end["value"]), repr(end["error"]), "converged", str(found["step"]), "6", "3"]


def test_the_page_has_the_table_of_ten_examples():
    page = (source / "docs/error_bars.md").read_text()
    with open(source / "benchmarks/results/ten_error_bars.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    assert len(rows) == 10
    for r in rows:
        line = next(line for line in page.splitlines() if line.startswith(f"| [{r['example']}]"))
        cells = [c.strip().split(" ")[0] for c in line.split("|")[3:6]]
        assert cells == [r["value"], r["error bar"] or "none", r["true error"]]
        assert r["verdict"] in line and f"`{r['column']}`, {r['quantity']}" in line
