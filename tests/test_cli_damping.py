# SPDX-License-Identifier: Apache-2.0
"""Damping in model files, and what `limber check --frequencies` and `--resolve` say: docs/damping.md."""
import math
import re
import resource
import subprocess

import h5py
import numpy
import pytest

from support import command, environment, limber, program, settings, source, write

STRIP = source / "docs/figures/damping.yaml"


def check(*words, model=STRIP, ranks=1):
    """What check prints, line by line, by the first word of each; its exit code."""
    done = subprocess.run(command("check", model, *words, ranks=ranks), env=environment(), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = {line.split()[0]: line.strip() for line in done.stdout.splitlines() if line.strip()}
    return lines, done.returncode


def numbers(line):
    return [float(x) for x in re.findall(r"[-+0-9.e]+", line.split(" are ")[0].split("%")[0]) if re.search(r"\d", x)]


def tip(folder, name, damping):
    limber("run", STRIP, "-q", "-o", f"{folder}/{name}.h5", *settings(f"elements.strip.damping={damping}", "run.end=0.2"))
    with h5py.File(f"{folder}/{name}.h5") as f:
        return f["history/probes/tip/displacement"][:]


def test_a_time_is_the_same_bits_in_every_form(folder):
    plain = tip(folder, "plain", "20 ms")
    assert numpy.array_equal(plain, tip(folder, "stiffness", "{stiffness: 20 ms}"))
    assert numpy.array_equal(plain, tip(folder, "both", "{stiffness: 20 ms, mass: 0}"))
    assert numpy.array_equal(tip(folder, "ratio", "{ratio: 5 %, at: 2 Hz}"), tip(folder, "one", "{ratio: 5 %, at: [2 Hz]}"))
    assert not numpy.array_equal(plain, tip(folder, "mass", "{stiffness: 20 ms, mass: 1 1/s}"))
    close = tip(folder, "eta", f"{2 * 0.05 / (2 * math.pi * 2)!r}")
    assert numpy.allclose(close, tip(folder, "ratio2", "{ratio: 5 %, at: 2 Hz}"), rtol=0, atol=1e-13)


# f of the strip, 0.5596 sqrt(EI/(m L^4)), is 4.18 Hz by the theory of slender beams; four times that across, where it is four times as wide
def test_frequencies_and_ratios_are_those_asked_for():
    lines, code = check("--frequencies")
    assert code == 0
    f = numbers(lines["frequencies"])
    slender = math.sqrt(210e9 * 0.02 * 0.005**3 / 12 / (7850 * 0.02 * 0.005)) / (2 * math.pi)
    for found, root in zip((f[0], f[2], f[3]), (1.8751041, 4.6940911, 7.8547574)):
        assert found == pytest.approx(slender * root**2, rel=2e-3)
    assert f[1] == pytest.approx(4 * f[0], rel=2e-3)
    ratio = numbers(lines["damping"])
    w1, w2 = (2 * math.pi * x for x in (4.18, 26.2))
    for found, hz in zip(ratio, f):
        w = 2 * math.pi * hz
        assert found == pytest.approx(100 * 0.01 / (w1 + w2) * (w1 * w2 / w + w), rel=3e-3)
    assert "the highest is 328.7 kHz" in lines["frequencies"]


def test_two_ranks_say_the_same():
    one, two = check("--resolve", "3"), check("--resolve", "3", ranks=2)
    assert one == two


def test_without_dampers_there_is_no_line_of_ratios():
    lines, code = check("-f", "--set", "elements.strip.damping=0")
    assert code == 0 and "damping" not in lines and "frequencies" in lines


def test_steps_resolve_a_mode_or_a_frequency():
    lines, code = check("--resolve", "3")
    assert code == 0
    assert lines["resolve"].startswith("resolve     mode 3, 26.18 Hz: 20 steps per period are steps of 0.00191 s; in `preserving`")
    assert "0.82 % too long" in lines["resolve"]
    lines, code = check("--resolve", "20Hz", "--set", "run.scheme=decaying")
    assert lines["resolve"].startswith("resolve     20 Hz: 20 steps per period are steps of 0.0025 s; in `decaying`")
    assert re.search(r"1\.3 % too long, and it loses 0\.5 % of its amplitude in each", lines["resolve"])
    lines, code = check("--resolve", "999")
    assert code == 0 and re.fullmatch(r"resolve     there is no mode 999 among the \d+ that were found", lines["resolve"])
    assert lines["steps"] == "steps       of 0.001 s resolve, with 20 or more per period, up to 50 Hz; the lowest mode has 239"


@pytest.mark.parametrize("word", ["x", "-3", "2.5", "3 kg", "0", "3 rad/s"])
def test_what_is_no_mode_and_no_frequency_is_refused(word):
    lines, code = check(f"--resolve={word}")
    assert code == 2 and "--resolve needs the number of a mode" in " ".join(lines.values())


def test_models_without_equilibrium_or_modes_are_still_good(folder):
    free = write(f"{folder}/free.yaml", """
limber: 1
nodes: {a: {at: [0, 0, 0], kind: point}, b: {at: [1, 0, 0], kind: point}}
elements:
  - bar: {name: rod, nodes: [a, b], stiffness: 100 N, mass: 1}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
run: {step: 1 ms, end: 1}
""")
    lines, code = check("-f", model=free)
    assert code == 0 and "frequencies" in lines
    rigid = write(f"{folder}/rigid.yaml", """
limber: 1
nodes: {a: [0, 0, 0]}
elements:
  - rigid_body: {name: body, node: a, mass: 1, inertia: [1, 1, 1]}
run: {step: 1 ms, end: 1}
""")
    lines, code = check("-f", model=rigid)
    assert code == 0 and lines["rigid"].startswith("rigid       6 motions without stiffness")
    assert lines["frequencies"].startswith("frequencies none above zero")
    lines, code = check("-f", model=source / "tests/models/singular.yaml")
    assert code == 0 and lines["frequencies"].startswith("frequencies no modes: ")


def test_a_thousand_nodes_take_less_than_a_second_of_computing():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines, code = check("--resolve", "5", "--set", "elements.strip.elements=333")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert code == 0 and "1000," in lines["nodes"]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert seconds < (20 if "sanitize" in program else 2)  # 0.5 s on an idle machine


def test_several_models_and_standard_input_are_refused():
    for words in ([str(STRIP), "-f"], ["-f", str(STRIP)]):
        assert check(*words)[1] == 2
    assert check("-f", model="-")[1] == 2


ROTOR = """
limber: 1
let: {speed: 12 rad/s}
nodes: {hub: [0, 0, 0]}
sections: {s: {E: 35 GPa, nu: 0.3, density: 1900, rectangle: [100 mm, 20 mm]}}
elements:
  - rigid_body: {name: hub, node: hub, mass: 10, inertia: [1, 1, 1]}
  - beam: {name: blade, from: hub, start: [0, 0, 0], end: [3 m, 0, 0], section: s, up: [0, 1, 0], elements: 3,
           damping: {mass: 2 1/s, stiffness: 1 ms}}
joints:
  - revolute: {name: shaft, nodes: [ground, hub], axis: [0, 0, 1]}
loads:
  - drive: {name: turn, joint: shaft, rate: 12}
motion: {angular_velocity: [0, 0, speed]}
probes:
  - {name: tip, node: blade.end, axes: hub, record: [position]}
run: {scheme: decaying, step: 4 ms, end: 0.4, start: equilibrium}
"""


# The force alpha m omega r bends it back; integrated twice from the tip, alpha m omega L^5 11/(120 EI) at the tip, a little less by the
# tension.
def test_a_driven_rotor_with_damped_masses_starts_in_steady_rotation(folder):
    limber("run", write(f"{folder}/rotor.yaml", ROTOR), "-q", "-o", f"{folder}/rotor.h5")
    with h5py.File(f"{folder}/rotor.h5") as f:
        position = f["history/probes/tip/position"][:]
        work, damping = f["history/ledger/work"][:], f["history/ledger/damping"][:]
    assert numpy.ptp(position, axis=0).max() < 1e-12
    m, stiff = 1900 * 0.1 * 0.02, 35e9 * 0.02 * 0.1**3 / 12
    assert -position[0][1] == pytest.approx(11 / 120 * 2 * m * 12 * 3**5 / stiff, rel=0.02)
    # all that the drive does is taken: alpha omega^2 J = alpha omega^2 m L^3/3 per time, and what the moments of inertia of the section add
    assert damping[-1] == pytest.approx(2 * 12**2 * m * 3**3 / 3 * 0.4, rel=2e-3)
    assert work[-1] == pytest.approx(damping[-1], rel=1e-12)


def test_a_run_resumes_to_the_same_bits(folder):
    model = write(f"{folder}/rotor.yaml", ROTOR)
    limber("run", model, "-q", "-o", f"{folder}/whole.h5", "--set", "run.end=0.2")
    limber("run", model, "-q", "-o", f"{folder}/part.h5", "--set", "run.end=0.1")
    limber("resume", f"{folder}/part.h5", "--end", "0.2", "-q")
    with h5py.File(f"{folder}/whole.h5") as a, h5py.File(f"{folder}/part.h5") as b:
        for name in "probes/tip/position", "ledger/damping":
            assert numpy.array_equal(a[f"history/{name}"][:], b[f"history/{name}"][:])


def test_a_rotor_that_damped_masses_brake_has_no_steady_rotation(folder):
    free = ROTOR.replace("loads:\n  - drive: {name: turn, joint: shaft, rate: 12}\n", "")
    done = subprocess.run([program, "run", write(f"{folder}/free.yaml", free), "-q", "-o", f"{folder}/free.h5"], env=environment(), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 2
    assert "`motion` sets it moving as a whole: its motion as a whole is damped too, to 1/e in 0.5 s" in done.stdout
    assert "mass-proportional damping, which acts relative to the ground, brakes the rotation" in done.stdout


# ---- a time for each strain ----
ROD = """limber: 1
nodes: {base: [0, 0, 0]}
sections:
  s:
    stiffness: %s
    mass: 2
    inertia: [0.3, 0.15, 0.15]
elements:
  - beam: {name: rod, from: base, end: [0, 0, 10], section: s, elements: 6, %s}
joints:
  - weld: {nodes: [ground, base]}
modes: {count: 12}
"""
STIFFNESS = numpy.diag([2e6, 1e6, 1e6, 3e4, 5e4, 8e4])


def damped_modes(folder, damping, stiffness=STIFFNESS):
    write(f"{folder}/rod.yaml", ROD % (stiffness.tolist(), damping))
    said = limber("modes", f"{folder}/rod.yaml", "-q", "-o", f"{folder}/rod.h5")
    assert said.code == 0, said.err
    with h5py.File(f"{folder}/rod.h5") as f:
        return f["history/mode/frequency"][:], f["history/mode/damping"][:]


def test_a_mode_has_the_damping_of_its_strain(folder, measured):
    """Axial and torsional modes have one strain; bending of a slender rod nearly."""
    times = [1e-4, 5e-5, 7e-5, 4e-4, 2e-4, 3e-4]
    f, ratio = damped_modes(folder, f"strain_damping: {times}")
    axial, torsion = math.sqrt(2e6 / 2) / 40, math.sqrt(3e4 / 0.3) / 40
    bending = [math.sqrt(k / 2) * 1.8751041**2 / 100 / (2 * math.pi) for k in (5e4, 8e4)]
    worst = 0
    for hz, time, relative in ((axial, times[0], 1e-4), (torsion, times[3], 1e-4), (bending[0], times[4], 0.05), (bending[1], times[5], 0.05)):
        nearest = numpy.argmin(abs(f - hz))
        assert f[nearest] == pytest.approx(hz, rel=0.05)
        wanted = time * math.pi * f[nearest]
        assert ratio[nearest] == pytest.approx(wanted, rel=relative)
        worst = max(worst, abs(ratio[nearest] / wanted - 1))
    measured("%.1e" % worst)


def test_six_equal_times_are_one(folder, measured):
    one, six = (damped_modes(folder, text) for text in ("damping: 0.3 ms", "strain_damping: [0.3 ms, 0.3 ms, 0.3 ms, 0.3 ms, 0.3 ms, 0.3 ms]"))
    worst = max(abs(six[0] / one[0] - 1).max(), abs(six[1] / one[1] - 1).max())
    measured("%.1e" % worst)
    assert worst < 1e-9


@pytest.mark.parametrize("scheme", ["preserving", "decaying", "decaying_a", "decaying_b", "decaying_c", "generalized_alpha"])
def test_the_energy_balance_closes_and_damping_only_takes(folder, scheme, measured):
    """A section that couples all strains, with times of which one is 0."""
    rng = numpy.random.default_rng(3)
    mixed = numpy.linalg.qr(rng.normal(size=(6, 6)))[0]
    root = numpy.sqrt(numpy.diag(STIFFNESS))
    coupled = root[:, None] * (mixed @ numpy.diag([1, 0.5, 2, 1, 0.7, 1.4]) @ mixed.T) * root
    coupled = (coupled + coupled.T) / 2
    text = ROD % (coupled.tolist(), "strain_damping: [0, 5 ms, 1 ms, 20 ms, 2 ms, 10 ms]")
    write(f"{folder}/swing.yaml", text.replace("  - weld: {nodes: [ground, base]}", "  - spherical: {nodes: [ground, base]}").replace(
        "modes: {count: 12}", "loads:\n  - gravity: {acceleration: [5, 1, 3]}\nrun: {scheme: %s, step: 20 ms, end: 2 s}" % scheme))
    said = limber("run", f"{folder}/swing.yaml", "-q", "-o", f"{folder}/swing.h5", "--force")
    assert said.code == 0, said.err
    with h5py.File(f"{folder}/swing.h5") as f:
        ledger = {name: f["history/ledger/" + name][:] for name in ("damping", "residual", "exchanged")}
    assert (numpy.diff(ledger["damping"]) >= 0).all() and ledger["damping"][-1] > 1e-3
    worst = abs(ledger["residual"]).max() / ledger["exchanged"][-1]
    measured("%.1e" % worst)
    assert worst < 1e-11


@pytest.mark.parametrize("fields, words", [
    ("strain_damping: [1, 1, 1, 1, 1, -1]", "negative `strain_damping` would create energy"),
    ("strain_damping: [1, 1, 1]", "strain_damping"),
    ("strain_damping: [1, 1, 1, 1, 1, 1], damping: 2", "takes the place of `damping`"),
])
def test_wrong_times_are_refused(folder, fields, words):
    write(f"{folder}/wrong.yaml", ROD % (STIFFNESS.tolist(), fields))
    said = limber("check", f"{folder}/wrong.yaml")
    assert said.code == 2 and words in said.err, said.err
