# SPDX-License-Identifier: Apache-2.0
"""What docs/extend_analysis.md adds to a copy of the tree can be built, and its models give their exact solutions."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from support import h5py, source

tree = pathlib.Path("tree")
page = (source / "docs/extend_analysis.md").read_text()
files = re.findall(r"`(src/\S+\.c)`[^`]*(?:`\w+`[^`]*)*```c\n(.*?)^```$", page, re.M | re.S)
diffs = re.findall(r"^--- a/(\S+)\n\+\+\+ b/\1\n ([^\n]*\n)((?:\+[^\n]*\n)+)", page, re.M)


@pytest.fixture(scope="module", autouse=True)
def built(folder):
    def left_out(folder, names):
        return {"build", ".git", "node_modules"} | ({"figures", "results"} if "examples" in pathlib.Path(folder).parts else set())
    shutil.copytree(source, tree, ignore=left_out)
    for path, text in files:
        (tree / path).write_text(text)
    for path, before, added in diffs:
        old = (tree / path).read_text()
        assert old.count(before) == 1, (path, before)
        (tree / path).write_text(old.replace(before, before + re.sub("^\\+", "", added, flags=re.M)))
    for name, text in re.findall(r"^```yaml\n# (\S+\.yaml)\n(.*?)^```$", page, re.M | re.S):
        pathlib.Path(name).write_text(text)
    environment = dict(os.environ, CCACHE_BASEDIR=os.getcwd(), CCACHE_NOHASHDIR="1")
    launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    for command in (["cmake", "-S", "tree", "-B", "made", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Dev", *launcher],
                    ["cmake", "--build", "made", "-j", "2", "--target", "limber"]):
        done = subprocess.run(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout[-3000:]


def said(*words):
    done = subprocess.run(["made/bin/limber", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def test_the_page_has_two_files_of_an_analysis_and_lines_of_lists():
    assert [path for path, _ in files] == ["src/input/analyses/sag.c", "src/app/sag.c"]
    assert sorted(path for path, _, _ in diffs if path.endswith(".def")) == [
        "src/input/analyses/point_analyses.def", "src/quantities/quantities.def"]


def test_the_analysis_finds_what_springs_and_weights_say():
    out = said("sag", "hanging.yaml")
    assert "2 nodes, the largest displacement is 0.0196 m" in out
    with h5py.File("hanging.sag.h5") as f:
        displacement = f["history/sag/displacement"]
        assert displacement.attrs["units"] in ("m", b"m")
        assert displacement[1] == pytest.approx([0, 0, -2 * 9.8 / 1000], abs=1e-12)
        assert f["history/sag/position"][1][2] == pytest.approx(1 - 0.0196)


def test_help_part_and_columns_of_the_analysis_follow_from_its_descriptor():
    assert "usage: limber sag model.yaml [-o bridge.h5]" in said("sag", "--help")
    described = said("describe", "sag")
    assert re.search("^  time .* s .*loads are those at this time$", described, re.M)
    assert re.search("^  sag.displacement +m ", described, re.M)
    pathlib.Path("wrong.yaml").write_text(pathlib.Path("hanging.yaml").read_text().replace("{time: 0 s}", "{tine: 0 s}"))
    assert "sag has no field 'tine'; did you mean 'time'?" in said("sag", "wrong.yaml")


def test_the_quantity_is_recorded_and_described():
    out = said("run", "free.yaml")
    assert os.path.exists("free.h5"), out
    with h5py.File("free.h5") as f:
        speed = f["history/probes/body/speed"]
        assert speed[:].ravel() == pytest.approx(5)
        assert speed.attrs["units"] in ("m s-1", b"m s-1")
    assert "speed" in said("describe", "probe")
