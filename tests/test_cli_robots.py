# SPDX-License-Identifier: Apache-2.0
"""Robots of URDF files: what `limber import` writes of them, and what it says of broken ones: docs/robots.md."""
import pathlib
import re
import resource

import numpy as np
import pytest
import yaml

from support import h5, limber, run, same_bytes, source, write

ARM = source / "examples/robot_arm"


@pytest.fixture(name="folder")
def path_of_folder(folder):
    return pathlib.Path(folder)


def robot(body):
    return f'<?xml version="1.0"?>\n<robot name="r">\n{body}\n</robot>\n'


def link(name, more='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'):
    return f'<link name="{name}">{more}</link>'


def joint(name, kind, parent, child, more=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


def imported(folder, body):
    said = limber("import", write(folder / "r.urdf", robot(body)), "-o", folder / "r.yaml", "--force")
    assert said.code == 0, said.err
    assert limber("check", folder / "r.yaml").code == 0, limber("check", folder / "r.yaml").err
    return yaml.safe_load((folder / "r.yaml").read_text()), (folder / "r.yaml").read_text()


def test_the_arm_of_the_example_is_what_import_writes(folder):
    assert limber("import", ARM / "arm.urdf", "-o", folder / "arm.yaml").code == 0
    assert same_bytes(folder / "arm.yaml", ARM / "arm.yaml")


def test_every_type_of_joint_is_written(folder):
    kinds = ["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]
    body = "\n".join([link("base"), *(link("l" + k) + joint("j" + k, k, "base", "l" + k, '<axis xyz="0 0 1"/>') for k in kinds)])
    model, text = imported(folder, body)
    assert [list(j)[0] for j in model["joints"]] == ["weld", "weld", "revolute", "revolute", "prismatic", "planar"]
    assert "# lfloating moves freely relative to base" in text
    run(folder / "r.yaml", folder / "r.h5")


def test_limits_damping_and_friction(folder):
    more = '<limit lower="-1" upper="2" effort="50" velocity="3"/><dynamics damping="0.3" friction="0.1"/>'
    model, text = imported(folder, link("base") + link("x") + joint("a", "revolute", "base", "x", more))
    assert model["joints"][1]["revolute"]["angle"] == {"damping": 0.3, "friction": {"kinetic": 0.1}, "limits": [-1, 2], "limit_stiffness": 5000}
    assert "# velocity up to 3" in text


def test_an_effort_becomes_a_motor_that_gives_no_more(folder):
    more = '<axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="5" velocity="3"/>'
    model, text = imported(folder, link("base") + link("x") + joint("left-arm", "revolute", "base", "x", more))
    assert model["functions"] == {"n1_left_arm_command": {"signal": {}}}
    assert model["control"] == {"n1_left_arm_motor": {"limit": {"input": "n1_left_arm_command", "smallest": -5, "largest": 5}}}
    assert {"joint_force": {"name": "n1_left_arm_motor", "joint": "left-arm", "amplitude": "n1_left_arm_motor"}} in model["loads"]
    for command, torque in (("3", 3), ("20", 5), ("-20", -5)):
        write(folder / "r.yaml", text.replace("{signal: {}}", f"{{constant: {{value: {command}}}}}"))
        run(folder / "r.yaml", folder / "r.h5", "--set", "run.scheme=preserving")
        with h5(folder / "r.h5") as f:  # izz is 1: the angle is torque t^2/2
            found = []
            f["history"].visititems(lambda key, d: found.append(np.ravel(d[()])[-1]) if key.endswith("angle") else None)
        assert found[0] == pytest.approx(0.5 * torque, rel=1e-4)  # a step turns by up to 0.01 rad


def test_collision_shapes_become_surfaces(folder):
    collision = '<collision><origin xyz="0 0 1" rpy="%s"/><geometry>%s</geometry></collision>'
    shapes = [("0 0 0", '<box size="1 2 3"/>'), ("0.3 0 0", '<box size="1 2 3"/>'), ("0 1.5707963267948966 0", '<cylinder radius="0.1" length="1"/>'),
              ("0 0 0", '<cylinder radius="0.5" length="0.2"/>'), ("0 0 0", '<sphere radius="0.4"/>'), ("0 0 0", '<mesh filename="a.stl"/>')]
    body = link("base") + link("x", link("x")[len('<link name="x">'):-len("</link>")] + "".join(collision % s for s in shapes))
    model, text = imported(folder, body + joint("a", "revolute", "base", "x", '<origin xyz="0 0 2"/>'))
    box, turned, rod, wheel, ball = (list(s.items())[0] for s in model["surfaces"])
    assert box == ("box", {"name": "x_c1", "node": "x", "at": [0, 0, 3], "size": [1, 2, 3]})
    assert turned[1]["node"] == "x_c2" and model["nodes"]["x_c2"]["axes"][1] == pytest.approx([0, np.cos(0.3), np.sin(0.3)])
    assert {"weld": {"nodes": ["x", "x_c2"]}} in model["joints"]
    assert rod[0] == "cylinder" and rod[1]["length"] == 0.8 and rod[1]["axis"] == pytest.approx([1, 0, 0], abs=1e-15)
    assert wheel == ("sphere", {"name": "x_c4", "node": "x", "at": [0, 0, 3], "radius": 0.5})
    assert ball[1]["radius"] == 0.4 and "# x: a collision shape that is a mesh is not written" in text
    floor = "surfaces:\n  - plane: {name: floor, normal: [0, 0, 1], at: [0, 0, 1]}\n"
    text = re.sub("surfaces:.*\n", floor, text) + "contacts:\n  - contact: {surfaces: [x_c4, x_c5], with: floor, stiffness: 1e4}\n"
    write(folder / "r.yaml", text)
    assert limber("check", folder / "r.yaml").code == 0, limber("check", folder / "r.yaml").err


def test_a_chain_of_100000_links_is_read_in_linear_time(folder):
    n = 100000
    body = "".join(f'<link name="l{i}"/>' for i in range(n)) + "".join(
        joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", '<axis xyz="0 0 1"/>') for i in range(n - 1))
    write(folder / "chain.urdf", robot(body))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    said = limber("import", folder / "chain.urdf", "-o", folder / "chain.yaml", "--force")
    assert said.code == 0 and "100000 links and 99999 joints" in said.out, said.err
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 10  # 0.45 s; when it was quadratic, more than 26 s


def test_a_joint_that_mimics_another_is_tied_to_it(folder):
    turn, slide = '<axis xyz="0 1 0"/>', '<axis xyz="1 0 0"/><mimic joint="a" multiplier="-0.5" offset="0.2"/>'
    body = link("base") + link("x") + link("y") + link("z") + joint("a", "revolute", "base", "x", turn + '<mimic joint="b: c" multiplier="2"/>')
    body += joint("b: c", "continuous", "base", "y", '<axis xyz="0 1 0"/>') + joint("c", "prismatic", "base", "z", slide)
    model, text = imported(folder, body + link("w") + joint("d", "fixed", "base", "w", '<mimic joint="a"/>'))
    couplers = [j["coupler"] for j in model["joints"] if "coupler" in j]
    assert couplers == [{"first": "a", "second": "n2_b__c", "factors": [1, -2, 0]}, {"first": "c", "second": "a", "factors": [1, 0.5, 0]}]
    assert "without the offset 0.2" in text and "# d mimics a: this is not written" in text
    write(folder / "r.yaml", text.replace("loads:\n", "loads:\n  - torque: {joint: n2_b__c, value: 1}\n"))
    run(folder / "r.yaml", folder / "r.h5")
    with h5(folder / "r.h5") as f:
        last = {}
        f["history"].visititems(lambda key, d: last.__setitem__(key.split("/")[1], np.ravel(d[()])[-1]) if key.endswith(("angle", "slide")) else None)
    assert last["a"] == pytest.approx(2 * last["n2_b__c"], rel=1e-12)
    assert last["c"] == pytest.approx(-0.5 * last["a"], rel=1e-12)
    assert abs(last["a"]) > 0.1


def test_poses_compose_and_inertia_is_turned(folder):
    quarter = 'rpy="0 0 1.5707963267948966"'
    inertial = f'<inertial><origin {quarter}/><mass value="2"/><inertia ixx="1" iyy="2" izz="3" ixy="0.1" ixz="0" iyz="0"/></inertial>'
    body = link("base") + link("x", inertial) + link("y") + joint("a", "revolute", "base", "x", f'<origin xyz="1 0 0" {quarter}/>')
    model, _ = imported(folder, body + joint("b", "revolute", "x", "y", '<origin xyz="1 0 0"/><axis xyz="0 1 0"/>'))
    assert model["nodes"]["y"]["at"] == pytest.approx([1, 1, 0], abs=1e-15)
    assert model["joints"][2]["revolute"]["axis"] == pytest.approx([-1, 0, 0], abs=1e-15)
    (x,) = [e["rigid_body"] for e in model["elements"] if e["rigid_body"]["name"] == "x"]
    assert x["inertia"] == pytest.approx([2, 1, 3, -0.1, 0, 0], abs=1e-14)


def test_shapes_colours_and_meshes(folder):
    visual = '<visual><origin xyz="0 0 1"/><geometry>%s</geometry><material name="m"%s</visual>'
    own = '><color rgba="1 0 0.5 1"/></material>'
    shapes = [('<box size="1 2 3"/>', own), ('<sphere radius="2"/>', "/>"), ('<cylinder radius="1" length="4"/>', "/>"),
              ('<mesh filename="package://pkg/meshes/a.STL" scale="2 2 2"/>', "/>"), ('<mesh filename="b.dae"/>', "/>")]
    (folder / "meshes").mkdir(exist_ok=True)
    (folder / "meshes/a.STL").write_text("solid\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendsolid\n")
    text = link("base", "".join(visual % s for s in shapes)) + '<material name="m"><color rgba="0 1 0 1"/></material>'
    model, written = imported(folder, text + link("x") + joint("a", "fixed", "base", "x"))
    visuals = model["visuals"]
    assert visuals[0] == {"node": "base", "box": [1, 2, 3], "at": [0, 0, 1], "colour": "#ff0080"}
    assert visuals[1]["sphere"] == 2 and visuals[1]["colour"] == "#00ff00"
    assert visuals[3]["file"] == "meshes/a.STL" and visuals[3]["scale"] == [2, 2, 2]
    assert "# base: b.dae is not an STL or OBJ file" in written


def test_a_shape_without_its_file_is_told(folder):
    mesh = '<visual><geometry><mesh filename="%s"/></geometry></visual>'
    source_file = write(folder / "bare.urdf", robot(link("base", mesh % "package://pkg/nowhere/a.stl" + mesh % "nowhere/b.obj")))
    said = limber("import", source_file, "-o", folder / "bare.yaml")
    assert said.code == 0 and "warning: there is no file 'nowhere/a.stl' next to" in said.err and "2 shapes" in said.err
    (folder / "nowhere").mkdir()
    for name in ("a.stl", "b.obj"):
        (folder / "nowhere" / name).write_text("")
    assert "warning" not in limber("import", source_file, "-o", folder / "bare.yaml", "--force").err


def test_names_that_a_model_cannot_have(folder):
    model, _ = imported(folder, link("base link") + link("a/b") + joint("1st: {joint}", "revolute", "base link", "a/b"))
    assert list(model["nodes"]) == ["n1_base_link", "n2_a_b"]
    assert model["joints"][1]["revolute"]["name"] == "n1_1st___joint_"


@pytest.mark.parametrize("text, message", [
    ("", "this is not XML: no element found"),
    ("<robot><link name='a'></robot>", "this is not XML: mismatched tag"),
    ("<sdf/>", "begins with <sdf>, not <robot>"),
    ("<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><robot/>", "a document type"),
    ("<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot/>", "a document type"),
    ("<robot/>", "the robot has no links"),
    (robot(link("a") + link("b")), "have no joint above them: a robot has one root"),
    (robot(link("a") + link("a")), "there are two links 'a'"),
    (robot(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "b") + joint("j", "fixed", "a", "c")), "there are two joints 'j'"),
    (robot(link("a") + joint("j", "fixed", "a", "b")), "there is no link 'b'"),
    (robot(link("a") + joint("j", "fixd", "a", "a")), "a joint needs a 'type'"),
    (robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "a", "b")), "the child of two joints"),
    (robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a")), "in a loop of joints"),
    (robot(link("a", "<inertial><mass value='nan'/></inertial>")), "'value' must be 1 number below 1e100, not 'nan'"),
    (robot(link("a", "<inertial><mass value='1e308'/></inertial>")), "'value' must be 1 number below 1e100, not '1e308'"),
    (robot(link("a", "<inertial><mass value='2kg'/></inertial>")), "'value' must be 1 number, not '2kg'"),
    (robot(link("a", "<inertial><mass value='-1'/></inertial>")), "must not be negative"),
    (robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<axis xyz='0 0 0'/>")), "must not be zero"),
    (robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<mimic joint='k'/>")), "joint 'j' mimics 'k', which does not exist"),
    (robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<mimic joint='j'/>")), "joint 'j' mimics itself"),
    ("<robot>" + "<a>" * 100 + "</a>" * 100 + "</robot>", "more than 64 deep"),
])
def test_a_broken_file_is_told(folder, text, message):
    said = limber("import", write(folder / "broken.urdf", text), "-o", folder / "never.yaml")
    assert said.code == 2 and message in said.err, said.err
    assert re.search(r"broken\.urdf(:\d+:\d+)?: error: ", said.err) and not (folder / "never.yaml").exists()


def test_a_missing_file_is_told(folder):
    said = limber("import", folder / "no.urdf")
    assert said.code == 2 and "cannot read it" in said.err
