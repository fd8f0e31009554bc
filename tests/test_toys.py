# SPDX-License-Identifier: Apache-2.0
"""One new thing is one file and one line. A copy of the tree gets a toy element, joint, load, analysis, importer and command,
the element and joint of docs/extend.md, and the analysis and quantity of docs/extend_analysis.md. It is built, and its contract tests run over these as over everything else."""
import math
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from support import h5py, source

tree = pathlib.Path("tree")
touched = {}
by_analysis_page = {}


def lines_of(path, text):
    """Adds lines to a list or header of the tree, before its last #endif if it has one."""
    file = tree / path
    old = file.read_text()
    at = old.rfind("#endif") if path.endswith(".h") else len(old)
    file.write_text(old[:at] + text + old[at:])
    return path, text.count("\n")


def like(path, new, *renames):
    """A file of the tree as a new one, with other names."""
    text = (tree / path).read_text()
    for old, now in renames:
        assert re.search(old, text), (path, old)
        text = re.sub(old, now, text)
    (tree / new).parent.mkdir(exist_ok=True)
    (tree / new).write_text(text)
    return new, None


def add_by_page(name):
    """What a page adds, section by section: new files, lines after a line that is there once, and models."""
    found = {}
    for section in re.split(r"^## Add an? ", (source / name).read_text(), flags=re.M)[1:]:
        changes = found["page: " + section.split("\n")[0]] = []
        for path, text in re.findall(r"`(src/\S+\.c)`[^`]*(?:`\w+`[^`]*)*```c\n(.*?)^```$", section, re.M | re.S):
            (tree / path).write_text(text)
            changes.append((path, None))
        for diff in re.findall(r"^```diff\n(.*?)^```$", section, re.M | re.S):
            for path, lines in re.findall(r"^\+\+\+ b/(\S+)\n((?:[ +].*\n|\+\n)+?)(?=---|\Z)", diff, re.M):
                before = "".join(line[1:] for line in lines.splitlines(True) if line[0] == " ")
                added = "".join(line[1:] for line in lines.splitlines(True) if line[0] == "+")
                old = (tree / path).read_text()
                assert old.count(before) == 1, (path, before)
                (tree / path).write_text(old.replace(before, before + added))
                changes.append((path, added.count("\n")))
        for model, text in re.findall(r"^```yaml\n# (\S+\.yaml)\n(.*?)^```$", section, re.M | re.S):
            pathlib.Path(model).write_text(text)
    return found


@pytest.fixture(scope="module", autouse=True)
def toys(folder):
    def left_out(folder, names):
        large = {"figures", "results"} if "examples" in pathlib.Path(folder).parts else set()
        return {"build", ".git", "node_modules"} | large
    shutil.copytree(source, tree, ignore=left_out)
    header = "include/limber/catalogue.h"
    touched["element"] = [like("src/elements/mass.c", "src/elements/toy_mass.c", ("element_mass", "element_toy_mass"),
                               ('"mass",\n    .help', '"toy_mass",\n    .help')),
                          lines_of("src/elements/elements.def", "ELEMENT(toy_mass, ToyMass)\n"),
                          lines_of(header, "typedef LimberMass LimberToyMass; /**< a toy */\n")]
    touched["joint"] = [like("src/joints/spherical.c", "src/joints/toy_ball.c", ("joint_spherical", "joint_toy_ball"),
                             ('"spherical"', '"toy_ball"')),
                        lines_of("src/joints/joints.def", "JOINT(toy_ball, ToyBall)\n"),
                        lines_of(header, "typedef LimberSpherical LimberToyBall; /**< a toy */\n")]
    touched["load"] = [like("src/loads/force.c", "src/loads/toy_force.c", ("load_force", "load_toy_force"), ('"force"', '"toy_force"')),
                       lines_of("src/loads/loads.def", "LOAD(toy_force, ToyForce)\n"),
                       lines_of(header, "typedef LimberForce LimberToyForce; /**< a toy */\n")]
    touched["analysis"] = [like("src/analyses/dynamic/dynamic.c", "src/analyses/toy/toy.c",
                                ("analysis_dynamic", "analysis_toy"), ('"dynamic"', '"toy"')),
                           lines_of("src/analyses/analyses.def", "ANALYSIS(toy)\n")]
    touched["importer"] = [like("src/input/importers/gmsh.c", "src/input/importers/toy.c", ("importer_gmsh", "importer_toy"),
                                ('.name = "gmsh"', '.name = "toy"')),
                           lines_of("src/input/importers/importers.def", "IMPORTER(toy)\n")]
    touched["command"] = [like("src/cli/report.c", "src/cli/toy.c", ("command_report", "command_toy"), ('"report"', '"toy"'),
                               ("limber_command_toy", "limber_command_report"), ("limber report", "limber toy"),
                               ('"report run', '"toy run')),
                          lines_of("src/cli/commands.def", "COMMAND(toy)\n")]
    touched.update(add_by_page("docs/extend.md"))
    by_analysis_page.update(add_by_page("docs/extend_analysis.md"))
    environment = dict(os.environ, CCACHE_BASEDIR=os.getcwd(), CCACHE_NOHASHDIR="1")
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    # without optimisation: its files are compiled anew after each change of a header
    for command in (["cmake", "-S", "tree", "-B", "made", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", *launcher],
                    ["cmake", "--build", "made", "-j", "2", "--target", "limber", "test_contracts", "test_analyses"]):
        done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout[-3000:]


def said(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def test_a_thing_is_one_file_and_one_line_and_a_kind_has_its_structure_in_the_public_header(measured):
    measured("; ".join(f"{k}: {sum(n is None for _, n in v)} file, {sum(n or 0 for _, n in v)} lines" for k, v in touched.items()))
    for kind, changes in touched.items():
        assert sum(lines is None for _, lines in changes) == 1
        assert [lines for path, lines in changes if path.endswith(".def")] == [1]
        assert len(changes) == (3 if kind in ("element", "joint", "load") or kind.startswith("page") else 2)


def test_contracts_hold_for_the_toys():
    out = said("made/tests/test_contracts")
    assert out.rstrip().endswith("0 failed"), out[-2000:]


def test_analyses_hold_for_the_toy():
    out = said("made/tests/test_analyses")
    assert out.rstrip().endswith("0 failed"), out[-2000:]


def history(model):
    """The last rows of the probes of a run."""
    out = said("made/bin/limber", "run", model + ".yaml", "-q", "-o", model + ".h5")
    assert os.path.exists(model + ".h5"), out
    with h5py.File(model + ".h5") as f:
        return {f"{probe}.{quantity}": data[:] for probe, of in f["history/probes"].items() for quantity, data in of.items()}


def test_the_element_of_the_page_follows_its_law_its_drag_and_reports_its_own_quantity(measured):
    found, end, mass, speed, orifice = history("absorber"), 0.4370096, 2, 3, 0.5
    slowed = 1 + orifice * speed * end / mass
    spring = {"elongation": found["a.position"][-1, 0] - 2, "force": found["spring.force"][-1, 0] / 36 - 1,
              "stored energy": found["spring.output"][-1, 0] / 9 - 1}
    oil = {"speed": found["b.velocity"][-1, 1] / (speed / slowed) - 1,
           "way": found["b.position"][-1, 1] - 1 - mass / orifice * math.log(slowed)}
    measured(", ".join(f"{k} {v:.1e}" for k, v in {**spring, **oil}.items()))
    assert all(abs(v) < 2e-10 for v in spring.values())  # 4.1e-11: the mass is at rest there
    assert all(abs(v) < 3e-7 for v in oil.values())  # 7.6e-8, of the square of the step
    assert found["spring.output"][0, 0] == 0


def test_the_joint_of_the_page_holds_its_node_and_carries_half_the_weight(measured):
    found = history("middle")
    x, y = found["c.position"][:, 0], found["c.position"][-1, 1]
    errors = {"x": max(abs(x)), "y": y - (1 + 4 * 0.5 - 0.5 * 9.81 * 0.25), "multiplier": abs(found["plane.multiplier"][-1, 0]) / 3 - 1}
    measured(", ".join(f"{k} {v:.1e}" for k, v in errors.items()))
    assert all(abs(v) < 1e-12 for v in errors.values())


@pytest.mark.parametrize("kind", ["toy_mass", "toy_ball", "toy_force", "shock_absorber", "equidistant"])
def test_a_toy_is_described(kind):
    assert said("made/bin/limber", "describe", kind).startswith(kind + ", a kind of ")


def test_importer_and_command_are_there():
    assert re.search("^ *toy", said("made/bin/limber", "describe", "mesh"), re.M)
    assert "usage: limber toy" in said("made/bin/limber", "toy", "--help")


def test_a_model_of_toys_runs():
    pathlib.Path("toys.yaml").write_text("""limber: 1
nodes: {a: {at: [1, 0, 0], kind: point}, b: {at: [2, 0, 0]}}
elements:
  - toy_mass: {node: a, mass: 1}
  - rigid_body: {node: b, mass: 1, inertia: [1, 1, 1]}
joints:
  - toy_ball: {nodes: [b, a]}
loads:
  - toy_force: {node: a, direction: [0, 3, 0]}
run: {end: 0.1, step: 0.01}
""")
    out = said("made/bin/limber", "run", "toys.yaml", "-o", "toys.h5")
    assert os.path.exists("toys.h5"), out


def test_the_page_has_two_files_of_an_analysis_and_lines_of_lists():
    changes = [change for section in by_analysis_page.values() for change in section]
    assert [path for path, lines in changes if lines is None] == ["src/input/analyses/sag.c", "src/app/sag.c"]
    assert sorted(path for path, lines in changes if lines and path.endswith(".def")) == [
        "src/input/analyses/point_analyses.def", "src/quantities/quantities.def"]


def test_the_analysis_finds_what_springs_and_weights_say():
    out = said("made/bin/limber", "sag", "hanging.yaml")
    assert "2 nodes, the largest displacement is 0.0196 m" in out
    with h5py.File("hanging.sag.h5") as f:
        displacement = f["history/sag/displacement"]
        assert displacement.attrs["units"] in ("m", b"m")
        assert displacement[1] == pytest.approx([0, 0, -2 * 9.8 / 1000], abs=1e-12)
        assert f["history/sag/position"][1][2] == pytest.approx(1 - 0.0196)


def test_help_part_and_columns_of_the_analysis_follow_from_its_descriptor():
    assert "usage: limber sag model.yaml [-o bridge.h5]" in said("made/bin/limber", "sag", "--help")
    described = said("made/bin/limber", "describe", "sag")
    assert re.search("^  time .* s .*time at which loads are evaluated$", described, re.M)
    assert re.search("^  sag.displacement +m ", described, re.M)
    pathlib.Path("wrong.yaml").write_text(pathlib.Path("hanging.yaml").read_text().replace("{time: 0 s}", "{tine: 0 s}"))
    assert "sag has no field 'tine'; did you mean 'time'?" in said("made/bin/limber", "sag", "wrong.yaml")


def test_the_quantity_is_recorded_and_described():
    out = said("made/bin/limber", "run", "free.yaml")
    assert os.path.exists("free.h5"), out
    with h5py.File("free.h5") as f:
        speed = f["history/probes/body/speed"]
        assert speed[:].ravel() == pytest.approx(5)
        assert speed.attrs["units"] in ("m s-1", b"m s-1")
    assert "speed" in said("made/bin/limber", "describe", "probe")
