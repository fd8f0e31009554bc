# SPDX-License-Identifier: Apache-2.0
"""Type hints of the Python module: mypy finds no error in the module and in the code of docs/python.md, and finds wrong uses."""
import os
import re
import shutil
import subprocess

import pytest

from support import source, write

pytestmark = pytest.mark.skipif(not shutil.which("mypy"), reason="no mypy here")


def errors(*paths):
    """The errors that mypy finds in files that import the module from the sources."""
    found = subprocess.run(["mypy", "--check-untyped-defs", "--no-error-summary", "--cache-dir=cache", *map(str, paths)], text=True,
                           stdout=subprocess.PIPE, env={**os.environ, "MYPYPATH": str(source / "python")})
    return [line for line in found.stdout.splitlines() if ": note: " not in line]


def test_the_module_has_no_errors():
    assert errors(source / "python/limber", source / "python/generate.py") == []


def test_the_code_of_the_page_has_no_errors():
    blocks = re.findall(r"^```python\n(.*?)^```", (source / "docs/python.md").read_text(), re.M | re.S)
    write("page.py", "".join(blocks))
    assert len(blocks) > 5 and errors("page.py") == []


def test_one_kind_and_all_kinds_have_different_types():
    write("uses.py", """
import limber
limber.describe("elements", "beam").fields[0].unit.upper()
limber.describe("elements")["beam"].fields
limber.describe("elements", "beam")["beam"]
limber.describe("elements").fields
""")
    assert [re.match(r"uses.py:(\d+): error", line)[1] for line in errors("uses.py")] == ["5", "6"]


def test_words_of_fields_are_literals():
    write("words.py", """
import limber
limber.elements.spring(nodes=["a", "b"], side="tension")
limber.elements.spring(nodes=["a", "b"], side="pull")
limber.events.time(at=1, do={"lock": "hinge"}, repeat=True)
limber.events.time(at=1, do={"lock": "hinge"}, repeat="true")
limber.events.time(at=1, do={"lock": "hinge"}, repeat="often")
limber.read_blade("blade.dat", format="hawc2")
limber.read_blade("blade.dat", format="flex")
""")
    assert [re.match(r"words.py:(\d+): error", line)[1] for line in errors("words.py")] == ["4", "7", "9"]
