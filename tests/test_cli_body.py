# SPDX-License-Identifier: Apache-2.0
"""limber body: mass and frequencies of a reduced body against the formulas of a box and the solid of the same mesh; the model that it
writes; mistakes on the command line."""
import json

import pytest

from support import limber, write
from test_cli_inp import box, frequencies, steel

SIZE = (1, 0.05, 0.02)
ENDS = ("-i", "ROOT", "-i", "TIP")


@pytest.fixture(scope="module", autouse=True)
def files(folder):
    write("bar.inp", box((40, 2, 2), SIZE) + steel)
    write("mm.inp", box((10, 2, 2), SIZE, unit=1e-3) + steel.replace("7800.", "7.8e-9").replace("210e9", "210000") +
          "*Elset, elset=some\n1,\n2,\n*Material, name=Other\n*Density\n1e-9,\n*Elastic\n1e5, 0.3\n")


def body(*words):
    said = limber("body", *words, "--json")
    assert said.code == 0, said.err
    return json.loads(said.out)["bodies"][0]


def solid(name, joints, roots, count):
    """Frequencies of the mesh as a solid, of which each interface is tied to a node."""
    said = limber("modes", write(name, f"""limber: 1
meshes: {{bar: {{file: bar.inp}}}}
nodes: {{root: {{at: [0, 0.025, 0.01]{roots[0]}}}, tip: {{at: [1, 0.025, 0.01]{roots[1]}}}}}
elements: [solid: {{name: bar, mesh: bar.E, material: bar.Steel}}]
joints: [{joints}]
modes: {{count: {count}}}
"""))
    assert said.code == 0, said.err
    return [float(line.split()[1]) for line in said.lines if line.split()[:1] and line.split()[0].isdigit() and "." in line.split()[1]]


TIES = "rigid_tie: {body: root, node: bar.ROOT}}, {rigid_tie: {body: tip, node: bar.TIP}"


def test_mass_centre_and_inertia_are_those_of_a_box():
    b = body("bar.inp", *ENDS)
    m = 7800 * SIZE[0] * SIZE[1] * SIZE[2]
    assert b["mass"] == pytest.approx(m, rel=1e-12)
    assert b["centre"] == pytest.approx([s / 2 for s in SIZE], rel=1e-12)
    xx, yy, zz = b["inertia"][:3]
    # masses at the nodes: at the ends of each edge in place of along it, which adds a part 2/n^2 for n cells
    inertia = [m / 12 * s**2 * (1 + 2 / n**2) for s, n in zip(SIZE, (40, 2, 2))]
    assert [xx, yy, zz] == pytest.approx([inertia[1] + inertia[2], inertia[0] + inertia[2], inertia[0] + inertia[1]], rel=1e-9)
    assert b["inertia"][3:] == pytest.approx([0, 0, 0], abs=1e-12 * zz)
    assert [(i["name"], i["nodes"]) for i in b["interfaces"]] == [("ROOT", 9), ("TIP", 9)]


# the columns of the mesh against `limber modes` of the solid
@pytest.mark.parametrize("hold, roots", [([], ("", "")), (["ROOT"], (", kind: fixed", "")), (["ROOT", "TIP"], (", kind: fixed",) * 2)])
def test_frequencies_of_the_mesh_are_those_of_the_solid(hold, roots):
    b = body("bar.inp", *ENDS, "-m", "6", "-c", "6", *(w for h in hold for w in ("--hold", h)))
    found = b["modes"][1 if hold else 0]
    assert found["held"] == hold
    exact = solid(f"solid{len(hold)}.yaml", "{" + TIES + "}", roots, 6)
    assert found["mesh"] == pytest.approx(exact[-6:], rel=2e-6)  # seven digits are printed; measured 2e-7
    assert found["reduced"] == pytest.approx(found["mesh"], rel=5e-3)


# what is told of the reduced body is what `limber modes` finds of it
@pytest.mark.parametrize("ranks", [1, 2])
def test_the_model_has_the_body_that_was_reported(ranks):
    name = f"written{ranks}.yaml"
    said = limber("body", "bar.inp", *ENDS, "-m", "4", "-c", "5", "-o", name, "--force", "--json", ranks=ranks)
    assert said.code == 0, said.err
    b = json.loads(said.out)["bodies"][0]
    modes = limber("modes", name, "--set", "nodes.ROOT.kind=fixed")
    assert modes.code == 0, modes.err
    held = body(name, "--hold", "ROOT", "-c", "5")["modes"]
    assert held[0]["reduced"] == pytest.approx(b["modes"][0]["reduced"], rel=1e-9)
    assert held[1]["reduced"] == pytest.approx(frequencies(modes)[:5], rel=2e-6)


def test_a_mesh_in_mm_has_the_same_body():
    write("m.inp", box((10, 2, 2), SIZE) + steel)
    a, b = body("m.inp", *ENDS), body("mm.inp", *ENDS, "--unit", "mm", "--cells", "E", "--material", "Steel")
    assert b["mass"] == pytest.approx(a["mass"], rel=1e-12)
    assert b["modes"][1]["mesh"] == pytest.approx(a["modes"][1]["mesh"], rel=1e-7)
    c = body("m.inp", "--material", "{E: 210 GPa, nu: 0.3, density: 3900}")
    assert c["mass"] == pytest.approx(a["mass"] / 2, rel=1e-12)


def test_a_body_without_interfaces_is_free():
    said = limber("body", "bar.inp", "-p", "bar.svg")
    assert said.code == 0, said.err
    assert said.lines[0] == "The body has no interfaces; --interface can name: All, ROOT, TIP"
    assert " held" not in said.out
    with open("bar.svg") as f:
        assert f.read().count('class="mesh"') >= 40 * 2  # faces that are seen: two layers of the top, at least


@pytest.mark.parametrize("words, message", [
    (["nowhere.inp"], "cannot read 'nowhere.inp': No such file or directory"),
    (["bar.inp", "-i", "ROOF"], "--interface: the mesh has no set or surface 'ROOF'; did you mean 'ROOT'?"),
    (["bar.inp", "-i", "ROOT", "-i", "ROOT"], "--interface: 'ROOT' is given twice"),
    (["bar.inp", "-i", "ROOT", "--hold", "TOP"], "'bar' has no interface 'TOP'; it has ROOT"),
    (["bar.inp", "--hold", "ROOT"], "'bar' has no interface 'ROOT'; it has none"),
    (["bar.inp", "-m", "six"], "--modes is a number, not 'six'"),
    (["bar.inp", "-m", "99"], "`modes` must be 0 to 40"),
    (["bar.inp", "-c", "0"], "--count is a number of modes, 1 to 40, not '0'"),
    (["bar.inp", "--unit", "mum"], "mum"),
    (["bar.inp", "--name", "rod"], "--name is for models"),
    (["bar.inp", "-o", "elsewhere/bar.yaml"], "elsewhere"),
    (["bar.inp", "--material", "Iron"], "the mesh has no material 'Iron'; it has "),
    (["mm.inp"], "the mesh has 2 groups of volumes: choose one with --cells"),
    (["mm.inp", "--cells", "E"], "the mesh has 2 materials: choose one with --material"),
    (["broken.inp"], "broken.inp:3: "),
    (["text.txt"], "'text.txt' is neither a model nor a mesh; meshes are "),
    (["empty.yaml"], "the model has no reduced_body"),
    (["two.yaml", "--name", "rot"], "there is no reduced body 'rot'; did you mean 'rod'?"),
    (["two.yaml", "--modes", "3"], "--modes is for a file with a mesh"),
])
def test_mistakes_are_told(words, message):
    write("broken.inp", "*Node\n1, 0, 0\n2, x, 0, 0\n")
    write("text.txt", "hello\n")
    write("empty.yaml", "limber: 1\nnodes: {a: {at: [0, 0, 0], kind: frame}}\nelements: [rigid_body: {node: a, mass: 1, inertia: [1, 1, 1]}]\n")
    write("two.yaml", "limber: 1\nmeshes: {bar: {file: bar.inp}}\nelements:\n" + "".join(
        f"  - reduced_body: {{name: {n}, mesh: bar.E, material: bar.Steel, modes: 4}}\n" for n in ("rod", "arm")))
    said = limber("body", *words)
    assert said.code == 2
    assert message in said.err


def test_each_body_of_a_model_is_reported():
    write("two.yaml", "limber: 1\nmeshes: {bar: {file: bar.inp}}\nelements:\n" + "".join(
        f"  - reduced_body: {{name: {n}, mesh: bar.E, material: bar.Steel, modes: 4}}\n" for n in ("rod", "arm")))
    said = limber("body", "two.yaml")
    assert [line for line in said.lines if line.startswith("reduced_body")] == ["reduced_body 'rod'", "reduced_body 'arm'"]
    assert body("two.yaml", "--name", "arm")["name"] == "arm"
