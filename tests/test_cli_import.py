# SPDX-License-Identifier: Apache-2.0
"""Blade files of other programs: `limber import`, and beams and sections `from_file` in models."""
import math
import os
import re

import numpy as np
import pytest

from support import count, h5, limber, write


def turned(angle):
    """Strains in axes that are turned about z by an angle, from strains in the axes before: order x, y, z, about x, y, z."""
    c, s = math.cos(angle), math.sin(angle)
    one = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    return np.kron(np.eye(2), one)


def section(at):
    """Stiffness and mass of a swept box with couplings, about an axis off its centres; smaller towards the tip."""
    size = 1 - 0.6 * at
    k = np.diag([2e8, 4e8, 3e9, 6e9, 1e9, 3e8]) * size
    k[3, 5] = k[5, 3] = -1.5e8 * size
    k[0, 5] = k[5, 0] = -2e7 * size
    k[2, 3], k[2, 4] = 6e8 * size, -1e8 * size
    k[3, 2], k[4, 2] = k[2, 3], k[2, 4]
    m, x, y = 300 * size, 0.05, 0.3
    mass = np.diag([m, m, m, 150 * size, 40 * size, 190 * size])
    mass[0, 5] = mass[5, 0] = -m * y
    mass[1, 5] = mass[5, 1] = m * x
    mass[2, 3] = mass[3, 2] = m * y
    mass[2, 4] = mass[4, 2] = -m * x
    mass[3, 4] = mass[4, 3] = -m * x * y
    return k, mass


places = np.linspace(0, 1, 6)
points = [(-2 * u**2, 0.8 * u**3, 30 * u, 14 * (1 - u) ** 2) for u in np.linspace(0, 1, 9)]


def beamdyn(name, angle=0.0, mirror=False, straight=False, mu="0.001 0.001 0.001 0.001 0.001 0.001", asymmetry=0.0):
    """A blade as files of BeamDyn; section axes turned by an angle about z, or all mirrored at the plane of x and z."""
    sign, off = -1 if mirror else 1, 0 if straight else 1
    rows = "\n".join(f" {off * x:.17g} {sign * off * y:.17g} {z:.17g} {sign * (twist - math.degrees(angle)):.17g}" for x, y, z, twist in points)
    write(name + ".dat", f"""--------- BEAMDYN with OpenFAST INPUT FILE -----------
a blade of tests
---------------------- GEOMETRY PARAMETER --------------------------------------
     1   member_total    - Total number of members (-)
     {len(points)}   kp_total        - Total number of key points (-)
     1     {len(points)}             - Member number; Number of key points in this member
\t\t kp_xr \t\t kp_yr \t\t kp_zr \t\t initial_twist
\t\t  (m)  \t\t  (m)  \t\t  (m)  \t\t   (deg)
{rows}
---------------------- MATERIAL PARAMETER --------------------------------------
"{name}_blade.dat"    BldFile - Name of file containing properties for blade (quoted string)
""")
    flip = np.diag([1, -1, 1, -1, 1, -1]) if mirror else np.eye(6)
    text = f""" ------- BEAMDYN INDIVIDUAL BLADE INPUT FILE --------------------------
of tests
 ---------------------- BLADE PARAMETERS --------------------------------------
{len(places)}   station_total    - Number of blade input stations (-)
 1   damp_type        - Damping type: 0: no damping; 1: damped
  ---------------------- DAMPING COEFFICIENT------------------------------------
   mu1        mu2        mu3        mu4        mu5        mu6
   (-)        (-)        (-)        (-)        (-)        (-)
 {mu}
 ---------------------- DISTRIBUTED PROPERTIES---------------------------------
"""
    for at in places:
        text += f" {at:.17g}\n"
        for matrix in section(at):
            t = turned(angle)
            matrix = flip @ t @ matrix @ t.T @ flip
            matrix[0, 1] += asymmetry * matrix[1, 1]
            text += "\n".join(" ".join(f"{v:.17g}" for v in row) for row in matrix) + "\n\n"
    write(name + "_blade.dat", text)
    return name + ".dat"


def model(name, file, more="", beam=""):
    return write(name, f"""limber: 1
nodes: {{root: [1, 2, 3]}}
elements:
  - beam: {{name: blade, from: root, elements: 12, {beam}from_file: {{{file}{more}}}}}
joints:
  - weld: {{nodes: [ground, root]}}
modes: {{count: 6}}
""")


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    beamdyn("blade")
    model("blade.yaml", "beamdyn: blade.dat")


def modes(file, ranks=1):
    said = limber("modes", file, "--force", "-o", "modes.h5", ranks=ranks)
    assert said.code == 0, said.err
    with h5("modes.h5") as f:
        return f["history/mode/frequency"][:], f["history/mode/effective_mass"][:]


# ---- import ----

def test_a_written_model_reads_back_to_the_same_matrices():
    assert limber("import", "blade.dat", "-o", "written.yaml").code == 0
    import yaml
    with open("written.yaml") as f:
        made = yaml.safe_load(f)
    order = [2, 0, 1, 5, 3, 4]
    stations = made["sections"]["blade"]
    assert [s["at"] for s in stations] == list(places)
    for s in stations:
        k, m = section(s["at"])
        k = 0.5 * (k + k.T)
        assert np.array_equal(np.array(s["stiffness"], float), k[np.ix_(order, order)])
        assert np.array_equal(np.array(s["inertia"], float), m[np.ix_(order, order)][3:, 3:])
        assert float(s["mass"]) == m[0, 0]


def test_a_written_model_has_the_modes_of_the_file(measured):
    limber("import", "blade.dat", "-o", "imported.yaml")
    text = re.sub(r"elements: \d+", "elements: 12", open("imported.yaml").read()).replace("count: 10", "count: 6")
    write("imported.yaml", text)
    off = np.max(np.abs(modes("imported.yaml")[0] / modes("blade.yaml")[0] - 1))
    measured(f"frequencies differ by {off:.1e}")
    assert off < 1e-9


def test_a_model_goes_to_stdout_without_a_file():
    said = limber("import", "blade.dat")
    assert said.code == 0 and said.out.startswith("# From blade.dat (BeamDyn (OpenFAST)), written by limber import.")


def test_files_of_others_are_not_overwritten():
    write("mine.yaml", "mine\n")
    for name in ("mine.yaml", "blade.dat"):
        said = limber("import", "blade.dat", "-o", name)
        assert said.code == 2 and name in said.err, said.err
    assert open("mine.yaml").read() == "mine\n"
    assert limber("import", "blade.dat", "-o", "mine.yaml", "--force").code == 0


def test_formats_are_listed_and_unknown_ones_refused():
    assert [line.split()[0] for line in limber("import", "--list").lines] == ["beamdyn", "windio", "hawc2", "vabs", "elastodyn", "urdf"]
    assert limber("import", "blade.dat", "--format", "flex").complaints == [
        "limber import: there is no format 'flex'; there are beamdyn, windio, hawc2, vabs, elastodyn, urdf"]


def test_mistakes_have_file_line_and_column():
    write("broken.dat", open("blade.dat").read().replace("member_total", "members"))
    said = limber("import", "broken.dat")
    assert said.code == 2 and said.err.startswith("broken.dat:")
    write("other.dat", open("blade.dat").read().replace("blade_blade.dat", "none.dat"))
    said = limber("import", "other.dat")
    assert said.code == 2
    assert said.complaints[0] == "other.dat:19:1: error: cannot read 'none.dat': No such file or directory"
    assert limber("import", "none.dat").complaints[0] == \
        "none.dat:1:1: error: cannot read 'none.dat': No such file or directory"


# ---- from_file ----

def test_axes_of_the_sections_may_be_turned_by_any_angle(measured):
    """On a straight axis: on a curved one twist is measured about the root's z, and adds to no turn about the tangent."""
    beamdyn("turned", straight=True)
    expected, _ = modes(model("turned.yaml", "beamdyn: turned.dat"))
    worst = 0
    for angle in (0.3, 1.1, -2.4):
        beamdyn("turned", angle, straight=True)
        found, _ = modes(model("turned.yaml", "beamdyn: turned.dat"))
        worst = max(worst, np.max(np.abs(found / expected - 1)))
    measured(f"frequencies differ by {worst:.1e}")
    assert worst < 1e-9


def test_a_mirrored_blade_has_mirrored_modes(measured):
    expected, mass = modes("blade.yaml")
    beamdyn("mirrored", mirror=True)
    found, other = modes(model("mirrored.yaml", "beamdyn: mirrored.dat"))
    worst = np.max(np.abs(found / expected - 1))
    measured(f"frequencies differ by {worst:.1e}")
    assert worst < 1e-9
    assert np.allclose(other[:, :3], mass[:, :3], rtol=0, atol=1e-6 * mass[:, :3].max())


def test_a_blade_may_stand_in_any_direction(measured):
    expected, mass = modes("blade.yaml")
    found, other = modes(model("aside.yaml", "beamdyn: blade.dat", ", axis: [0, 2, 0], up: [0, 0.3, 1]"))
    measured(f"frequencies differ by {np.max(np.abs(found / expected - 1)):.1e}")
    assert np.allclose(found, expected, rtol=1e-9, atol=0)
    assert np.allclose(other[:, [2, 0, 1]], mass[:, :3], rtol=0, atol=1e-6 * mass.max())


def test_two_ranks_have_the_modes_of_one():
    assert np.allclose(modes("blade.yaml", ranks=2)[0], modes("blade.yaml")[0], rtol=1e-10, atol=0)


def test_the_tip_is_a_node_of_the_beam():
    text = open("blade.yaml").read() + "probes:\n  - {name: tip, node: blade.end, record: position}\n"
    text += "run: {step: 1 ms, end: 1 ms}\n"
    write("tip.yaml", text)
    assert limber("run", "tip.yaml", "-q", "-o", "tip.h5").code == 0
    row = limber("export", "tip.h5", "tip.x", "tip.y", "tip.z", "--to", "0").lines[-1].split(",")
    assert np.allclose([float(x) for x in row[1:]], [1 - 2, 2 + 0.8, 3 + 30], rtol=0, atol=1e-12)


def test_a_beam_may_end_at_a_node_where_its_file_ends():
    text = open("blade.yaml").read().replace("from: root", "from: root, to: tip")
    write("ends.yaml", text.replace("root: [1, 2, 3]", "root: [1, 2, 3], tip: [-1, 2.8, 33]"))
    assert limber("check", "ends.yaml").code == 0
    write("ends.yaml", text.replace("root: [1, 2, 3]", "root: [1, 2, 3], tip: [-1, 2.8, 34]"))
    assert "the line through stations ends at [-1, 2.8, 33], 1 m away from its `to`" in limber("check", "ends.yaml").err


def test_the_damping_of_the_file_is_that_of_the_beam_unless_it_has_its_own():
    def damping(file):
        said = limber("modes", file, "--force", "-o", "modes.h5")
        with h5("modes.h5") as f:
            return f["history/mode/damping"][0] / (math.pi * f["history/mode/frequency"][0]), said.err
    assert np.isclose(damping("blade.yaml")[0], 0.001, rtol=1e-3)
    assert np.isclose(damping(model("own.yaml", "beamdyn: blade.dat", beam="damping: 0.003, "))[0], 0.003, rtol=1e-3)
    beamdyn("uneven", mu="0.001 0.002 0.003 0.004 0.005 0.006")
    found, said = damping(model("uneven.yaml", "beamdyn: uneven.dat"))
    assert np.isclose(found, 0.005, rtol=0.03)  # measured: 0.00489, flapwise bending with some shear of 0.001 and 0.002
    assert "damp" not in said
    assert limber("import", "uneven.dat", "-o", "uneven_own.yaml", "--force").code == 0
    assert "strain_damping: [0.003, 0.001, 0.002, 0.006, 0.004, 0.005]" in open("uneven_own.yaml").read()


def test_a_matrix_that_is_not_symmetric_is_told_and_round_off_is_not():
    beamdyn("skew", asymmetry=1e-12)
    assert limber("check", model("skew.yaml", "beamdyn: skew.dat")).err == ""
    beamdyn("skew", asymmetry=1e-3)
    said = limber("check", "skew.yaml")
    assert said.code == 0
    assert "the stiffness at 0 of the length is not symmetric, by 0.0014 of its diagonal; its symmetric part is used" in said.err


def test_fields_that_follow_from_the_file_are_refused():
    said = limber("check", model("twice.yaml", "beamdyn: blade.dat", beam="twist: 0.1, "))
    assert said.code == 2 and "'twist' follows from the file of 'from_file': give one or the other" in said.err
    said = limber("check", model("both.yaml", "beamdyn: blade.dat, windio: a.yaml"))
    assert said.code == 2 and "'from_file' takes one file" in said.err
    said = limber("check", model("none.yaml", "part: tower"))
    assert said.code == 2 and "'from_file' needs a file: one of beamdyn, windio, hawc2, vabs, elastodyn" in said.err
    said = limber("check", model("only.yaml", "beamdyn: blade_blade.dat"))
    assert said.code == 2 and "has sections and no axis" in said.err
    said = limber("check", model("along.yaml", "beamdyn: blade.dat", ", axis: [1, 0, 0]"))
    assert said.code == 2 and "'up' of 'from_file' is along its 'axis'" in said.err


def test_mistakes_of_the_blade_file_are_told_where_the_model_names_it():
    write("bad.dat", open("blade.dat").read().replace('"blade_blade.dat"', '"bad_blade.dat"'))
    write("bad_blade.dat", open("blade_blade.dat").read().replace("damp_type", "damping"))
    said = limber("check", model("bad.yaml", "beamdyn: bad.dat"))
    assert said.code == 2
    assert said.complaints[0].startswith("bad.yaml:4:72: error: line 101 ") and "of 'bad_blade.dat': the file has no line 'damp_type'" in said.err
    write("bad_blade.dat", open("blade_blade.dat").read().replace("200000000", "-200000000", 1))
    assert "the stiffness at 0 of the length is not positive definite" in limber("check", "bad.yaml").err


def test_files_outside_of_the_folder_of_the_model_are_refused():
    os.makedirs("inner", exist_ok=True)
    model("inner/model.yaml", "beamdyn: ../blade.dat")
    assert "it is not below the folder of the model" in limber("check", "inner/model.yaml").err
    assert limber("check", "inner/model.yaml", "--allow-outside").code == 0


def test_names_of_files_are_relative_to_the_file_that_has_them():
    os.makedirs("parts/data", exist_ok=True)
    for name in ("blade.dat", "blade_blade.dat"):
        os.replace(write("copy", open(name).read()), "parts/data/" + name)
    text = open("blade.yaml").read().replace("blade.dat", "data/blade.dat")
    body = text.split("elements:\n", 1)[1].split("joints:", 1)[0]
    write("parts/blade.yaml", "limber: 1\nelements:\n" + body)
    write("whole.yaml", text.replace(body, "").replace("elements:\n", "include: parts/blade.yaml\n"))
    assert limber("check", "whole.yaml").code == 0, limber("check", "whole.yaml").err


def test_a_resumed_run_needs_no_blade_file():
    for name in ("blade.dat", "blade_blade.dat"):
        write(name.replace("blade", "away", 1), open(name).read().replace("blade_blade", "away_blade"))
    model("away.yaml", "beamdyn: away.dat")
    with open("away.yaml", "a") as f:
        f.write("loads:\n  - gravity: {acceleration: [0, 0, -9.81]}\nrun: {step: 10 ms, end: 50 ms}\n")
    assert limber("run", "away.yaml", "-q", "-o", "whole.h5", "--set", "run.end=100 ms").code == 0
    assert limber("run", "away.yaml", "-q", "-o", "part.h5").code == 0
    os.remove("away_blade.dat")
    assert limber("resume", "part.h5", "-q", "--end", "100ms").code == 0
    assert "bit-for-bit identical" in limber("compare", "whole.h5", "part.h5").out


# ---- sections ----

vabs = """ The 6X6 Mass Matrix
 ========================================================

   200  0  0  0  10  -20
   0  200  0  -10  0  0
   0  0  200  20  0  0
   0  -10  20  30  0  0
   10  0  0  0  10  -1.5
  -20  0  0  0  -1.5  20

 Timoshenko Stiffness Matrix (1-extension; 2,3-shear, 4-twist; 5,6-bending)
 ========================================================

   9.0E+08  0  0  0  1.0E+06  -2.0E+06
   0  3.0E+08  1.0E+5  3E4  0  0
   0  1.0E+05  2.0E+08  4E4  0  0
   0  3.0E+04  4.0E+04  3.0E+07  5E3  6E3
   1.0E+06  0  0  5E3  1.0E+08  7E4
  -2.0E+06  0  0  6E3  7E4  4.0E+08
"""


def sections(name, text):
    return write(name, f"""limber: 1
nodes: {{root: [0, 0, 0], tip: [10, 0, 0]}}
sections:
{text}
elements:
  - beam: {{from: root, to: tip, section: s}}
joints:
  - weld: {{nodes: [ground, root]}}
modes: {{count: 4}}
""")


def test_sections_of_vabs_stand_at_stations_or_for_the_whole_span():
    write("a.K", vabs)
    one, _ = modes(sections("one.yaml", "  s: {from_file: {vabs: a.K}}"))
    two, _ = modes(sections("two.yaml", "  s: [{at: 0, from_file: {vabs: a.K}}, {at: 1, from_file: {vabs: a.K}}]"))
    limber("import", "a.K", "-o", "s.yaml", "--part", "s")
    sections("three.yaml", "")
    written, _ = modes(write("three.yaml", open("three.yaml").read().replace("sections:\n", "include: s.yaml\n")))
    assert np.allclose(one, two, rtol=1e-12, atol=0) and np.allclose(one, written, rtol=1e-12, atol=0)


def test_all_stations_of_a_file_are_a_section_and_one_of_several_has_one():
    assert limber("check", sections("all.yaml", "  s: {from_file: {beamdyn: blade_blade.dat}}")).code == 0
    said = limber("check", sections("all.yaml", "  s: [{at: 0, from_file: {beamdyn: blade_blade.dat}}]"))
    assert said.code == 2 and "the file has 6 stations: make it the whole section" in said.err
    write("a.K", vabs)
    said = limber("check", sections("all.yaml", "  s: {mass: 3, from_file: {vabs: a.K}}"))
    assert said.code == 2 and "'mass' follows from the file of 'from_file'" in said.err


def test_matrices_of_a_model_may_differ_from_symmetric_ones_by_round_off():
    text = """  s:
    stiffness: [[9e8, 0, 0, 0, 0, 0], [0, 3e8, 1e5, 0, 0, 0], [0, 100000.00000001, 2e8, 0, 0, 0],
                [0, 0, 0, 3e7, 0, 0], [0, 0, 0, 0, 1e8, 0], [0, 0, 0, 0, 0, 4e8]]
    mass: 200
    inertia: [30, 10, 20]"""
    assert limber("check", sections("round.yaml", text)).err == ""
    said = limber("check", sections("round.yaml", text.replace("100000.00000001", "100001")))
    assert said.code == 2 and count("'stiffness' must be symmetric: row 3, column 2 is 100001", said.err) == 1


# ---- towers of walls ----
TOWER = """windIO_version: '2.0'
components:
  tower:
    reference_axis: {x: {grid: [0, 1], values: [0, 0]}, y: {grid: [0, 1], values: [0, 0]}, z: {grid: [0, 1], values: [15, 145]}}
    outer_shape: {outer_diameter: {grid: [0, 1], values: [10, 6]}}
    structure:
      outfitting_factor: 1.07
      layers: [{name: wall, material: steel, thickness: {grid: [0, 1], values: [0.04, 0.02]}}]
      elastic_properties:
        stiffness_matrix: {grid: [0, 1], K44: [3e12, 5e11], K55: [3.1e12, 5.1e11], K66: [2.4e12, 4e11]}
        inertia_matrix: {grid: [0, 1], mass: [11000, 3300]}
materials:
  - {name: glass, orth: 1, E: [4e10, 1e10, 1e10], G: [4e9, 4e9, 4e9], rho: 1900}
  - {name: steel, orth: 0, E: 2.e+11, G: 79.3e+9, nu: 0.3, rho: 7800}
"""


def tube(d, t, e=2e11, g=79.3e9, rho=7800):
    """A thick tube: EA, GA (Cowper), GJ, EI, mass and inertia about e1, e2."""
    a, b, nu = d / 2, d / 2 - t, e / (2 * g) - 1
    area, m2 = math.pi * (a * a - b * b), (b / a) ** 2
    i = math.pi / 4 * (a**4 - b**4)
    k = 6 * (1 + nu) * (1 + m2) ** 2 / ((7 + 6 * nu) * (1 + m2) ** 2 + (20 + 12 * nu) * m2)
    return np.array([e * area, g * k * area, g * 2 * i, e * i, rho * area, 2 * rho * i, rho * i])


def stations(text, part="tower"):
    """Diagonals of stiffness, mass and inertia of the sections of a written model."""
    write("turbine.yaml", text)
    said = limber("import", "turbine.yaml", "--part", part, "-o", "written.yaml", "--force")
    assert said.code == 0, said.err
    assert limber("check", "written.yaml").err == ""
    import yaml
    with open("written.yaml") as f:
        sections = yaml.safe_load(f)["sections"][part]
    return [(np.diag(s["stiffness"]), s["mass"], np.diag(s["inertia"])) for s in sections]


def test_what_a_tower_lacks_is_that_of_its_walls():
    for (k, m, j), size, k4, k5, k6, mass in zip(stations(TOWER), ((10, 0.04), (6, 0.02)), (3e12, 5e11), (3.1e12, 5.1e11), (2.4e12, 4e11), (11000, 3300)):
        ea, ga, _, _, own, polar, about = tube(*size)
        assert np.allclose(k, [ea, ga, ga, k6, k4, k5], rtol=1e-12) and m == mass
        assert np.allclose(j, np.array([polar, about, about]) * mass / own, rtol=1e-12)
    assert "K11, K22, K33, M44, M55, M66 of the matrices are not in the file" in open("written.yaml").read()


def test_a_tower_without_matrices_is_that_of_its_walls():
    text = TOWER[:TOWER.index("      elastic_properties")] + TOWER[TOWER.index("materials:"):]
    first = text.replace("outer_shape:", "outer_shape_bem:").replace("structure:", "internal_structure_2d_fem:").replace("'2.0'", "'1.0'")
    for version in text, first:
        for (k, m, j), size in zip(stations(version), ((10, 0.04), (6, 0.02))):
            ea, ga, gj, ei, own, polar, about = tube(*size)
            assert np.allclose(k, [ea, ga, ga, gj, ei, ei], rtol=1e-12) and m == pytest.approx(1.07 * own, rel=1e-12)
            assert np.allclose(j, 1.07 * np.array([polar, about, about]), rtol=1e-12)


@pytest.mark.parametrize("old, new, message", [
    ("outer_diameter", "outer", "turbine.yaml:10: the sections of 'tower' have no axial stiffness, shear stiffness along e2, shear stiffness along e3, "
     "which a beam needs"),
    ("material: steel", "material: iron", "turbine.yaml:8:1: error: 'iron' is not among the file's materials"),
    ("material: steel", "material: glass", "'glass' has no constants E, G or nu, and rho of an isotropic material"),
    ("values: [0.04, 0.02]", "values: [0.04, 4]", "turbine.yaml:8:1: error: 'layers' have no tube: the wall of a tube must be less than half its diameter")])
def test_a_tower_without_stiffness_is_refused(old, new, message):
    write("turbine.yaml", TOWER.replace(old, new))
    said = limber("import", "turbine.yaml", "--part", "tower", "-o", "refused.yaml")
    assert said.code == 2 and message in said.err and not os.path.exists("refused.yaml")
