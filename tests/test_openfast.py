# SPDX-License-Identifier: Apache-2.0
"""The comparison with OpenFAST: docs/openfast.md shows what the files in benchmarks/results say, and its model works. OpenFAST itself is
not run here; a small library with the functions of AeroDyn is its air (tests/models/aerodynamics/air.c)."""
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys

import numpy as np
import pytest
from support import h5, limber, models, run, source, write

sys.path.insert(0, str(source / "benchmarks/openfast"))
import compare  # noqa: E402 (after the line above)
import compare_iea  # noqa: E402

PAGE = (source / "docs/openfast.md").read_text()


@pytest.mark.parametrize(("script", "name"), [(s, name) for s in (compare, compare_iea) for name in sorted(s.tables())],
                         ids=lambda x: getattr(x, "__name__", x))
def test_page_shows_the_tables(script, name):
    assert script.tables()[name] in PAGE, f"benchmarks/openfast/{script.__name__}.py prints the table {name!r}"


@pytest.mark.parametrize("table", ["openfast_steps.csv", "openfast_iea_steps.csv"])
def test_energy_balance(table):
    residuals = [float(r["energy balance"]) for r in compare.rows_of(table) if r["program"] == "Limber"]
    assert residuals and max(residuals) < 1e-12


# ---- what the comparison computes ----

def test_equivalent_load():
    """Cycles of one range, the example of ASTM E1049-85 (figure 6), and a signal that ends where it began."""
    swing = [math.cos(math.pi * k) for k in range(21)]  # 10 cycles of range 2
    assert compare.equivalent(swing, 10, 4) == pytest.approx(2, rel=1e-12)
    ranges = {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}  # of the standard
    damage = sum(n * s**3 for s, n in ranges.items())
    assert compare.equivalent([-2, 1, -3, 5, -1, 3, -4, 4, -2], 1, 3) == pytest.approx(damage**(1 / 3), rel=1e-12)
    assert compare.equivalent([0, 0.5, 1, 1, 0.25, 0], 1, 2) == pytest.approx(1, rel=1e-12)  # points between the turns do not count


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_openfast_file(kind):
    """All four kinds of binary files."""
    random.seed(kind)
    values = np.array([[random.uniform(-1, 1) for _ in range(3)] for _ in range(50)])
    scale, offset = np.float32([1e4, 2e4, 3e4]), np.float32([10, -20, 30])
    width = 14 if kind == 4 else 10
    names = b"".join(x.encode().ljust(width) for x in ("Time", "One", "Two", "Three", "(s)", "(-)", "(-)", "(-)"))
    data = struct.pack("<h", kind) + (struct.pack("<h", width) if kind == 4 else b"") + struct.pack("<2i", 3, 50)
    data += struct.pack("<2d", *((1e6, 0) if kind == 1 else (0, 0.025)))
    data += b"" if kind == 3 else scale.tobytes() + offset.tobytes()
    data += struct.pack("<i", 4) + b"text" + names
    data += struct.pack("<50i", *(25000 * k for k in range(50))) if kind == 1 else b""
    data += values.tobytes() if kind == 3 else np.int16(np.rint(values * scale + offset)).tobytes()
    (path := pathlib.Path("run.outb")).write_bytes(data)
    found = compare.read_openfast(path)
    assert list(found) == ["time", "One", "Two", "Three"]
    assert np.allclose(found["time"], 0.025 * np.arange(50), atol=1e-12)
    assert np.allclose(np.transpose([found[n] for n in ("One", "Two", "Three")]), values, atol=1e-12 if kind == 3 else 6e-5)


# ---- the model ----

def air_of_tilt(angle):
    """Writes air.c for a shaft that is not level."""
    level = "fabs(hub_axes[0] - 1) > 1e-12"
    air = (models / "aerodynamics/air.c").read_text()
    assert level in air
    write("air.c", air.replace(level, f"fabs(hub_axes[0] - {math.cos(math.radians(angle))!r}) > 1e-7"))


@pytest.fixture(scope="module")
def turbine():
    """The model with the blades and the tower that the examples have, a small library as its air and a small controller."""
    for file in (source / "examples/rotor_5mw").glob("NREL*"):
        shutil.copy(file, ".")
    shutil.copy("NRELOffshrBsline5MW_Onshore_ElastoDyn.dat", "ElastoDyn.dat")
    shutil.copy(source / "benchmarks/openfast/turbine.yaml", ".")
    write("AeroDyn.dat", "20 slope\n0 moment\n0 lag\nnone fault\n0 when\n")
    write("InflowWind.dat", "12 speed\n")
    write("DISCON.IN", "")
    write("discon.c", """#include <stdio.h>
// a pitch that grows by 1 deg/s, and the torque of a constant power of 5.3 MW
void DISCON(float *swap, int *fail, char *in, char *out, char *message) {
  *fail = swap[60] == 3 ? 0 : -1;
  swap[44] = 0.0174533f * swap[1];
  swap[46] = 5.3e6f / swap[19];
}
""")
    air_of_tilt(5)
    for out, code in (("DISCON.so", "discon.c"), ("libaerodyn_inflow_c_binding.so", "air.c")):
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", out, code, "-lm"], check=True)
    return "turbine.yaml"


def test_model_is_checked(turbine):
    said = limber("check", turbine)
    assert said.code == 0 and "no errors" in said.out


def test_model_runs(turbine):
    """Half a second: the rotor turns, the pitch follows the controller one step later, and the balance closes."""
    run(turbine, "short.h5", "--allow-library", "--set", "run.end=0.5")
    found = compare.limber_runs(pathlib.Path("short.h5"))
    assert found["balance"] < 1e-12
    assert found["time"][-1] == pytest.approx(0.5) and len(found["time"]) == 81
    assert found["speed of the generator"][0] == pytest.approx(12.1 * 97, rel=1e-6)
    assert found["pitch"][-1] == pytest.approx(0.5 - 0.00625, rel=1e-5)  # deg; the controller has the time of its last call
    with h5("short.h5") as f:
        power = f["history/probes/power"]
        assert np.allclose(np.ravel(power[next(iter(power))])[1:], 0.944 * 5.3e6, rtol=2e-3)  # torque of the last call times speed
    assert found["blade tip, flap"][-1] > 0.05  # m: downwind
    assert found["tower base, fore-aft"][-1] > 0


# ---- the models of IEA's turbines, with the blades of NREL's turbine that the examples have ----

@pytest.fixture(scope="module")
def iea():
    for file in (source / "examples/nrel_5mw_blade").glob("NREL*"):
        shutil.copy(file, ".")
    shutil.copy("NRELOffshrBsline5MW_BeamDyn.dat", "BeamDyn.dat")
    for file in (source / "benchmarks/openfast").glob("iea*.yaml"):
        shutil.copy(file, ".")
    write("AeroDyn.dat", "20 slope\n0 moment\n0 lag\nnone fault\n0 when\n")
    write("InflowWind.dat", "11 speed\n")
    air_of_tilt(6)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", "libaerodyn_inflow_c_binding.so", "air.c", "-lm"], check=True)


@pytest.mark.parametrize("name", ["iea15", "iea22", "iea22_steady"])
def test_iea_model_is_checked(iea, name):
    said = limber("check", name + ".yaml")
    assert said.code == 0 and "no errors" in said.out


@pytest.mark.parametrize("name", ["iea15", "iea22"])
def test_iea_model_runs(iea, name):
    """The rotor turns at its speed, the blades bend downwind, and the balance closes."""
    run(name + ".yaml", "short.h5", "--allow-library", "--set", "run.end=0.1", "--set", "let.n=10")
    found = compare_iea.limber_run(pathlib.Path("short.h5"))
    assert found["balance"] < 1e-12
    with h5("short.h5") as f:
        assert f["history/probes/shaft/angle"][-1] == pytest.approx(0.1 * compare_iea.SPEED[name] * math.pi / 30, rel=1e-6)
    assert found["blade tip, flap"][-1] > 0.01
    assert found["power of the air"][-1] != 0


def test_openfast_text_file():
    """Names, units, and the rotation of the tip from Wiener-Milenkovic parameters."""
    columns = ["Time", *dict.fromkeys(c[2] for c in compare_iea.CHANNELS), "B1TipRDxr", "B1TipRDyr"]
    angle = [0.3, -0.4, 1.2]  # rad, a rotation of 1.3
    size = math.hypot(*angle)
    row = {c: 1 for c in columns} | {f"B1TipRD{x}r": 4 * math.tan(size / 4) * a / size for x, a in zip("xyz", angle)}
    text = ["", "Predictions", "\t".join(columns), "\t".join("(-)" for _ in columns), *("\t".join(str(row[c]) for c in columns) for _ in range(2))]
    write("run.out", "\n".join(text) + "\n")
    found = compare_iea.openfast_run(pathlib.Path("run.out"))
    assert found["blade tip, twist"] == pytest.approx([math.degrees(1.2)] * 2)
    assert found["power of the air"] == [1e-6, 1e-6]
