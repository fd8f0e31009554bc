# SPDX-License-Identifier: Apache-2.0
"""Names of model files that have changed: files with the old ones are read, warn once for each name, and give the same bits."""
import pathlib
import re
import shutil

import pytest

from support import h5, limber, run, source


def old_names():
    """The table of the reader: kinds and fields, the new name of each to the old one."""
    text = (source / "src/input/yaml/old_names.c").read_text()
    return {now: old for old, now in re.findall(r'\{"(\w+)", "(\w+)"\},', text)}


def written_before(text):
    """A model file as version 0.1 had it. `thickness` is a field of cells, too, which never had another name."""
    def back(m):
        return m[0] if m[2] == "thickness" and re.match(r"[^\n]*cells|[^\n]*mesh", text[text.rfind("\n", 0, m.start()) + 1:]) \
            else m[1] + names[m[2]] + ":"
    names = old_names()
    return re.sub(r"((?:^|[ {,])- |[{,] *|(?m:^ +))(%s):(?=\s)" % "|".join(names), back, text)


def test_ten_names_have_changed():
    assert len(old_names()) == 10


MODELS = ["tests/models/contact.yaml", "src/cli/templates/boom.yaml", "src/cli/templates/blade.yaml", "tests/models/steps/strut.yaml"]


@pytest.mark.parametrize("path", MODELS)
def test_a_run_with_old_names_has_the_bits_of_one_with_new_names(path):
    new = (source / path).read_text()
    old = written_before(new)
    assert old != new
    open("new.yaml", "w").write(new)
    open("old.yaml", "w").write(old)
    changed = {n for n in old_names().values() if len(re.findall(rf"\b{n}:", old)) > len(re.findall(rf"\b{n}:", new))}
    said = limber("check", "old.yaml")
    assert said.code == 0
    assert said.err.count("the old name works in this version") == len(changed)
    for name in "new", "old":
        run(f"{name}.yaml", f"{name}.h5", "--set", "run.end=0.02")
    with h5("new.h5") as a, h5("old.h5") as b:
        names = []
        a.visit(names.append)
        assert [n for n in names if n.startswith("history")]
        for n in names:
            if n.startswith("history") and hasattr(a[n], "shape"):
                assert a[n][()].tobytes() == b[n][()].tobytes(), n



def test_an_example_verifies_with_old_names():
    name = "plane_pendulum"
    shutil.copytree(source / "examples" / name, name)
    for file in pathlib.Path(name).glob("*.yaml"):
        file.write_text(written_before(file.read_text()))
    assert "carried_point:" in pathlib.Path(name, "points.yaml").read_text()
    new, old = limber("verify", source / "examples" / name), limber("verify", f"./{name}")
    assert new.code == 0 and old.code == 0, old.out
    good = [line for line in new.lines if " pass " in line]
    assert len(good) > 3
    assert [line for line in old.lines if " pass " in line] == good
