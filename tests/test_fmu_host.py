# SPDX-License-Identifier: Apache-2.0
"""FMUs of others in Python and C: limber.FMU and limber/fmu.h, with the small FMUs of the tests of control blocks."""
import os
import pathlib
import subprocess
import sys

import pytest

from support import environment, left_in, needs, program, sanitizer, source
from test_fmu_block import BOTH, compile_blocks
from test_fmu_block import pack as pack_block
from test_fmu_exchange import compile_models
from test_fmu_exchange import pack as pack_model

BUILD = pathlib.Path(os.environ.get("LIMBER_BUILD") or pathlib.Path(program).parent.parent)


@pytest.fixture(scope="module", autouse=True)
def binaries(folder):
    needs("cc")
    compile_blocks(), compile_models()


def python(text, **more):
    done = subprocess.run([sys.executable, "-c", "import limber, math, numpy as np\n" + text], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment(PYTHONPATH=BUILD / "python", **sanitizer(), **more))
    assert done.returncode == 0, done.stdout
    return done.stdout


DESCRIBE = """
f = limber.FMU("block.fmu")
d = f.description
assert (d.name, d.co_simulation, d.model_exchange, d.interface, d.can_save, d.stop) == ("block", True, False, "co_simulation", True, None), d
assert list(f.inputs) == ["u"] and list(f.outputs) == ["y", "x"] and list(f.parameters) == ["k", "fault"]
assert f.inputs["u"].unit == "mm" and f.outputs["y"].unit == "N" and f.parameters["k"].start == 4 and f.outputs["y"].start is None
assert f.parameters["fault"].type == "Int32" and not f.outputs["y"].settable and f.outputs["x"].settable
assert f.time is None and repr(f) == f"FMU('block.fmu'): block, FMI {d.version}.0, co-simulation, 1 inputs, 2 outputs, 2 parameters"
for call, words in ((f.start, "needs allow_library"), (lambda: f.do_step(1), "was not started"), (f.save, "was not started"), (lambda: f.get("x"), "was not started"),
                    (lambda: f.set(y=1), "'y' cannot be set"), (lambda: f.set(u=math.nan), "no finite number"), (lambda: f.simulate(), "give one"),
                    (lambda: limber.FMU("block.fmu", interface="model_exchange"), "is not made for model exchange"),
                    (lambda: limber.FMU("none.fmu"), "cannot read 'none.fmu'"), (lambda: limber.FMU("block.so"), "cannot use 'block.so'")):
    try:
        call()
    except limber.Error as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
try:
    f.set(nothing=1)
except KeyError as error:
    assert "no variable 'nothing'" in str(error)
"""


@BOTH
def test_it_is_described_without_being_loaded(version, tmp_path):
    pack_block("block.fmu", version, units=True)
    pathlib.Path("block.so").write_bytes(pathlib.Path("block3.so").read_bytes())
    python(DESCRIBE, TMPDIR=tmp_path)
    assert left_in(tmp_path) == []


STEPS = """
f = limber.FMU("block.fmu", allow_library=True)
f.set({"k": 900, "x": 0.5}, u=3)
f.start(1.0)
assert f["y"] == 2700 and f["x"] == 0.5 and f.time == 1
f["u"] = 0
assert f["y"] == 0                                      # at once
for i in range(10):
    f.do_step(0.01)
assert abs(f["x"] - 0.5*math.cos(3)) < 1e-14 and abs(f.time - 1.1) < 1e-12
state, x = f.save(), f["x"]
f.set(u=5)
f.do_step(0.02)
end = f["x"], f["y"], f.time
f.restore(state)
assert f["x"] == x and f["y"] == 0 and abs(f.time - 1.1) < 1e-12
f.set(u=5)
f.do_step(0.02)
assert (f["x"], f["y"], f.time) == end
g = limber.FMU("block.fmu", allow_library=True).start(1.0)
g.restore(state)
g["u"] = 5
g.do_step(0.02)
assert (g["x"], g["y"], g.time) == end                  # in another instance
for call, words in ((lambda: f.set(k=1), "before the start only"), (lambda: f.start(), "was started before"), (lambda: f.do_step(-1), "a step of -1 s"),
                    (lambda: f.restore(b"x" * 100), "100 bytes are no state"), (lambda: f.restore(state[:-1]), "are no state")):
    try:
        call()
    except limber.Error as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)
f.close()
with limber.FMU("block.fmu", allow_library=True) as h:
    h.set(fault=3)
    h.start()
    try:
        h.do_step(1)
    except limber.Error as error:
        assert 'DoStep returned "discard" at t = 0 s: the step is too long' in str(error), error
    else:
        raise AssertionError("the status was not seen")
"""


@BOTH
def test_it_takes_steps_and_goes_back_to_a_saved_state(version, tmp_path):
    pack_block("block.fmu", version)
    python(STEPS, TMPDIR=tmp_path)
    assert left_in(tmp_path) == []


SIMULATE = """
f = limber.FMU("model.fmu", allow_library=True, tolerance=1e-9)
assert f.description.interface == "model_exchange" and f.description.tolerance == 1e-3
r = f.simulate(2, 0.05, values={"u": lambda t: 2.0*(t > 0.999), "k": 100, "n": 3}, outputs=["l", "x", "count", "square"])
t = r["time"]
assert len(t) == 41 and t[-1] == 2
assert abs(r["x"] - np.cos(10*t)).max() < 1e-7, abs(r["x"] - np.cos(10*t)).max()  # measured: 3e-9
assert abs(r["l"] - np.where(t > 1, 2*(1 - np.exp(-10*(t - 1))), 0)).max() < 1e-7
assert (r["count"] == np.floor(10*t + 1e-9)).all() and (r["square"] == 9).all()
assert f.time is None
a, b = f.simulate(1), f.simulate(1)
assert all((a[k] == b[k]).all() for k in a) and set(a) == {"time", *f.outputs}
g = limber.FMU("model.fmu", allow_library=True).start()
g.do_step(0.43)
state = g.save()
g.do_step(0.3)
end = [g[k] for k in g.outputs]
g.restore(state)
g.do_step(0.3)
assert [g[k] for k in g.outputs] == end
"""


@BOTH
def test_it_is_simulated(version):
    pack_model(version, tolerance=1e-3)
    python(SIMULATE)


C = r"""
#include <limber/limber.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#define DO(call) if (call) return fprintf(stderr, "%s\n", limber_error()), 1
#define FAILS(call, words) if (!(call) || !strstr(limber_error(), words)) return fprintf(stderr, "%s: %s\n", #call, limber_error()), 2
int main(void) {
  LimberFmu fmu = NULL, none;
  LimberFmuOptions o = limber_fmu_options_default(), bad = {0};
  LimberFmuDescription d;
  LimberFmuVariable v;
  void *state = NULL;
  size_t size;
  double x, again;
  limber_error_print(false);
  FAILS(LimberFmuOpen(NULL, NULL, &none), "NULL for path");
  FAILS(LimberFmuOpen("block.fmu", NULL, NULL), "NULL for fmu");
  FAILS(LimberFmuOpen("block.fmu", &bad, &none), "did not make");
  bad = o, bad.interface = 7;
  FAILS(LimberFmuOpen("block.fmu", &bad, &none), "no interface 7");
  bad = o, bad.tolerance = -1;
  FAILS(LimberFmuOpen("block.fmu", &bad, &none), "tolerance");
  FAILS(LimberFmuOpen("nothing.fmu", &o, &none), "cannot read");
  o.allow_library = true;
  DO(LimberFmuOpen("block.fmu", &o, &fmu));
  DO(LimberFmuGetDescription(fmu, &d));
  FAILS(LimberFmuGetVariable(fmu, d.variables, &v), "there is no variable");
  FAILS(LimberFmuGetVariable(fmu, -1, &v), "there is no variable");
  FAILS(LimberFmuStep(fmu, 1), "was not started");
  FAILS(LimberFmuSet(fmu, limber_fmu_find(fmu, "none"), 1), "there is no variable -1");
  DO(LimberFmuSet(fmu, limber_fmu_find(fmu, "k"), 100));
  FAILS(LimberFmuStart(fmu, INFINITY), "no finite number");
  DO(LimberFmuStart(fmu, 0));
  DO(LimberFmuStep(fmu, 0.1));
  DO(LimberFmuSave(fmu, &state, &size));
  DO(LimberFmuStep(fmu, 0.1));
  DO(LimberFmuGet(fmu, limber_fmu_find(fmu, "x"), &x));
  DO(LimberFmuRestore(fmu, state, size));
  DO(LimberFmuSave(fmu, &state, &size));
  FAILS(LimberFmuRestore(fmu, state, 3), "3 bytes are no state");
  FAILS(LimberFmuGet(fmu, 0, NULL), "NULL");
  DO(LimberFmuStep(fmu, 0.1));
  DO(LimberFmuGet(fmu, limber_fmu_find(fmu, "x"), &again));
  limber_state_free(&state);
  printf("%s ", d.name);
  DO(LimberFmuClose(&fmu));
  DO(LimberFmuClose(&fmu));
  LimberCoupleOptions c = limber_couple_options_default(), wrong = {0};
  const char *change[] = {"run.end=0.2 s"};
  FAILS(LimberCouple(NULL, "c.h5", NULL), "NULL for system");
  FAILS(LimberCouple("system.yaml", "c.h5", &wrong), "did not make");
  c.changes = 1;
  FAILS(LimberCouple("system.yaml", "c.h5", &c), "1 changes");
  c.change = change;
  FAILS(LimberCouple("none.yaml", "c.h5", &c), "did not run to its end");
  DO(LimberCouple("system.yaml", "c.h5", &c));
  c.changes = 0, c.resume = true;
  DO(LimberCouple("system.yaml", "c.h5", &c));
  LimberHistory h;
  DO(LimberHistoryOpen("c.h5", &h));
  printf("%d %.15f %d %d\n", fmu == NULL, x, x == again, limber_history_rows(h));
  return LimberHistoryClose(&h);
}
"""


def test_c_programs_run_fmus_and_systems():
    from test_couple import system
    pack_block("block.fmu", 3)
    system()
    pathlib.Path("host.c").write_text(C)
    found = subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "-I", source / "include", "-I", BUILD / "include", "host.c", "-o", "host", "-L", BUILD,
                            "-L", BUILD / "lib", f"-Wl,-rpath,{BUILD}:{BUILD}/lib", "-llimber", "-lm"], text=True, capture_output=True)
    assert found.returncode == 0, found.stderr
    done = subprocess.run(["./host"], text=True, capture_output=True, env=environment(**sanitizer()), timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["block", "1", "-0.416146836547142", "1", "201"]  # cos 2
