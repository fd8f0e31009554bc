# SPDX-License-Identifier: Apache-2.0
"""Pages that walk through the code name functions that are there."""
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(os.environ.get("LIMBER_SOURCE", pathlib.Path(__file__).resolve().parent.parent))
PAGES = sorted((ROOT / "docs").glob("walk_*.md"))
STEP = re.compile(r"^\d+\. `(\w+)`, `(src/[\w/.]+)`", re.M)


def defines(text, function):
    return re.search(rf"^(?!\s|//|\*)[^;{{}}\n]*\b{function}\((?:[^;{{}}]|\n)*\{{", text, re.M)


def test_there_are_walks():
    assert len(PAGES) == 3


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_each_step_names_a_function_that_its_file_defines(page):
    steps = STEP.findall(page.read_text())
    numbers = re.findall(r"^\d+\. ", page.read_text(), re.M)
    assert len(steps) == len(numbers) >= 6
    missing = [(f, path) for f, path in steps if not (ROOT / path).is_file() or not defines((ROOT / path).read_text(), f)]
    assert not missing


def test_a_function_that_is_called_only_is_not_found():
    assert not defines("int f(void) {\n  g(1);\n}\nint g(int a);\n", "g")
    assert defines("static Error g(int a,\n               int b) {\n", "g")
