# SPDX-License-Identifier: Apache-2.0
"""The notebooks of docs/notebooks run, print what they contain, and their pages are shown by a browser; what models and results show."""
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from support import needs, program, sanitizer, source, write

NOTEBOOKS = sorted(path.stem for path in (source / "docs/notebooks").glob("*.ipynb"))
MODULE = pathlib.Path(program).parent.parent / "python"


def python(*words):
    """A Python that has the module."""
    environment = {**os.environ, **sanitizer(), "PYTHONPATH": str(MODULE), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, *map(str, words)], text=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def content(name):
    return json.loads((source / f"docs/notebooks/{name}.ipynb").read_text())


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_and_prints_what_it_contains(name):
    done = python(source / "tests/notebook.py", source / f"docs/notebooks/{name}.ipynb")
    assert done.returncode == 0, done.stdout
    assert re.search(r"\d+ cells, as the notebook shows", done.stdout)


def test_every_field_has_a_notebook_that_its_page_names():
    assert NOTEBOOKS == ["cables", "machines", "space", "wind"]
    for name in NOTEBOOKS:
        assert f"(notebooks/{name}.ipynb)" in (source / f"docs/for_{name}.md").read_text()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_small_and_checks_its_numbers(name):
    cells = [cell for cell in content(name)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] is None for cell in cells)
    assert all(output["output_type"] == "stream" for cell in cells for output in cell["outputs"])
    assert sum("assert " in "".join(cell["source"]) for cell in cells) >= 4
    assert (source / f"docs/notebooks/{name}.ipynb").stat().st_size < 20_000


def test_a_number_that_is_wrong_is_noticed():
    cell = {"cell_type": "code", "source": ["print(1.5)"], "outputs": [{"output_type": "stream", "text": ["1.6\n"]}]}
    write("wrong.ipynb", json.dumps({"cells": [cell]}))
    done = python(source / "tests/notebook.py", "wrong.ipynb")
    assert done.returncode == 1 and done.stdout == "print(1.5)\nprints\n1.5\n\n", done.stdout


def test_a_browser_shows_a_notebook_light_and_dark():
    needs("chromium")
    from browser import Page
    python(source / "tests/notebook.py", source / "docs/notebooks/space.ipynb")
    with Page("file://" + os.path.abspath("space.html"), 1000, 900, "document.readyState == 'complete'") as page:
        assert page.errors == []
        assert page.value("document.querySelectorAll('img').length") == 1 and page.value("document.querySelector('img').naturalWidth") > 100
        names = page.value("[...document.querySelectorAll('td:first-child')].map(td => td.textContent)")
        assert {"root.angle", "tip.position.x", "ledger.kinetic"} < set(names)
        colours = []
        for dark in (False, True):
            page.dark(dark)
            colours.append(page.value("getComputedStyle(document.querySelector('td')).color"))
        assert len(set(colours)) == 2
        frames = page.value("[...document.querySelectorAll('iframe')].map(f => f.srcdoc)")
        assert len(frames) == 1 and page.value("document.querySelector('iframe').sandbox.value") == "allow-scripts"
        write("frame.html", frames[0])
        page.open("file://" + os.path.abspath("frame.html"), "window.limber && limber.ready")
        assert page.errors == []


def test_a_page_that_is_too_large_becomes_a_picture():
    needs("chromium")
    write("large.py", """
import limber
run = limber.Model(limber.new("pendulum", force=True), {"run.end": "0.1 s"}).start(output="large.h5").advance()
small = run._repr_html_()
limber.notebook.LARGEST = 100_000
large = limber.Results("large.h5")._repr_html_()
print("<iframe" in small, "<iframe" in large, 'src="data:image/png' in large, len(large) < 300_000, "limber.view(" in large)
""")
    done = python("large.py")
    assert done.stdout.split() == ["True", "False", "True", "True", "True"], done.stdout
