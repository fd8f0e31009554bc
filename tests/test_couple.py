# SPDX-License-Identifier: Apache-2.0
"""limber couple: models in processes of their own give the bits of one process, are killed and continued, and are named where they fail."""
import os
import pathlib
import re
import signal
import subprocess
import time
import zipfile

import h5py
import numpy as np
import pytest

from support import command, environment, limber, needs, python, source, write


PENDULUM = """limber: 1
nodes: {bob: [0, 0, -1]}
elements:
  - rigid_body: {node: bob, mass: 2, inertia: [0.1, 0.1, 0.1]}
joints:
  - revolute: {name: shaft, nodes: [ground, bob], axis: [0, 1, 0], at: [0, 0, 0], angle: {initial_rate: 2}}
loads:
  - gravity: {acceleration: [0, 0, -9.81]}
ports:
  - wave: {name: shaft, joint: shaft, mass: 2}
probes:
  - {name: hinge, joint: shaft}
run: {step: 1 ms, end: 1 s, scheme: preserving}
"""
WHEEL = """limber: 1
nodes: {disc: [0, 0, 0]}
elements:
  - rigid_body: {node: disc, mass: 3, inertia: [1, 1.5, 1]}
joints:
  - revolute: {name: shaft, nodes: [ground, disc], axis: [0, 1, 0], angle: {stiffness: 8, damping: 0.1, initial_rate: 2}}
functions: {brake: {signal: {value: 0}}}
control: {hold: -0.2*brake}
loads:
  - joint_force: {name: brake, joint: shaft, amplitude: hold}
ports:
  - wave: {name: shaft, joint: shaft, mass: 2}
probes:
  - {name: hinge, joint: shaft}
run: {step: 1 ms, end: 1 s}
"""
SYSTEM = """limber: 1
title: a pendulum that drives a wheel
participants:
  pendulum: pendulum.yaml
  wheel: {model: wheel.yaml}
connections:
  - wave: {from: pendulum.shaft, to: wheel.shaft}
  - signal: {from: pendulum.hinge.rate, to: wheel.brake}
run: {step: 10 ms, end: 2 s}
"""


def system(text=SYSTEM, name="system.yaml", pendulum=PENDULUM, wheel=WHEEL):
    write("pendulum.yaml", pendulum), write("wheel.yaml", wheel)
    return write(name, text)


def couple(*words):
    """A quiet coupled run that must reach its end."""
    said = limber("couple", *words, "-q", "--force")
    assert said.code == 0, said.err
    return said


def columns(path):
    """All numbers of the history, by the names of their datasets."""
    out = {}
    with h5py.File(path) as f:
        f["history"].visititems(lambda name, x: out.__setitem__(name, x[()]) if isinstance(x, h5py.Dataset) else None)
    return out


def same(a, b):
    a, b = columns(a), columns(b)
    return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


# The same in one process: step by step, with the signal passed by hand.
ONE_PROCESS = """
import limber
h = {"run.step": "10 ms", "run.end": "2 s", "run.every": 1}
a, b = (limber.Model(n, changes=h).start(output=o) for n, o in (("pendulum.yaml", "a.h5"), ("wheel.yaml", "b.h5")))
s = limber.couple([(a.ports["shaft"], b.ports["shaft"])])
while s.time < 2 - 5e-3:
    b.set_signal("brake", a.joint("shaft").rate[0])
    s.step()
print(repr(s.energy.stored + s.energy.lines + s.energy.lost - s.energy.work))
"""


def test_two_processes_give_the_bits_of_one():
    couple(system())
    python(ONE_PROCESS)
    for one, two in (("a.h5", "system.pendulum.h5"), ("b.h5", "system.wheel.h5")):
        x, y = columns(one), columns(two)
        assert len(x) > 20
        for name in x:
            assert np.array_equal(x[name], y[name]), name


def test_the_whole_has_all_columns_and_one_ledger_that_closes():
    couple(system())
    whole, parts = columns("system.h5"), {n: columns(f"system.{n}.h5") for n in ("pendulum", "wheel")}
    assert len(whole["time"]) == 201
    for n in parts:
        assert np.array_equal(whole[f"{n}.hinge/angle"], parts[n]["probes/hinge/angle"])
    for name in ("kinetic", "strain", "potential", "work", "damping", "dissipated", "ports", "port_loss"):
        assert np.array_equal(whole["ledger/" + name], sum(p["ledger/" + name] for p in parts.values()))
    energy = sum(whole["ledger/" + n] for n in ("kinetic", "strain", "potential", "scheme_energy", "ports", "damping", "dissipated", "port_loss"))
    energy -= whole["ledger/work"]
    assert np.abs(energy - energy[0]).max() < 1e-12  # J, of 20 J that are exchanged; measured 4e-14
    assert np.abs(whole["ledger/residual"]).max() < 1e-13
    assert np.array_equal(np.diff(energy), whole["ledger/residual"][1:]) or np.allclose(np.diff(energy), whole["ledger/residual"][1:], atol=1e-13)
    said = limber("report", "system.h5", "-o", "r.html", "--force")
    assert said.code == 0 and "pendulum.hinge" in pathlib.Path("r.html").read_text()
    assert limber("plot", "system.h5", "pendulum.hinge.angle", "wheel.hinge.angle", "-o", "p.svg", "--force").code == 0


def test_repeated_it_has_the_same_bits():
    couple(system(), "-o", "one.h5")
    couple(system(), "-o", "two.h5")
    assert same("one.h5", "two.h5") and same("one.wheel.h5", "two.wheel.h5")


def kill_during(words, path, number, rows=50):
    """Starts a command, and sends a signal to it once a participant has some rows."""
    going = subprocess.Popen(command(*words), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    end = time.time() + 60
    while time.time() < end and going.poll() is None:
        if pathlib.Path(path).exists():
            going.send_signal(number)
            break
        time.sleep(0.01)
    said = going.communicate(timeout=60)[1]
    return going.returncode, said


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_or_interrupted_it_continues_with_the_same_bits(number):
    long = SYSTEM.replace("end: 2 s", "end: 60 s")
    couple(system(long), "-o", "full.h5")
    for old in pathlib.Path().glob("cut.*"):
        old.unlink()
    code, said = kill_during(["couple", "system.yaml", "-q", "-o", "cut.h5", "--checkpoint", "0.02s"], "cut.wheel.before.checkpoint", number)
    assert code == (1 if number == signal.SIGINT else -number)
    if number == signal.SIGINT:
        assert re.search(r"interrupted at t = .* continues with: limber couple system.yaml --resume", said)
    done = limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume")
    assert done.code == 0, done.err
    for n in ("", ".pendulum", ".wheel"):
        assert same(f"full{n}.h5", f"cut{n}.h5")


def test_a_checkpoint_that_one_participant_wrote_and_the_other_did_not_is_not_used():
    couple(system(), "-o", "full.h5")
    couple(system(), "-o", "cut.h5", "--set", "run.end=1 s")
    # the first wrote its last checkpoint, the second was killed before: it has the one before
    os.replace("cut.wheel.before.checkpoint", "cut.wheel.checkpoint")
    done = limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume")
    assert done.code == 0, done.err
    assert same("full.wheel.h5", "cut.wheel.h5") and same("full.h5", "cut.h5")


def test_it_continues_to_a_later_end_and_refuses_another_system():
    couple(system(), "-o", "full.h5")
    couple(system(), "-o", "cut.h5", "--set", "run.end=1 s")
    said = limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume", "--set", "run.end=1 s")
    assert said.code == 2 and "give a later end with --set run.end" in said.err
    said = limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume", "--set", "wheel.joints.shaft.angle.stiffness=9")
    assert said.code and "does not match its system file" in said.err
    said = limber("resume", "cut.wheel.h5", "--end", "3s")
    assert said.code == 2 and "limber couple --resume continues" in said.err
    assert limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume").code == 0
    assert np.array_equal(columns("cut.h5")["pendulum.hinge/angle"], columns("full.h5")["pendulum.hinge/angle"])


def test_a_file_that_a_participant_includes_is_part_of_the_system():
    write("inertia.yaml", "limber: 1\nlet: {i: 1.5}\n")
    wheel = WHEEL.replace("limber: 1\n", "limber: 1\ninclude: inertia.yaml\n").replace("[1, 1.5, 1]", "[1, i, 1]")
    couple(system(wheel=wheel), "-o", "cut.h5", "--set", "run.end=0.1 s")
    write("inertia.yaml", "limber: 1\nlet: {i: 1.6}\n")
    said = limber("couple", "system.yaml", "-q", "-o", "cut.h5", "--resume")
    assert said.code and "does not match its system file" in said.err


def test_a_suspended_participant_does_not_stop_an_interrupt():
    going = subprocess.Popen(command("couple", system(SYSTEM.replace("end: 2 s", "end: 2000 s")), "-q", "--force", "-o", "held.h5"), env=environment(),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not pathlib.Path("held.wheel.h5").exists() and going.poll() is None:
        time.sleep(0.01)
    child = int(pathlib.Path(f"/proc/{going.pid}/task/{going.pid}/children").read_text().split()[1])
    os.kill(child, signal.SIGSTOP)
    time.sleep(0.3)
    going.send_signal(signal.SIGINT)
    said = going.communicate(timeout=30)[1]
    assert going.returncode == 1 and "continues with: limber couple" in said


# ---- what is wrong is named ----

MISTAKES = [
    ("pendulum.shaft, to", "pendulum.shft, to", "system.yaml:7:18: error: participant 'pendulum': it has no port 'shft'; did you mean 'shaft'?"),
    ("wheel.brake", "wheel.brak", "system.yaml:8:45: error: participant 'wheel': it has no function of the kind `signal` 'brak'; did you mean 'brake'?"),
    ("pendulum.hinge.rate", "pendulum.hinge.speed", "system.yaml:8:20: error: participant 'pendulum': it has no column of a probe and no signal 'hinge.speed'"),
    ("pendulum.hinge.rate", "pendulm.hinge.rate", "did you mean 'pendulum'?"),
    ("pendulum.hinge.rate", "pendulum", "'from' must be PARTICIPANT.NAME, not 'pendulum'"),
    ("  - wave: {from: pendulum.shaft, to: wheel.shaft}\n", "", "system.yaml:4:3: error: participant 'pendulum': its port 'shaft' has no connection"),
    ("to: wheel.shaft", "to: pendulum.shaft", "a line connects ports of two participants"),
    ("  - wave:", "  - rope:", "there is no kind of connection 'rope'; there are wave, signal"),
    ("pendulum.yaml", "nothing.yaml", "system.yaml:4:13: error: cannot read 'nothing.yaml'"),
    ("pendulum.yaml", "../pendulum.yaml", "system.yaml:4:13: error: cannot read '../pendulum.yaml'"),
    ("run: {step: 10 ms, end: 2 s}\n", "", "has no part `run` with equal steps"),
    ("step: 10 ms, ", "", "has no part `run` with equal steps"),
    ("step: 10 ms, ", "step: 10 ms, accuracy: 1 %, ", "system.yaml:9:20: error: 'accuracy' has no effect in a file with participants"),
    ("step: 10 ms, ", "momentum: exact, step: 10 ms, ", "system.yaml:9:7: error: 'momentum' has no effect in a file with participants: write it in "
     "the `run` of a participant's file, or use --set pendulum.run.momentum=..."),
    ("step: 10 ms, ", "scheme: preserving, step: 10 ms, ", "system.yaml:9:7: error: 'scheme' has no effect"),
    ("connections:", "probes: [{formula: t, name: a}]\nconnections:", "a file with participants has no elements, joints, loads, functions, control, ports, events or probes"),
    ("  wheel: {", f"  {'w' * 101}: {{", "system.yaml:5:3: error: the name 'wwww"),
    ("  pendulum: pendulum.yaml", "  run: pendulum.yaml", "system.yaml:4:3: error: 'run' is a part of this file"),
    ("  pendulum: pendulum.yaml", "\n".join(f"  p{i}: pendulum.yaml" for i in range(100)), "'participants' has 101 names; at most 100"),
    ("participants:", "nodes: {a: [0, 0, 0]}\nelements: [{mass: {node: a, mass: 1}}]\nparticipants:", "a file with participants has no elements"),
]


@pytest.mark.parametrize("old, new, words", MISTAKES)
def test_a_mistake_is_told_at_its_place(old, new, words):
    assert old in SYSTEM
    said = limber("couple", system(SYSTEM.replace(old, new, 1)), "-o", "wrong.h5")
    assert said.code == 2 and words in said.err
    assert not list(pathlib.Path().glob("wrong*"))


def test_models_that_do_not_fit_are_refused():
    said = limber("couple", system(wheel=WHEEL.replace("mass: 2}", "mass: 1}")), "-o", "wrong.h5")
    assert said.code == 2 and "both ends of a line need the same `mass` or `impedance`; here they are 2 and 1" in said.err
    said = limber("couple", system(wheel=WHEEL.replace("initial_rate: 2", "initial_rate: 1")), "-o", "wrong.h5")
    assert said.code == 2 and "start with different velocities, 2.0" in said.err and "opposite" not in said.err
    said = limber("couple", system(wheel=WHEEL.replace("initial_rate: 2", "initial_rate: -2")), "-o", "wrong.h5")
    assert said.code == 2 and "do they move in opposite directions (`opposite: true`)?" in said.err
    said = limber("couple", system(SYSTEM.replace("wheel.shaft}", "wheel.shaft, opposite: true}")), "-o", "wrong.h5")
    assert said.code == 2 and "do they move in the same direction (no `opposite: true`)?" in said.err
    said = limber("couple", system(pendulum=PENDULUM.replace("mass: 2}\nprobes", "mass: 9}\nprobes"), wheel=WHEEL.replace("mass: 2}", "mass: 9}")),
                  "-o", "wrong.h5")
    assert said.code == 2 and "limber couple: pendulum: " in said.err and "cannot lend half of a mass of 9" in said.err
    said = limber("couple", system(pendulum=PENDULUM.replace("mass: 2, inertia", "mas: 2, inertia")), "-o", "wrong.h5")
    assert said.code == 2 and "pendulum.yaml:4:29: error" in said.err and "participant 'pendulum': its model has errors" in said.err
    assert not list(pathlib.Path().glob("wrong*.h5"))


def test_other_commands_tell_of_systems():
    system()
    said = limber("run", "system.yaml")
    assert said.code == 2 and "limber couple system.yaml runs it" in said.err
    assert "2 participants, 2 connections" in limber("check", "system.yaml").out
    said = limber("couple", "pendulum.yaml")
    assert said.code == 2 and "has no part `participants`" in said.err
    said = limber("couple", "system.yaml", "--set", "whel.run.scheme=preserving")
    assert said.code == 2 and "begins with the name of a participant" in said.err


@pytest.mark.skipif("LIMBER_WITHOUT_MPI" in os.environ, reason="without MPI")
def test_it_is_not_started_by_mpiexec():
    system()
    said = limber("couple", "system.yaml", ranks=2)
    assert said.code == 2 and "call it without mpiexec" in said.err


def test_files_of_others_are_not_overwritten():
    system()
    write("kept.wheel.h5", "mine")
    said = limber("couple", "system.yaml", "-q", "-o", "kept.h5")
    assert said.code == 2 and "limber couple: wheel: 'kept.wheel.h5' is not a results file" in said.err
    assert pathlib.Path("kept.wheel.h5").read_text() == "mine" and not pathlib.Path("kept.h5").exists()
    write("old.wheel.before.checkpoint", "mine")
    said = limber("couple", "system.yaml", "-q", "-o", "old.h5")
    assert said.code == 2 and "limber couple: wheel: 'old.wheel.before.checkpoint' is not" in said.err
    assert pathlib.Path("old.wheel.before.checkpoint").read_text() == "mine" and not pathlib.Path("old.h5").exists()
    said = limber("couple", "system.yaml", "-q", "-o", "/dev/null")
    assert said.code == 2 and "give a name with -o" in said.err and not pathlib.Path("/dev/null.wheel.h5").exists()


def test_a_warning_about_the_system_is_printed_once_and_no_port_is_no_list():
    said = limber("couple", system(), "-q", "--force", "-o", "once.h5", "--set", "run.end=0.505 s")
    assert said.code == 0 and said.err.count("'end' is not a multiple of 'step'") == 1
    bare = PENDULUM.replace("ports:\n  - wave: {name: shaft, joint: shaft, mass: 2}\n", "")
    said = limber("couple", system(pendulum=bare), "-o", "wrong.h5")
    assert said.code == 2 and "participant 'pendulum': it has no port 'shaft'\n" in said.err


def test_a_participant_that_fails_is_named_and_the_others_stop():
    bad = WHEEL.replace("hold: -0.2*brake", 'hold: "-0.2*brake + 0/max(0, 0.5 - t)"')
    said = limber("couple", system(wheel=bad), "-q", "--force", "-o", "failed.h5")
    assert said.code == 1
    assert re.search(r"limber couple: wheel: .*'hold'", said.err, re.S) and "participant 'wheel' ended at t = 0.4" in said.err
    assert limber("report", "failed.h5", "-o", "f.html", "--force").code == 0
    with h5py.File("failed.h5") as f:
        assert 40 < len(f["history/time"]) <= 51


def test_a_participant_that_is_killed_is_named():
    long = SYSTEM.replace("end: 2 s", "end: 2000 s")
    going = subprocess.Popen(command("couple", system(long), "-q", "--force", "-o", "dead.h5", "--checkpoint", "0.02s"), env=environment(),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while not pathlib.Path("dead.wheel.before.checkpoint").exists() and going.poll() is None:
        time.sleep(0.01)
    children = pathlib.Path(f"/proc/{going.pid}/task/{going.pid}/children").read_text().split()
    os.kill(int(children[1]), signal.SIGKILL)
    said = going.communicate(timeout=60)[1]
    assert going.returncode == 1 and "participant 'wheel' ended at t = " in said and "was ended by signal 9" in said


# ---- FMUs ----

VALVE = """limber: 1
functions: {u: {signal: {value: 0}}}
control:
  valve: {fmu: {file: block.fmu, inputs: {u: u}, outputs: [y, x], parameters: {k: 2}}}
probes:
  - {name: force, formula: valve.1}
run: {step: 1 ms, end: 1 s}
"""


def write_fmu():
    needs("cc")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-DFMI=2", "-I", source / "src", "-o", "block.so", source / "tests/fmu/blocks/block.c", "-lm"],
                   check=True)
    with zipfile.ZipFile("block.fmu", "w") as z:
        z.write(source / "tests/fmu/blocks/modelDescription.xml", "modelDescription.xml")
        z.write("block.so", "binaries/linux64/block.so")


def test_an_fmu_is_a_participant_and_needs_permission():
    write_fmu()
    write("valve.yaml", VALVE)
    text = SYSTEM.replace("connections:", "  valve: valve.yaml\nconnections:").replace("to: wheel.brake}", "to: valve.u}\n  - signal: {from: valve.force, to: wheel.brake}")
    said = limber("couple", system(text), "-q", "-o", "fmu.h5", "--force")
    assert said.code == 2 and "--allow-library" in said.err
    couple("system.yaml", "-o", "fmu.h5", "--allow-library")
    couple("system.yaml", "-o", "half.h5", "--allow-library", "--set", "run.end=1 s")
    done = limber("couple", "system.yaml", "-q", "-o", "half.h5", "--resume", "--allow-library")
    assert done.code == 0, done.err
    a, b = columns("fmu.h5"), columns("half.h5")
    assert all(np.array_equal(a[k], b[k]) for k in ("valve.force/value", "wheel.hinge/angle"))
    # the input of a step is the rate at its beginning
    assert np.abs(a["valve.force/value"]).max() > 0


def test_the_whole_closes_where_a_participant_has_a_bond_to_an_fmu():
    write_fmu()
    bonded = (WHEEL.replace("nodes: {", "nodes: {block: {at: [0, 0, 0], velocity: [0.7, 0, 0]}, ")
              .replace("joints:\n", "  - rigid_body: {node: block, mass: 1, inertia: [1, 1, 1]}\njoints:\n"
                       "  - prismatic: {name: rail, nodes: [ground, block], axis: [1, 0, 0], slide: {stiffness: 10}}\n")
              .replace("control: {", "control: {spring: {fmu: {file: block.fmu, inputs: {flow: rail.rate}, outputs: [effort, x], "
                       "parameters: {k: 23, c: 1000, x: 0}}}, ")
              .replace("probes:\n", "  - bond: {name: link, joint: rail, fmu: spring, flow: flow, effort: effort, tolerance: 1 mJ}\n"
                       "probes:\n  - joint: rail\n"))
    system(wheel=bonded)
    said = limber("couple", "system.yaml", "-o", "bonded.h5", "--allow-library", "--force")
    assert said.code == 0, said.err
    ledger = {k[7:]: v for k, v in columns("bonded.h5").items() if k.startswith("ledger/")}
    assert max(abs(ledger["residual"])) < 1e-12 * ledger["exchanged"][-1]  # 6e-15
    assert max(abs(ledger["exchange"])) < 1e-3
    fmus = ledger["port_work"][-1] - (ledger["ports"][-1] - ledger["ports"][0]) - ledger["port_loss"][-1]
    assert fmus > 0.01 and f"work to FMUs {fmus:.6g} J, created by the exchange {ledger['exchange'][-1]:.2g} J" in said.out  # J
