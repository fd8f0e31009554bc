# SPDX-License-Identifier: Apache-2.0
"""Visuals: shapes of STL and OBJ files, boxes, cylinders and spheres on nodes, colours: docs/visuals.md."""
import base64
import json
import pathlib
import re
import struct

import numpy
import pytest

from support import limber, run, write

MODEL = """limber: 1
nodes:
  a: {at: [1, 2, 3], rotate: {about: [0, 0, 1], by: 90 deg}, angular_velocity: [0, 0, 1]}
  b: {at: [2, 2, 3]}
sections: {rod: {circle: {diameter: 0.02}, material: steel}}
materials: {steel: {E: 2e11, nu: 0.3, density: 7800}}
elements:
  - rigid_body: {node: a, mass: 1, inertia: [1, 1, 1]}
  - beam: {name: link, from: a, to: b, section: rod, elements: 1}
visuals:
  - %s
run: {step: 10 ms, end: 20 ms, snapshots: 10 ms}
"""
CORNERS = [[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 1], [1, 0, 0]]]


@pytest.fixture(name="folder")
def path_of_folder(folder):
    return pathlib.Path(folder)


def binary(triangles, count=None):
    facets = b"".join(struct.pack("<12f2x", 0, 0, 0, *[x for corner in t for x in corner]) for t in triangles)
    return b"solid but binary".ljust(80, b" ") + struct.pack("<I", len(triangles) if count is None else count) + facets


def text(triangles):
    facet = "facet normal 0 0 0\n outer loop\n%s endloop\nendfacet\n"
    return "solid x\n" + "".join(facet % "".join("  vertex %g %g %g\n" % tuple(c) for c in t) for t in triangles) + "endsolid x\n"


OBJ = "# a comment\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1/1/1 2/1/1 3//1\nf -4 -1 2\n"


def page(folder, visual, name="m"):
    """Looks of the page of a run, with their vertices."""
    run(write(folder / (name + ".yaml"), MODEL % visual), folder / (name + ".h5"), "--force")
    said = limber("view", folder / (name + ".h5"), "-o", folder / (name + ".html"), "--force")
    assert said.code == 0, said.err
    html = (folder / (name + ".html")).read_text()
    model = json.loads(re.search(r'<script[^>]*id="run"[^>]*>(.*?)</script>', html, re.S)[1])
    data = base64.b64decode(re.search(r'<script[^>]*id="bytes"[^>]*>(.*?)</script>', html, re.S)[1])
    _, offset, count = model["arrays"]["visual"][:3]
    return model, numpy.frombuffer(data, "<f4", count, offset).reshape(-1, 3)


@pytest.mark.parametrize("file, content", [("b.stl", binary(CORNERS)), ("t.stl", text(CORNERS).encode()), ("o.obj", OBJ.encode())])
def test_every_format_gives_the_same_triangles_also_out_of_results(folder, file, content):
    (folder / file).write_bytes(content)
    model, vertices = page(folder, "{node: a, file: %s, unit: mm, colour: '#12aBff'}" % file)
    assert numpy.array_equal(vertices, numpy.array(CORNERS, float).reshape(-1, 3))
    (visual,) = model["visuals"]
    assert visual["colour"] == "#12abff" and visual["count"] == 6


def test_results_hold_a_binary_file_and_show_it_without_the_file(folder):
    (folder / "gone.stl").write_bytes(binary(CORNERS))
    run(write(folder / "gone.yaml", MODEL % "{node: a, file: gone.stl}"), folder / "gone.h5")
    (folder / "gone.stl").unlink()
    assert limber("view", folder / "gone.h5", "-o", folder / "gone.html").code == 0
    assert limber("resume", folder / "gone.h5", "-q", "--end", "30 ms").code == 0
    assert limber("view", folder / "gone.h5", "-o", folder / "gone.html", "--force").code == 0


def test_visuals_change_no_number_of_a_run(folder):
    bare = write(folder / "bare.yaml", re.sub(r"visuals:\n.*\n", "", MODEL))
    run(bare, folder / "bare.h5")
    run(write(folder / "shown.yaml", MODEL % "{node: a, sphere: 0.1}"), folder / "shown.h5")
    said = limber("compare", folder / "bare.h5", folder / "shown.h5")
    assert said.code == 0, said.out + said.err


def test_a_file_of_two_nodes_is_stored_once_and_an_element_has_its_colour(folder):
    (folder / "two.stl").write_bytes(binary(CORNERS))
    visuals = "{node: a, file: two.stl}\n  - {node: b, file: two.stl, scale: [1, 2, 3]}\n  - {element: link, colour: orange}"
    model, vertices = page(folder, visuals, "two")
    assert len(vertices) == 6 and [visual["first"] for visual in model["visuals"]] == [0, 0]
    assert [item.get("colour") for item in model["items"]] == [None, "#e8862a"]


@pytest.mark.parametrize("visual, size", [("{node: a, box: [2, 4, 6]}", [1, 2, 3]), ("{node: a, sphere: 2}", [2, 2, 2]),
                                        ("{node: a, cylinder: {radius: 1, length: 5}}", [1, 1, 2.5])])
def test_shapes_are_closed_and_face_outwards(folder, visual, size):
    _, v = page(folder, visual, "solid")
    assert numpy.allclose(v.max(axis=0), size) and numpy.allclose(v.min(axis=0), numpy.negative(size))
    a, b, c = v.astype(float).reshape(-1, 3, 3).transpose(1, 0, 2)
    area = numpy.cross(b - a, c - a)
    assert numpy.abs(area.sum(axis=0)).max() < 1e-5  # of floats
    volume = (a * area).sum() / 6
    exact = {"box": 48, "sphere": 33.5103, "cylinder": 15.708}[re.search(r"box|sphere|cylinder", visual)[0]]
    assert 0.96 * exact < volume < exact * 1.00001


def test_a_picture_has_the_triangles_that_face_the_reader(folder):
    model = write(folder / "p.yaml", MODEL % "{node: a, box: [0.5, 0.5, 0.5], colour: red}")
    assert limber("check", model, "--picture", folder / "p.svg").code == 0
    faces = re.findall(r'class="visual" fill="(#\w+)"', (folder / "p.svg").read_text())
    assert len(set(faces)) == 3 and len(faces) % 6 == 0  # three sides of two triangles, each cut as often as the others


@pytest.mark.parametrize("file, content, message", [
    ("nan.stl", binary([[[float("nan"), 0, 0], [1, 0, 0], [0, 1, 0]]]), "a coordinate is not a finite number"),
    ("short.stl", binary(CORNERS, 7), "it ends after 2 of 7 triangles"),
    ("huge.stl", b"\0" * 80 + struct.pack("<I", 0xffffffff), "it ends after 0 of 4294967295 triangles"),
    ("empty.stl", b"", "this is not an STL file"),
    ("none.stl", b"solid x\nendsolid x\n", "it has no triangles"),
    ("word.stl", b"solid x\nouter loop\n vertex 0 0 zero\n", "line 3 of "),
    ("bad.obj", b"v 0 0 0\nf 1 2 3\n", "line 2 of "),
    ("nan.obj", b"v 0 0 nan\n", "'v' needs three finite numbers"),
    ("what.ply", b"ply\n", "does not end in .stl or .obj"),
])
def test_a_broken_file_is_told(folder, file, content, message):
    (folder / file).write_bytes(content)
    said = limber("check", write(folder / "broken.yaml", MODEL % ("{node: a, file: %s}" % file)))
    assert said.code == 2 and message in said.err and "broken.yaml:11:" in said.err


@pytest.mark.parametrize("visual, message", [
    ("{node: a}", "needs one of file, box, cylinder and sphere"), ("{node: a, box: [1, 1, 1], sphere: 1}", "needs one of file"),
    ("{element: link}", "needs a 'colour'"), ("{element: link, box: [1, 1, 1], colour: red}", "shapes are for nodes"),
    ("{sphere: 1}", "either 'node' or 'element'"), ("{node: a, sphere: -1}", "must be positive"),
    ("{node: a, sphere: 1, colour: gray}", "'gray' is not a colour: write #rrggbb in quotes or a word; did you mean 'grey'?"),
    ("{node: a, sphere: 1, colour: teal}", "there are black, white, grey"), ("{node: a, file: ../../etc/x.stl}", "cannot read")])
def test_a_wrong_visual_is_told(folder, visual, message):
    said = limber("check", write(folder / "wrong.yaml", MODEL % visual))
    assert said.code == 2 and message in said.err


# ---- outlines of sections ----
NUMBERS = """limber: 1
nodes: {a: [0, 0, 0], b: [1, 0, 0]}
sections: {s: {stiffness: [1e9, 1e9, 1e9, 1e6, 1e6, 1e6], mass: 1, inertia: [1, 1, 1], outline: %s}}
elements: [{beam: {name: rod, from: a, to: b, section: s, elements: 2}}]
"""
TRIANGLE = "[[-0.1, -0.1], [0.1, -0.1], [0, 0.1]]"


def test_an_outline_is_drawn_whichever_way_it_runs(folder):
    pictures = []
    for name, outline in (("one", TRIANGLE), ("back", "[[0, 0.1], [0.1, -0.1], [-0.1, -0.1]]"), ("other", "[[-0.1, -0.2], [0.1, -0.2], [0, 0.2]]")):
        model = write(folder / f"{name}.yaml", NUMBERS % outline)
        assert limber("check", model, "--picture", folder / f"{name}.svg", "--view", "iso").code == 0
        pictures.append((folder / f"{name}.svg").read_text())
    areas = [sorted(re.findall(r'class="beam" fill="(#\w+)"', p)) for p in pictures]
    assert areas[0] == areas[1] and len(areas[0]) > 8
    assert areas[0] != areas[2]


@pytest.mark.parametrize("outline, message", [
    ("[[0, 0], [1, 1]]", "an outline has 3 to 512 points"),
    ("[" + "[0, 0], " * 513 + "]", "an outline has 3 to 512 points"),
    ("[[0, 0, 0], [1, 1, 1], [0, 1, 0]]", "rows of 2 numbers"),
    (TRIANGLE + ", circle: {diameter: 1}", "'outline' follows from material and shape"),
], ids=["two_points", "too_many_points", "three_numbers", "with_a_shape"])
def test_a_wrong_outline_is_told(folder, outline, message):
    said = limber("check", write(folder / "outline.yaml", NUMBERS % outline))
    assert said.code == 2 and message in said.err
