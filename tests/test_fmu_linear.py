# SPDX-License-Identifier: Apache-2.0
"""Linear models as FMUs: the steps of co-simulation are exact, model exchange gives A, B, C and D."""
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest

from fmu_host import Fmu, build_master, same_bits
from support import h5, limber, python, run, write

# A mass on a spring: 2 kg, 50 N/m, 1.2 N s/m; pushed by 3 N at the operating point, which is at x = 0.06 m.
SPRING = """
limber: 1
title: a mass on a spring
nodes: {block: [0, 0, 0]}
elements:
  - rigid_body: {node: block, mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - prismatic: {name: rail, nodes: [ground, block], axis: [1, 0, 0], slide: {stiffness: 50, damping: 1.2}}
functions:
  push: {signal: {value: 3}}
loads:
  - force: {name: force, node: block, direction: [1, 0, 0], amplitude: push}
probes:
  - {name: rail, joint: rail, record: [coordinate, rate]}
linearize: {inputs: push}
run: {step: 1 ms, end: 1 s}
"""

# A stiff structure: frequencies from 0.6 Hz to 200 kHz, inputs of two kinds, an output with a direct part.
ARM = """
limber: 1
nodes: {pivot: [0, 0, 0]}
sections:
  rod: {E: 210 GPa, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}
elements:
  - beam: {name: arm, from: pivot, end: [0, 0, -1], section: rod, elements: 1, damping: 1 us}
  - mass: {name: bob, node: arm.end, mass: 0.5}
joints:
  - revolute: {name: hinge, nodes: [ground, pivot], axis: [0, 1, 0], angle: {damping: 0.02}}
functions:
  pull: {signal: {value: 0}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
  - force: {name: pulling, node: arm.end, direction: [1, 0, 0], amplitude: pull}
linearize: {inputs: pull}
probes:
  - {name: tip, node: arm.end, record: [position, velocity]}
  - {name: hinge, joint: hinge}
run: {step: 1 ms, end: 0.2 s}
"""


@pytest.fixture(scope="module", autouse=True)
def master(folder):
    build_master()
    write("spring.yaml", SPRING)
    write("arm.yaml", ARM)


class Linear(Fmu):
    def __init__(self, model, version=3, *words):
        super().__init__(model, version, *words, linear=True)
        with h5(self.results) as f:
            part = f["linear_model"]
            self.a, self.b, self.c, self.d = (part[k][()] for k in "ABCD")
            self.u, self.y = part["input_at"][()].ravel(), part["output_at"][()].ravel()

    def states(self):
        return [n for n in self.variables if n.startswith("state.")]


def matrices(a, b, h):
    """e^(A h) and the integrals for inputs that are linear in time: the series of one matrix, in numbers of 64 bits, with rates in
    units that make it small. The sum without 1 is squared, so that slow motions are not lost among fast ones."""
    n, m = b.shape
    unit = np.ones(n + 2 * m, np.longdouble)
    unit[n // 2:n] = 2.0**round(math.log2(max(1, abs(np.linalg.eigvals(a.astype(float))).max())))
    whole = np.zeros((n + 2 * m, n + 2 * m), np.longdouble)
    whole[:n, :n], whole[:n, n:n + m], whole[n:n + m, n + m:] = a, b, np.eye(m)
    whole = whole * unit / unit[:, None]
    halves = max(0, math.ceil(math.log2(float(abs(whole).sum(axis=0).max() * h)))) + 3
    x = whole * (np.longdouble(h) / 2**halves)
    total = term = x
    for k in range(2, 20):
        term = term @ x / k
        total = total + term
    for _ in range(halves):
        total = 2 * total + total @ total
    total = total * unit[:, None] / unit
    return total[:n, :n] + np.eye(n), total[:n, n:n + m], total[:n, n + m:]


def response(fmu, steps, slope=None):
    """Rows of outputs: `steps` has lengths and inputs."""
    x, u = np.zeros(len(fmu.a), np.longdouble), fmu.u.astype(np.longdouble)
    rows = [fmu.y]
    for h, value in steps:
        u = np.array([value], np.longdouble)
        e, g, w = matrices(fmu.a, fmu.b, h)
        x = e @ x + g @ (u - fmu.u) + (w @ np.array([slope]) if slope else 0)
        if slope:
            u = u + slope * h
        rows.append(fmu.y + fmu.c @ x + fmu.d @ (u - fmu.u))
    return np.array(rows, float)


def largest_error(fmu, rows, expected):
    """Relative to the largest change of each output; forces are differences of large numbers, so that of motions comes first."""
    error = abs(np.array(rows) - expected).max(axis=0) / np.maximum(abs(np.array(expected) - fmu.y).max(axis=0), 1e-12)
    motion = np.array([n.startswith("tip.") or n in ("hinge.angle", "hinge.rate") for n in fmu.outputs()])
    return error[motion].max(), error[~motion].max()


# ---- co-simulation ----
@pytest.mark.parametrize("version", [2, 3])
def test_steps_are_the_closed_form_of_an_oscillator(version, measured):
    fmu = Linear("spring.yaml", version)
    rows = np.array(fmu.host("start", "set", "@push", 5, "step", 0.3, 10, "wrong_linear"))
    assert fmu.outputs() == ["rail.slide", "rail.rate"] and np.allclose(rows[0], [0, 0.06, 0], atol=1e-15)
    decay, w = 1.2 / 4, math.sqrt(50 / 2 - 0.3**2)
    t = rows[:, 0]
    x = 0.1 - 0.04 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    v = 0.04 * np.exp(-decay * t) * (w + decay**2 / w) * np.sin(w * t)
    error = max(abs(rows[:, 1] - x).max() / 0.04, abs(rows[:, 2] - v).max() / 0.2)
    measured(f"relative error {error:.2g}")
    assert error < 1e-12  # 7.4e-14: C is found by differences


@pytest.mark.parametrize("version", [2, 3])
def test_steps_of_a_stiff_structure_are_exact_to_the_round_off_of_a(version, measured):
    """The error is compared with what a change of all entries of A by their round-off makes."""
    fmu = Linear("arm.yaml", version)
    rows = fmu.host("start", "set", "@pull", 2, "step", 0.01, 3, "set", "@pull", -1, "step", 0.0237, 2, "step", 0.1, 1)
    steps = 3 * [(0.01, 2)] + 2 * [(0.0237, -1)] + [(0.1, -1)]
    expected, a = response(fmu, steps), fmu.a
    motion, force = largest_error(fmu, [r[1:] for r in rows], expected)
    fmu.a = a.astype(np.longdouble) * (1 + np.finfo(float).eps / 2 * np.random.default_rng(1).choice([-1, 1], a.shape))
    by_round_off = largest_error(fmu, response(fmu, steps), expected)[0]
    measured(f"relative error of motions {motion:.2g}, by round-off of A {by_round_off:.2g}; of forces {force:.2g}; {len(a)} states, fastest eigenvalue {abs(np.linalg.eigvals(a)).max():.2g} 1/s")
    assert motion < 5 * by_round_off < 1e-9  # 1.2e-11 and 2e-11
    assert force < 1e-9  # 5.8e-11: the terms of C x are far larger than their sum


def test_a_slope_is_followed_exactly(measured):
    fmu = Linear("arm.yaml", 2)
    rows = fmu.host("start", "slope", "@pull", 50, "step", 0.03, 1)
    motion, force = largest_error(fmu, [r[1:] for r in rows], response(fmu, [(0.03, 0)], slope=50))
    measured(f"relative error of motions {motion:.2g}, of forces {force:.2g}")
    assert motion < 1e-9 and force < 1e-9  # 1.2e-11, 1.2e-11


def test_the_energy_of_an_undamped_oscillator_stays_over_many_steps(measured):
    write("free.yaml", SPRING.replace(", damping: 1.2", ""))
    fmu = Linear("free.yaml")
    rows = np.array(fmu.host("start", "set", "@push", 5, "step", 0.37, 20000))
    energy = 50 * (rows[:, 1] - 0.1)**2 + 2 * rows[:, 2]**2
    drift = abs(energy / energy[0] - 1).max()
    measured(f"largest change of the energy in 20000 steps {drift:.2g}")
    assert drift < 1e-11  # 2e-12


def test_steps_whose_lengths_have_round_off_are_exact(measured):
    """A host computes lengths as differences of times; a step divided into unlike parts leads to the same state."""
    fmu = Linear("arm.yaml")
    a = fmu.host("start", "set", "@pull", 2, "step", 0.1, 1)[-1]
    b = fmu.host("start", "set", "@pull", 2, "step", 0.1 / 3, 1, "step", 0.05, 1, "step", 0.1 - 0.1 / 3 - 0.05, 1)[-1]
    motion, force = largest_error(fmu, [a[1:]], [b[1:]])
    measured(f"relative difference of motions {motion:.2g}, of forces {force:.2g}")
    assert motion < 1e-8 and force < 1e-7  # 1.2e-10, 1.1e-9


def test_small_motions_are_those_of_the_model(measured):
    """The response of the nonlinear model to a push of 1 mN, with steps of the run 20 times shorter."""
    fmu = Linear("arm.yaml")
    rows = np.array(fmu.host("start", "set", "@pull", 1e-3, "step", 0.02, 10))
    run("arm.yaml", "arm_run.h5", "--set", "functions.pull.signal.value=1e-3", "--set", "run.step=0.1ms", "--set", "run.every=200")
    with h5("arm_run.h5") as f:
        x = f["history/probes/tip/position"][:, 0]
    error = abs(rows[:, 1 + fmu.outputs().index("tip.position.x")] - x).max() / abs(x).max()
    measured(f"relative difference {error:.2g}")
    assert error < 1e-5  # 2.1e-7


# ---- model exchange ----
@pytest.mark.parametrize("version", [2, 3])
def test_a_host_that_integrates_converges_to_the_exact_steps(version, measured):
    fmu = Linear("spring.yaml", version)
    exact = np.array(fmu.host("start", "set", "@push", 5, "step", 0.5, 2)[-1])
    errors = []
    for n in (50, 100, 200):
        rows = fmu.host("exchange", "set", "@push", 5, "start", "step", 1 / n, n, "wrong_linear", "end")
        errors.append(abs(np.array(rows[-1]) - exact)[1:].max())
    measured("errors with 50, 100 and 200 steps: " + ", ".join(f"{e:.2g}" for e in errors))
    assert errors[0] > 14 * errors[1] > 14**2 * errors[2] > 0  # 14.9 and 15.5


@pytest.mark.parametrize("version", [2, 3])
def test_directional_and_adjoint_derivatives_are_the_matrices(version):
    fmu = Linear("arm.yaml", version)
    n, (m, p) = len(fmu.a), (len(fmu.u), len(fmu.y))
    x, u, y, rate = 1 + m + p, 1, 1 + m, 1 + m + p + n
    for mode in ((), ("exchange",)):
        rows = fmu.host(*mode, "start", "derivatives", rate, n, x, n, "derivatives", rate, n, u, m, "derivatives", y, p, x, n,
                        "derivatives", y, p, u, m)[1:]
        for matrix in (fmu.a, fmu.b, fmu.c, fmu.d):
            assert same_bits(rows[:len(matrix)], matrix)
            rows = rows[len(matrix):]


@pytest.mark.parametrize("version", [2, 3])
def test_states_can_be_set_before_the_start(version):
    fmu = Linear("spring.yaml", version)
    name, rate = fmu.states()
    assert (name, rate) == ("state.rail.slide", "state.rail.slide.rate")
    row = fmu.host("set", f"@{name}", 0.01, "set", f"@{rate}", 0.5, "start")[0]
    assert row[1:] == pytest.approx([0.07, 0.5], rel=1e-15)


# ---- the state ----
@pytest.mark.parametrize("version", [2, 3])
def test_a_saved_state_gives_the_same_bits_also_in_another_process(version):
    fmu = Linear("arm.yaml", version)
    rows = fmu.host("start", "set", "@pull", 1, "step", 0.004, 7, "save", "write", "linear.bin", "step", 0.004, 10, "set", "@pull", 3,
                    "step", 0.003, 4, "restore", "step", 0.004, 10)
    assert same_bits(rows[8:18], rows[-10:])
    other = fmu.host("read", "linear.bin", "step", 0.004, 10)
    assert same_bits(other[0], rows[7]) and same_bits(other[1:], rows[8:18])
    again = fmu.host("start", "step", 0.1, 3, "reset", "start", "set", "@pull", 1, "step", 0.004, 7)
    assert same_bits(again[-8:], rows[:8])


# ---- the file ----
@pytest.mark.parametrize("version", [2, 3])
def test_the_description_has_names_units_and_dependencies(version):
    fmu = Linear("spring.yaml", version)
    real = {n: v.find("Real") if version == 2 else v for n, v in fmu.variables.items()}
    assert list(fmu.variables) == ["time", "push", "rail.slide", "rail.rate", "state.rail.slide", "state.rail.slide.rate",
                                   "der(state.rail.slide)", "der(state.rail.slide.rate)"]
    assert [v.get("unit") for v in real.values()] == ["s", None, "m", "m s-1", "m", "m s-1", "m s-1", "m s-2"]
    assert real["push"].get("start") == "3" and fmu.variables["push"].get("description") == "3 at the operating point"
    assert fmu.variables["rail.slide"].get("description") == "0.06 m at the operating point"
    off = version == 2
    assert [int(real[n].get("derivative")) - off for n in list(real)[-2:]] == [4, 5]
    tag = {2: ["Outputs/Unknown", "Derivatives/Unknown"], 3: ["Output", "ContinuousStateDerivative"]}[version]
    found = [u.get("dependencies") for t in tag for u in fmu.root.findall("ModelStructure/" + t)]
    numbers = [[int(x) - off for x in d.split()] for d in found]
    assert numbers == [[4], [5], [5], [1, 4, 5]]
    assert fmu.root.find("ModelExchange") is not None and fmu.root.find("CoSimulation") is not None


def test_it_needs_the_c_library_alone():
    fmu = Linear("spring.yaml")
    library, = fmu.folder.glob("binaries/*/*.so")
    needed = subprocess.run(["ldd", str(library)], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "liblimber" not in needed and "libpetsc" not in needed and "libmpi" not in needed
    assert sorted(p.name for p in fmu.folder.glob("resources/*")) == ["limber.txt", "matrices.bin"]


def test_damaged_matrices_are_refused():
    fmu = Linear("spring.yaml")
    path = fmu.folder / "resources/matrices.bin"
    good = path.read_bytes()
    for bad in (b"", good[:-8], good + bytes(8), good[:-8] + np.array([np.nan]).tobytes()):
        path.write_bytes(bad)
        fmu.host("start", code=1)
        assert "which has the matrices" in fmu.err
    path.write_bytes(good)
    (fmu.folder / "resources/limber.txt").write_text((fmu.folder / "resources/limber.txt").read_text().replace("states 2", "states 4000000000"))
    fmu.host("start", code=1)
    assert "master: no instance" in fmu.err


def test_the_same_model_gives_the_same_bytes_on_any_number_of_ranks():
    one = Linear("arm.yaml").path.read_bytes()
    os.utime("arm.yaml")
    assert Linear("arm.yaml").path.read_bytes() == one
    if not os.environ.get("LIMBER_WITHOUT_MPI"):
        said = limber("linearize", "arm.yaml", "-o", "two.h5", "--fmu", "two.fmu", "-q", ranks=2)
        assert said.code == 0, said.err
        assert pathlib.Path("two.fmu").read_bytes() == one


def test_what_cannot_be_written_is_refused():
    def refused(*words):
        said = limber("linearize", "spring.yaml", "-o", "no.h5", *words)
        assert said.code == 2 and not os.path.exists("no.h5"), said.err
        return said.err

    write("mine.fmu", "PK\3\4 of somebody else")
    assert "is not an FMU that Limber wrote" in refused("--fmu", "mine.fmu")
    assert "--fmi is 2 or 3, not '4'" in refused("--fmu", "a.fmu", "--fmi", "4")
    assert "--fmi needs --fmu" in refused("--fmi", "2")
    write("large.yaml", ARM.replace("elements: 1,", "elements: 35,").replace("inputs: pull", "inputs: pull, outputs: tip.x"))
    said = limber("linearize", "large.yaml", "-o", "no.h5", "--fmu", "large.fmu")
    assert said.code == 1 and "at most 1000 states, not 1262" in said.err and "linearize.modes=50" in said.err
    assert not os.path.exists("large.fmu")


def test_python_writes_the_same_bytes():
    one = Linear("spring.yaml", 2).path.read_bytes()
    code = ("import limber\nlimber.linearize('spring.yaml', output='python.fmu', fmi=2)\n"
            "try: limber.linearize('spring.yaml', output='spring.fmu', fmi=4)\nexcept ValueError as e: print(e)\n")
    assert python(code) == "fmi is 2 or 3, not 4\n"
    assert pathlib.Path("python.fmu").read_bytes() == one
