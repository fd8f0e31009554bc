# SPDX-License-Identifier: Apache-2.0
"""Type hints of the Python module: mypy finds no error in the module and in the code of docs/python.md, and finds wrong uses."""
import os
import re
import shutil
import subprocess
import sys

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


def test_every_public_function_has_hints_for_all_it_takes_and_returns():
    write("hints.py", """
import inspect, limber
def bare(name, function):
    signature = inspect.signature(function)
    given = [p for p in list(signature.parameters.values()) if p.name not in ("self", "cls")]
    missing = [p.name for p in given if p.annotation is p.empty] + ["return"] * (signature.return_annotation is signature.empty and "__init__" not in name)
    return [f"{name}: {', '.join(missing)}"] if missing else []
def methods(kind):
    for name, member in vars(kind).items():
        member = getattr(member, "__func__", member.fget if isinstance(member, property) else member)
        if inspect.isfunction(member) and (name == "__init__" or not name.startswith("_")):
            yield f"{kind.__name__}.{name}", member
found, count = [], 0
for name in limber.__all__:
    thing = getattr(limber, name)
    for what, function in [(name, thing)] if inspect.isfunction(thing) else methods(thing):
        count += 1
        found += bare(what, function)
print(count > 150, found)
""")
    done = subprocess.run([sys.executable, "hints.py"], text=True, env={**os.environ, "PYTHONPATH": str(source / "python")},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.stdout == "True []\n"


def test_columns_and_structures_have_types_that_editors_complete():
    write("complete.py", """
import limber
run = limber.Model("a.yaml").start()
reveal_type(run["tip.x"].unit)
reveal_type(run.ledger.kinetic)
reveal_type(limber.modes("a.yaml")[0].frequency)
reveal_type(run.node("tip").position)
reveal_type(limber.Model("a.yaml").options.step)
""")
    found = subprocess.run(["mypy", "--cache-dir=cache", "complete.py"], text=True, stdout=subprocess.PIPE,
                           env={**os.environ, "MYPYPATH": str(source / "python")})
    assert re.findall(r'is "([a-z.]+)', found.stdout) == ["builtins.str", "builtins.float", "builtins.float", "numpy.ndarray", "builtins.float"]


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
