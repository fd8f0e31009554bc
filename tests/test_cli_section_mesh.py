# SPDX-License-Identifier: Apache-2.0
"""Sections from meshes, layups and solved shapes in model files: frequencies of a cantilever against closed forms, messages."""
import math
import shutil

import pytest

from support import h5, limber, models, settings, write

BEAM = """
limber: 1
materials:
  steel: {{E: 200 GPa, nu: 0.25, density: 8000}}
  carbon: {{E: [140 GPa, 10 GPa, 10 GPa], G: [5 GPa, 5 GPa, 4 GPa], nu: [0.3, 0.3, 0.4], density: 1600,
            strength: {{Xt: 2 GPa, Xc: 1.2 GPa, Yt: 60 MPa, Yc: 200 MPa, S: 80 MPa}}}}
sections:
  s: {section}
nodes: {{root: [0, 0, 0]}}
elements:
  - beam: {{name: beam, from: root, end: [2, 0, 0], section: s, up: [0, 0, 1], elements: 12}}
joints:
  - clamp: {{node: root}}
modes: {{count: 20, frames: 0}}
"""


def modes(section, name="model", ranks=1):
    """Frequencies in Hz of a cantilever of 2 m, by the first words of their names."""
    write(f"{name}.yaml", BEAM.format(section=section))
    said = limber("modes", f"{name}.yaml", "-o", f"{name}.h5", ranks=ranks)
    assert said.code == 0, said.err
    with h5(f"{name}.h5") as f:
        return {n.decode().split(",")[0]: w for n, w in zip(f["modes/names"][:], f["history/mode/frequency"][:])}


def check(section, *words):
    write("faulty.yaml", BEAM.format(section=section))
    return limber("check", "faulty.yaml", *words)


G, E, RHO, LENGTH = 80e9, 200e9, 8000, 2
TORSION = math.sqrt(G / RHO) / (4 * LENGTH)  # where J is the polar moment: of rings


@pytest.mark.parametrize("cells", ["t6", "q8", "q9"])
def test_second_order_cells_of_gmsh_stand_in_their_order(cells):
    shutil.copy(models / f"section/ring_{cells}.msh", "ring.msh")
    section = "{mesh: {file: ring.msh, unit: mm, materials: steel}}"
    f = modes(section)
    radius = math.sqrt(0.03**2 + 0.02**2) / 2  # of gyration
    assert f["beam torsion 1"] == pytest.approx(TORSION, rel=2e-4)
    slender = 3.5160152685 / (2 * math.pi * LENGTH**2) * math.sqrt(E / RHO) * radius
    assert f["beam bending z 1"] == pytest.approx(slender, rel=2e-3)  # shear and rotatory inertia: 1.2e-3
    assert f["beam bending z 1"] == pytest.approx(modes("{tube: {diameter: 60 mm, thickness: 10 mm}, material: steel}")["beam bending z 1"], rel=2e-4)


def test_groups_of_a_mesh_have_materials_of_their_own():
    shutil.copy(models / "section/ring_q9.msh", "ring.msh")
    two = "{mesh: {file: ring.msh, unit: mm, materials: {right: steel, left: %s}}}"
    whole, same = modes("{mesh: {file: ring.msh, unit: mm, materials: steel}}"), modes(two % "steel")
    assert same == pytest.approx(whole, rel=1e-9)
    half = modes(two % "{material: carbon, angle: 10 deg, plane: edges}")
    assert not half["beam bending z 1"] == pytest.approx(whole["beam bending z 1"], rel=0.05)


def test_a_solved_shape_has_the_frequencies_of_its_closed_form():
    for shape in ("rectangle: [60 mm, 40 mm]", "circle: {diameter: 50 mm}", "tube: {diameter: 60 mm, thickness: 10 mm}"):
        closed, solved = modes("{%s, material: steel}" % shape), modes("{%s, material: steel, solve: true}" % shape)
        for name in ("beam bending z 1", "beam bending y 1", "beam torsion 1"):
            assert solved[name] == pytest.approx(closed[name], rel=1e-4)


def test_a_closed_profile_is_solved_only():
    box = "{profile: {points: [[0, 0], [0.1, 0], [0.1, 0.06], [0, 0.06], [0, 0]], thickness: 3 mm}, material: steel, offset: [50 mm, 30 mm]%s}"
    said = check(box % "")
    assert "the profile is closed: use box or tube, or `solve: true`" in said.err and said.code == 2
    found = modes(box % ", solve: true, cells: 4")
    same = modes("{box: {width: 103 mm, height: 63 mm, thickness: 3 mm}, material: steel, solve: true}")
    for name in ("beam bending z 1", "beam bending y 1", "beam torsion 1"):
        assert found[name] == pytest.approx(same[name], rel=5e-4)  # torsion of meshes with other corners: 2e-4


LAYUP = """
    layup:
      outline: {outline}
      stacks:
        - {{name: wall, plies: [{{material: steel, thickness: 1 mm}}, {{material: steel, thickness: 2 mm}}]}}
      regions: {{stack: wall}}
    offset: [50 mm, 30 mm]
"""


def test_a_layup_of_one_material_is_a_box_either_way_round():
    corners = [[-0.0015, -0.0015], [0.1015, -0.0015], [0.1015, 0.0615], [-0.0015, 0.0615]]
    same = modes("{box: {width: 103 mm, height: 63 mm, thickness: 3 mm}, material: steel, solve: true}")
    for outline in (corners, corners[::-1], corners + corners[:1]):
        found = modes(LAYUP.format(outline=outline))
        for name in ("beam bending z 1", "beam bending y 1", "beam torsion 1"):
            assert found[name] == pytest.approx(same[name], rel=5e-4)


AIRFOIL = """
    layup:
      airfoil: foil.dat
      chord: 0.5
      stacks:
        - {name: skin, plies: [{material: carbon, thickness: 1 mm, angle: 45 deg}, {material: carbon, thickness: 1 mm, angle: -45 deg}]}
        - {name: cap, plies: [{material: carbon, thickness: 1 mm, angle: 45 deg}, {material: carbon, thickness: 6 mm}]}
      regions: [{stack: skin, until: 0.2}, {stack: cap, until: 0.4}, {stack: skin, until: 0.6}, {stack: cap, until: 0.8}, {stack: skin}]
      webs: [{stack: skin, from: [0.1, -0.01], to: [0.1, 0.01]}, {stack: skin, from: [0.2, -0.01], to: [0.2, 0.01]}]
    offset: [125 mm, 0]
"""


def foil():
    """A NACA 0018 with a blunt trailing edge, from there over the upper side."""
    def half(x):
        return 0.9 * (0.2969 * x**0.5 - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1015 * x**4) + 0.01 * x
    xs = [0.5 * (1 - math.cos(math.pi * i / 30)) for i in range(31)]
    points = [(x, half(x)) for x in xs[::-1]] + [(x, -half(x)) for x in xs[1:]]
    write("foil.dat", "NACA 0018 blunt\n" + "\n".join(f"{x:.6f} {y:.6f}" for x, y in points))


def test_an_airfoil_of_plies_and_webs_gives_the_same_bits_on_ranks_and_again():
    foil()
    first = modes(AIRFOIL)
    assert first == modes(AIRFOIL, name="again")
    two = modes(AIRFOIL, name="ranks", ranks=2)
    assert two == pytest.approx(first, rel=1e-9)
    write("drawn.yaml", BEAM.format(section=AIRFOIL))
    assert limber("check", "drawn.yaml", "--picture", "drawn.svg").code == 0


@pytest.mark.parametrize("section, message", [
    ("{mesh: {file: ring.msh, materials: {rihgt: steel, left: steel}}}", "8:42: error: mesh 'ring.msh' has no physical group of surfaces 'rihgt'; did you mean 'right'?"),
    ("{mesh: {file: ring.msh, materials: {right: steel}}}", "16 surface cells of the mesh belong to no group that has a material here"),
    ("{mesh: {file: ring.msh, materials: copper}}", "copper"),
    ("{mesh: {file: none.msh, materials: steel}}", "none.msh"),
    ("{rectangle: [1, 1], material: carbon}", "material 'carbon' is a ply of fibres, which only sections with `mesh`, `layup` or `solve` support"),
    ("{rectangle: [1, 1], material: steel, solve: maybe}", "'solve' must be true or false, not 'maybe'"),
    ("{rectangle: [1, 1], material: steel, cells: 3}", "'cells' goes with `solve: true`"),
    ("{rectangle: [1, 1], material: steel, solve: true, cells: 65}", "'cells' must be 1 to 64"),
    ("{rectangle: [1, 1], material: steel, solve: true, shear: [1, 1]}", "'shear' follows from the mesh"),
    ("{mesh: {file: ring.msh, materials: steel}, rectangle: [1, 1]}", "a section has one shape: 'mesh' or 'rectangle'"),
    ("{mesh: {file: ring.msh, materials: steel}, mass: 3}", "'mass' follows from the mesh: give one or the other"),
    ("{layup: {outline: [[0, 0], [1, 0], [1, 1]], stacks: {name: a, plies: {material: steel, thickness: 0.01}}, regions: {stack: b}}}", "the layup has no stack 'b'; it has a"),
    ("{layup: {outline: [[0, 0], [1, 0], [1, 1]], stacks: {name: a, plies: {material: steel, thickness: 0.01}}, regions: [{stack: a, until: 0.5}]}}", "the last ends at 1"),
    ("{layup: {outline: [[0, 0], [1, 0], [1, 1]], stacks: {name: a, plies: {material: steel, thickness: 0.6}}, regions: {stack: a}}}", "have no room inside its outer line"),
    ("{layup: {stacks: {name: a, plies: {material: steel, thickness: 0.6}}, regions: {stack: a}}}", "a layup needs 'outline'"),
])
def test_mistakes_are_told(section, message):
    shutil.copy(models / "section/ring_q9.msh", "ring.msh")
    said = check(section)
    assert said.code == 2 and message in said.err, said.err


@pytest.mark.parametrize("material, message", [
    ("{E: [1, 2], nu: 0.3, G: 1, density: 1}", "'E' must be a list of 3 numbers"),
    ("{E: [1, 1, 1], nu: 0.3, density: 1}", "a ply needs 'G'"),
    ("{E: [100, 1, 1], nu: [0.3, 0.3, 1.2], G: 1, density: 1}", "these constants are impossible"),
    ("{E: 1, nu: 0.3, density: 1, strength: {Xt: 1, Xc: -1, Yt: 1, Yc: 1, S: 1}}", "'Xc' must be positive"),
    ("{E: 1, nu: 0.3, density: 1, strength: {Xt: 1}}", "strength needs 'Xc'"),
])
def test_mistakes_of_materials_are_told(material, message):
    write("faulty.yaml", f"limber: 1\nmaterials: {{m: {material}}}\n")
    said = limber("check", "faulty.yaml")
    assert said.code == 2 and message in said.err, said.err


def test_a_mesh_that_would_take_too_long_is_refused_at_once():
    n = 700
    rows = [f"{i * (n + 1) + j + 1} {i} {j} 0" for i in range(n + 1) for j in range(n + 1)]
    cells = [f"{i * n + j + 1} 3 2 1 1 {i * (n + 1) + j + 1} {(i + 1) * (n + 1) + j + 1} {(i + 1) * (n + 1) + j + 2} {i * (n + 1) + j + 2}"
             for i in range(n) for j in range(n)]
    write("fine.msh", "\n".join(["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(rows)), *rows, "$EndNodes", "$Elements",
                                 str(len(cells)), *cells, "$EndElements", ""]))
    said = check("{mesh: {file: fine.msh, materials: steel}}")
    assert said.code == 2 and "the mesh of the section is too fine" in said.err


def test_walls_that_are_too_thick_for_the_closed_form_are_told():
    box = "{box: {width: 60 mm, height: 50 mm, thickness: 12 mm}, material: steel%s}"
    said = check(box % "")
    assert said.code == 0
    assert "warning: the walls of this box are as thick as 0.24 of its shorter side" in said.err and "`solve: true` gives them exactly" in said.err
    assert "warning" not in check(box % ", solve: true").err


WEDGE = """{layup: {outline: [[0, 0], [1, 0.1], [0, 0.2], [-0.1, 0.1]], cell: 20 mm, stacks: [
     {name: a, plies: [{material: steel, thickness: 10 mm}]}, {name: b, plies: [{material: steel, thickness: 12 mm}]}],
     regions: [{stack: a, until: %s}, {stack: b, until: 0.6},
       {stack: a}]}}"""


def test_a_region_that_ends_in_a_sharp_corner_is_an_error_at_its_line_with_a_place_that_has_room():
    length = 2 * math.hypot(1, 0.1) + 2 * math.hypot(0.1, 0.1)
    corner = math.hypot(1, 0.1) / length  # at [1, 0.1]: both sides meet at 11 degrees, plies of 12 mm reach back 120 mm
    said = check(WEDGE % round(corner - 0.02, 6))
    assert said.code == 2
    line = 1 + BEAM.format(section=WEDGE)[:BEAM.format(section=WEDGE).index("until: %s")].count("\n")
    assert f"faulty.yaml:{line}:" in said.err and "ends too close to a corner" in said.err
    until = float(said.err.split("'until: ")[1].split("'")[0])
    assert corner - until == pytest.approx(0.12 / 0.9 / length, rel=2e-2)  # and a tenth
    assert check(WEDGE % (until - 1e-4)).code == 0
    assert check(WEDGE % corner).code == 0


def test_the_mesh_of_a_layup_is_drawn_with_its_plies_and_regions_before_any_run():
    write("wedge.yaml", BEAM.format(section=WEDGE % 0.3))
    for ending, first in (("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        said = limber("section", "wedge.yaml", "--picture", f"wedge.{ending}")
        assert said.code == 0 and said.lines[-1] == f"wedge.{ending}"
        assert open(f"wedge.{ending}", "rb").read(9).startswith(first)
    assert limber("check", "wedge.yaml", "--picture", "checked.svg").code == 0
    text = open("checked.svg").read()
    assert "section 's': " in text and "steel" in text
    cells = int(text.split("section 's': ")[1].split(" cells")[0])
    assert text.count('stroke="#555555"') == cells > 100
    assert text.count('class="region-end"') == 3
    assert text.count(">a<") == 2 and text.count(">b<") == 1  # their stacks
    said = limber("section", "wedge.yaml", "--picture", "none.svg", "--mesh", "--set", "sections.s={tube: {diameter: 60 mm, thickness: 10 mm}, material: steel}")
    assert said.code == 2 and "no section was solved on a mesh" in said.err
