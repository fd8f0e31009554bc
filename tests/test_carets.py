# SPDX-License-Identifier: Apache-2.0
"""Every field of every kind is broken, one at a time, and the caret of the error is under this field. The fields are those of
`limber describe --markdown`; a model that is right but for one value must have an error at the line and column of this value, if it has any."""
import re

import pytest

from support import limber, write

WORLD = """limber: 1
nodes:
  a: [0, 0, 0]
  b: [1, 0, 0]
  c: [2, 0, 1]
  d: [3, 0, 0]
  p: {at: [0, 1, 0], kind: point}
  q: {at: [1, 1, 0], kind: point}
  r: {at: [0, 1, 1], kind: point}
  o: {at: [0.5, 1, 0], kind: point}
  s1: {at: [5, 0, 0], kind: point}
  s2: {at: [6, 0, 0], kind: point}
  s3: {at: [6, 1, 0], kind: point}
  s4: {at: [5, 1, 0], kind: point}
  s5: {at: [5, 0, 0.1], kind: point}
  s6: {at: [6, 0, 0.1], kind: point}
  s7: {at: [6, 1, 0.1], kind: point}
  s8: {at: [5, 1, 0.1], kind: point}
materials:
  steel: {E: 210 GPa, nu: 0.3, density: 7800}
sections:
  rod: {material: steel, circle: {diameter: 10 mm}}
functions:
  wave: {sine: {frequency: 1}}
  setpoint: {signal: {value: 0}}
run: {step: 1 ms, end: 10 ms}
"""
HEXAHEDRON = "[{hexahedron: [s1, s2, s3, s4, s5, s6, s7, s8]}]"
PARTS = {
    "elements": """  - beam: {name: arm, from: b, to: c, section: rod}
  - rigid_body: {name: hub, node: a, mass: 1, inertia: [1, 1, 1]}
  - rigid_body: {name: far, node: d, mass: 1, inertia: [1, 1, 1]}
  - mass: {node: p, mass: 1}
  - mass: {node: q, mass: 1}
  - mass: {node: r, mass: 1}
  - mass: {node: o, mass: 1}
  - cable: {name: rope, from: p, to: q, stiffness: 1e3, mass: 1}
  - solid: {name: block, mesh: """ + HEXAHEDRON + """, material: steel}
""",
    "joints": """  - revolute: {name: hinge, nodes: [ground, a], axis: [0, 1, 0]}
  - revolute: {name: second_hinge, nodes: [a, b], axis: [0, 1, 0], at: [1, 0, 0]}
  - prismatic: {name: rail, nodes: [ground, d], axis: [1, 0, 0]}
""",
    "surfaces": """  - sphere: {name: ball, node: a, radius: 0.1}
  - plane: {name: floor, normal: [0, 0, 1], at: [0, 0, -3]}
""",
    "loads": "  - torque: {name: motor, joint: hinge, value: 1}\n",
    "events": "  - time: {name: first, at: 5 ms, do: [{end: motor}]}\n",
}
# Fields of a component without errors; a field that is broken replaces its value, or is added.
GOOD = {
    "elements": {
        "beam": {"from": "b", "to": "c", "section": "rod"},
        "rigid_body": {"node": "b", "mass": "1"}, "mass": {"node": "p", "mass": "1"},
        "wheel": {"node": "a", "axis": "[0, 0, 1]", "inertia": "1"}, "bar": {"nodes": "[p, q]", "stiffness": "1e3"},
        "bushing": {"nodes": "[a, b]", "stiffness": "[1, 1, 1, 1, 1, 1]"}, "spring": {"nodes": "[a, b]", "stiffness": "1"},
        "cable": {"from": "p", "to": "q", "stiffness": "1e3", "mass": "1"},
        "simplex_body": {"centre": "[9, 9, 9]", "mass": "1", "box": "[1, 2, 3]"},
        "solid": {"mesh": HEXAHEDRON, "material": "steel"},
        "membrane": {"mesh": "[{quadrilateral: [s1, s2, s3, s4]}]", "material": "steel", "thickness": "1 mm"},
        "plane_beam": {"start": "[0, 9, 0]", "end": "[1, 9, 0]", "depth": "0.1", "width": "0.1", "material": "steel"},
        "solid_shell": {"mesh": HEXAHEDRON, "material": "steel"},
        "still_water": {"lines": "[rope]", "diameter": "0.1"}, "sea_bed": {"lines": "[rope]", "level": "-1", "stiffness": "1e3"},
        "strip": {"element": "arm", "chord": "1"}, "wind": {"velocity": "[9, 0, 0]"},
        "turbulence": {"speed": "9", "height": "50", "direction": "[1, 0, 0]", "width": "40"},
        "wind_box": {"velocity": "[[9, 0, 0]]", "step": "1", "speed": "9", "spacing": "[1, 1]", "direction": "[1, 0, 0]", "periodic": "true"},
        "reeved_cable": {"from": "p", "over": "q", "to": "r", "stiffness": "1e3"},
    },
    "joints": {
        "clamp": {"node": "c"}, "weld": {"nodes": "[a, c]"}, "spherical": {"nodes": "[a, c]"},
        **{kind: {"nodes": "[a, c]", "axis": "[0, 0, 1]"} for kind in [
            "revolute", "cylindrical", "prismatic", "planar", "point_on_line", "point_in_plane"]},
        "universal": {"nodes": "[a, c]", "axis": "[0, 0, 1]", "second_axis": "[1, 0, 0]"},
        "screw": {"nodes": "[a, c]", "axis": "[0, 0, 1]", "pitch": "0.1"},
        "distance": {"nodes": "[a, c]"}, "prescribed_motion": {"node": "c"}, "actuator": {"nodes": "[a, c]"},
        "rigid_points": {"nodes": "[p, q]"}, "rigid_tie": {"body": "a", "node": "p"},
        "multipoint_constraint": {"node": "o", "reference": "[p, q]"},
        "gear": {"first": "hinge", "second": "second_hinge", "ratio": "2"},
        "rack_and_pinion": {"pinion": "hinge", "rack": "rail", "radius": "0.1"},
        "belt": {"first": "hinge", "second": "second_hinge", "radii": "[0.1, 0.2]"},
        "differential": {"input": "hinge", "first": "second_hinge", "second": "third_hinge"},
        "coupler": {"first": "hinge", "second": "second_hinge", "factors": "[1, 2, 0]"},
    },
    "loads": {
        **{kind: {"node": "b", "direction": "[0, 0, 1]"} for kind in ["force", "moment", "follower_force", "follower_moment"]},
        **{kind: {"element": "arm", "direction": "[0, 0, 1]"} for kind in ["line_force", "line_moment"]},
        "gravity": {"acceleration": "[0, 0, -9.81]"}, "base_acceleration": {"acceleration": "[1, 0, 0]"},
        "torque": {"joint": "hinge"}, "joint_force": {"joint": "rail"},
        "controller": {"joint": "hinge", "reference": "wave", "gain": "1"}, "drive": {"joint": "rail", "motion": "wave"},
    },
    "surfaces": {
        "sphere": {"node": "a"}, "plane": {"normal": "[0, 0, 1]"}, "cylinder": {"axis": "[0, 0, 1]", "radius": "1"},
        "box": {"size": "[1, 1, 1]"}, "beam": {"element": "arm", "radius": "0.01"}, "faces": {"element": "block"},
    },
    "contacts": {"contact": {"surfaces": "[ball, floor]", "stiffness": "1e3"}},
    "events": {
        "time": {"at": "1 ms"}, "after": {"event": "first"}, "coordinate": {"joint": "hinge", "angle": "1"},
        "rate": {"joint": "hinge", "angular_velocity": "1"}, "joint_force": {"joint": "hinge", "force": "1"},
        "section_force": {"element": "arm", "value": "1"}, "position": {"node": "b", "along": "[0, 0, 1]", "value": "1"},
        "velocity": {"node": "b", "along": "[0, 0, 1]", "value": "1"}, "probe": {"probe": "look.x", "value": "1"},
    },
    "functions": {
        "constant": {"value": "1"}, "triangle": {"peak": "1", "at": "1", "end": "2"}, "table": {"time": "[0, 1]", "value": "[0, 1]"},
        "sine": {"frequency": "1"}, "ramp": {"end": "1"}, "smooth_step": {"end": "1"}, "chirp": {"from": "1", "to": "2", "end": "1"},
        "sum": {"of": "[wave]"}, "product": {"of": "[wave]"}, "expression": {"value": "2*t"}, "signal": {},
    },
    "control": {
        "formula": {"input": "t"}, "gain": {"input": "t", "gain": "1"}, "sum": {"inputs": "[t]"}, "pid": {"input": "t", "kp": "1"},
        "transfer_function": {"input": "t", "numerator": "[1]", "denominator": "[1, 1]"},
        "state_space": {"inputs": "[t]", "a": "[[1]]", "b": "[[1]]", "c": "[[1]]"}, "filter": {"input": "t", "frequency": "1"},
        "lookup": {"input": "t", "argument": "[0, 1]", "value": "[0, 1]"}, "limit": {"input": "t"},
        "rate_limit": {"input": "t", "rising": "1"}, "delay": {"input": "t"},
    },
    "sections": {
        "of a shape": {"E": "1 GPa", "nu": "0.3", "density": "1000", "rectangle": "[0.1, 0.2]"},
        "of numbers": {"stiffness": "[1, 1, 1, 1, 1, 1]", "mass": "1", "inertia": "[2, 1, 1]"},
        "circle": {"diameter": "1"}, "tube": {"diameter": "1", "thickness": "0.1"},
        "box": {"width": "1", "height": "1", "thickness": "0.1"}, "angle": {"width": "1", "height": "1", "thickness": "0.1"},
        **{kind: {"width": "1", "height": "1", "web": "0.1", "flange": "0.1"} for kind in ["i_beam", "channel", "tee"]},
    },
    "ports": {"wave": {"joint": "hinge", "mass": "0.1"}},
    "materials": {"material": {"E": "1 GPa", "nu": "0.3", "density": "1000"}},
    "nodes": {"node": {"at": "[7, 7, 7]"}},
    "run": {"run": {"step": "1 ms", "end": "10 ms"}},
}
# Kinds that stand for others, or that read files of other programs; fields whose values are such files.
OTHER_NAMES = {"hinge", "pin", "slider", "ball", "fixed"}
FILES = {"reduced_body", "column", "library", "fmu", "aerodyn", "bond"}
FIELDS_OF_FILES = {"from_file"}
# Maps with all that they need, beside the field of them that is broken.
MAPS = {"arc": {"axis": "[0, 0, 1]"}, "helix": {"axis": "[0, 0, 1]", "turns": "1", "pitch": "1"}, "rotate": {"about": "[0, 0, 1]", "by": "1"},
        "strength": {name: "1 MPa" for name in ["Xt", "Xc", "Yt", "Yc", "S"]}}
# Fields whose error may be elsewhere, by a pattern of "part kind field", with the reason.
ELSEWHERE = {
    r"elements beam (arc|helix)\..*": "the line ends elsewhere than at `to`: the caret is there",
    r"elements simplex_body (density|inertia)": "`mass` and `density`, `box` and `inertia` exclude each other: the caret is under one of two",
    r"joints \w+ \w+\.start": "the loop is assembled when all joints have been read: the caret is under the joint",
    r"joints universal axis": "two axes are not normal to each other: the caret is under the second",
    r"contacts contact hertz": "`stiffness` and `hertz` exclude each other: the caret is under one of two",
    r"events (coordinate slide|rate velocity|joint_force moment)": "it excludes the other value: the caret is under one of two",
    r"functions \w+ (start|at)": "times are not in order: the caret is under the later one",
    r"sections of a shape G": "`nu` and `G` exclude each other: the caret is under `nu`",
    r"sections \w+ (width|height)": "walls of no thickness, beside 1e30 m, give no section: the caret is under the shape",
    r"materials material (E|nu|G)": "three numbers are those of a ply, which needs others: the caret is under its name or its E",
    r"run run end": "there are too many steps: the caret is under `step`",
}

VALUES = {
    "number": ["word", "[1]", "{x: 1}", "-1", "0", "1e30"], "whole number": ["word", "1.5", "-1", "0", "2000000000"],
    "numbers": ["word", "[1]", "[x, 0, 0]", "[0, 0, 0]", "[0, 0]", "[-1, -1, -1]", "[-1, -1]"],
    "name": ["nobody", "[1, 2]"], "names": ["nobody", "[nobody, nowhere]", "[b, nobody]"],
    "word": ["nonsense"], "map": ["word", "{nonsense: 1}"],
}


def category(kind, help):
    """Which values a field of this type is tried with; None: it has a form of its own."""
    if kind in ("number", "whole number", "map"):
        return kind
    if kind == "number or map":
        return "number"
    if re.fullmatch(r"[\d, orx]+ numbers|3 rows of 3|rows of \d numbers", kind):
        return "numbers"
    if kind in ("node", "joint", "element", "section", "function", "material", "event", "load"):
        return "name"
    if re.fullmatch(r"(\d|list of) (nodes|elements|functions|surfaces)", kind):
        return "names"
    return "word" if kind == "word" and "one of `" in help else None


class Tables:
    """The fields of all kinds, by part, kind and the name of a map within it."""

    def __init__(self, text):
        self.table, self.same = {}, {}
        part = kind = inside = None
        for line in text.split("\n"):
            if heading := re.match(r"## (\w+)$", line):
                part, kind, inside = heading[1], None, ""
                kind = {"materials": "material", "nodes": "node", "run": "run", "sections": ""}.get(part)
            elif heading := re.match(r"### (\w+)$", line):
                kind, inside = heading[1], ""
            elif heading := re.match(r"`(\w+)`:$", line):
                inside = heading[1]
            elif heading := re.match(r"`(\w+)`: the same fields as `(\w+)` of \[(\w+)\]", line):
                self.same[part, kind, heading[1]] = part, heading[3], heading[2]
            elif (row := re.match(r"\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \| (.*) \|$", line)) and kind is not None:
                self.table.setdefault((part, kind, inside), {})[row[1]] = row[2], row[3], row[5]

    def fields(self, part, kind, inside=""):
        key = part, kind, inside
        return self.table.get(key) or self.table.get(self.same.get(key), {})


def trials(tables, part, kind, inside=(), depth=0):
    """Paths of fields and values to break them with."""
    section = part == "sections"  # its kinds are maps within it
    fields = tables.fields(part, "" if section else kind, inside[-1] if inside else kind if section and " " not in kind else "")
    for name, (type, unit, help) in fields.items():
        if name == "name" or name in FIELDS_OF_FILES:
            continue
        group = category(type, help)
        for value in VALUES.get(group, []):
            yield (*inside, name), value
        if group == "number" and unit not in ("any", ""):
            yield (*inside, name), "3 K" if unit != "K" else "3 m"
        if type == "map" and depth < 2 and not (section and " " in kind):
            yield from trials(tables, part, kind, (*inside, name), depth + 1)


def block_of(fields, indent):
    """Fields as lines of YAML."""
    return "".join(f"{indent}{name}:\n" + block_of(value, indent + "  ") if isinstance(value, dict) else f"{indent}{name}: {value}\n"
                   for name, value in fields.items())


def model_of(part, kind, fields):
    """The model with one more component."""
    out = {name: text for name, text in PARTS.items()}
    world = WORLD
    if part == "sections" and " " in kind:
        world = world.replace("functions:", "  tried:\n" + block_of(fields, "    ") + "functions:")
    elif part == "sections":
        world = world.replace("functions:", "  tried:\n    E: 1 GPa\n    nu: 0.3\n    density: 1000\n" + f"    {kind}:\n" + block_of(fields, "      ") + "functions:")
    elif part in ("materials", "nodes"):
        follows = {"materials": "sections:", "nodes": "materials:"}[part]
        world = world.replace(follows, "  tried:\n" + block_of(fields, "    ") + follows, 1)
    elif part == "run":
        world = world.replace("run: {step: 1 ms, end: 10 ms}\n", "run:\n" + block_of(fields, "  "))
    elif part in ("functions", "control"):
        entry = f"  tried:\n    {kind}:\n" + block_of(fields, "      ")
        world = world.replace("run:", entry + "run:") if part == "functions" else world + "control:\n" + entry
    else:
        done = "      do: [{end: motor}]\n" if part == "events" and "do" not in fields else ""
        out[part] = out.get(part, "") + f"  - {kind}:\n      name: tried\n" + block_of(fields, "      ") + done
    if part == "nodes":
        out["elements"] += "  - rigid_body: {node: tried, mass: 1, inertia: [1, 1, 1]}\n"
    if part == "events" and kind == "probe":
        out["probes"] = "  - {name: look, node: b}\n"
    if kind == "differential":
        out["joints"] = "  - revolute: {name: third_hinge, nodes: [ground, d], axis: [0, 1, 0]}\n" + out["joints"].replace("prismatic", "spherical").replace(
            "  - spherical: {name: rail, nodes: [ground, d], axis: [1, 0, 0]}\n", "")
    return world + "".join(f"{name}:\n{text}" for name, text in out.items())


def broken(fields, path, value):
    out = dict(fields)
    out[path[0]] = value if len(path) == 1 else broken(MAPS.get(path[0], {}), path[1:], value)
    return out


def place_of(text, part, path):
    """Line and column of the value of a field of the component that is tried."""
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if re.match(r"\s+(name: )?tried:?$", line) or (part == "run" and line == "run:"))
    at += part in ("functions", "control")  # the line of the kind
    for depth, name in enumerate(path):
        at = next(i for i in range(at + 1, len(lines)) if re.match(rf"\s+{name}:", lines[i]))
    return at + 1, lines[at].index(":") + 3


def errors_of(models):
    """The places of all errors of each model, by one command for many."""
    out = {}
    for first in range(0, len(models), 200):
        some = models[first:first + 200]
        for i, text in enumerate(some):
            write(f"caret{i}.yaml", text)
        said = limber("check", *[f"caret{i}.yaml" for i in range(len(some))])
        assert said.code in (0, 2), said.err[-2000:]
        for i in range(len(some)):
            out[first + i] = []
        for name, line, column, message in re.findall(r"^caret(\d+)\.yaml:(\d+):(\d+): error: (.*)$", said.err, re.M):
            out[first + int(name)].append((int(line), int(column), message))
    return out


@pytest.fixture(scope="module")
def tables(folder):
    return Tables(limber("describe", "--markdown").out)


def kinds_of(tables, part):
    listed = {kind for at, kind, inside in tables.table if at == part and kind and not inside}
    return listed - OTHER_NAMES - FILES


@pytest.mark.parametrize("part", GOOD)
def test_every_kind_of_a_part_is_tried(tables, part):
    if part != "sections":
        assert kinds_of(tables, part) == set(GOOD[part])


@pytest.mark.parametrize("part", GOOD)
def test_components_without_a_broken_field_have_no_errors(tables, part):
    found = errors_of([model_of(part, kind, fields) for kind, fields in GOOD[part].items()])
    assert [(kind, found[i]) for i, kind in enumerate(GOOD[part]) if found[i]] == []


@pytest.mark.parametrize("part", GOOD)
def test_the_caret_is_under_the_field_that_is_broken(tables, part):
    cases = [(kind, path, value) for kind in GOOD[part] for path, value in trials(tables, part, kind)]
    models = [model_of(part, kind, broken(GOOD[part][kind], path, value)) for kind, path, value in cases]
    found = errors_of(models)
    wrong, refused = [], 0
    for i, (kind, path, value) in enumerate(cases):
        line, column = place_of(models[i], part, path)
        refused += bool(found[i])
        meant = any(at == line and from_ >= column for at, from_, _ in found[i])
        name = f"{part} {kind} {'.'.join(path)}"
        if found[i] and not meant and not any(re.fullmatch(pattern, name) for pattern in ELSEWHERE):
            wrong.append((kind, ".".join(path), value, (line, column), found[i]))
        if value in ("word", "{x: 1}", "3 K", "3 m", "nobody", "nonsense", "{nonsense: 1}") and not found[i]:
            wrong.append((kind, ".".join(path), value, "no error"))
    assert wrong == [], f"{len(wrong)} of {refused} errors:\n" + "\n".join(map(str, wrong))
    assert refused > len(cases) // 4
