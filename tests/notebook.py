#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a notebook in the present folder: notebook.py NOTEBOOK [--write]

Code cells are executed in order. What a cell prints must be what the notebook contains, with numbers that agree as on other pages
(document.py); --write puts it there. The value of the last line of a cell is shown as a notebook shows it, by its _repr_html_. The whole
is written to NAME.html."""
import ast
import contextlib
import html
import io
import json
import pathlib
import sys

from document import match

STYLE = """<!DOCTYPE html><meta charset="utf-8"><style>
:root { color-scheme: light dark; } body { font: 14px sans-serif; max-width: 980px; margin: 20px auto; padding: 0 10px; }
pre { background: #8882; padding: 8px; white-space: pre-wrap; } td, th { padding: 2px 10px; }</style>
"""


def run_cell(source, names):
    """Executes a cell: what it prints, and the value of its last line."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "cell", "exec"), names)
            if last:
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    except Exception:
        print(f"{source}\nprints\n{printed.getvalue()}")
        raise
    return printed.getvalue(), value


def show(value):
    if value is None:
        return ""
    return value._repr_html_() if hasattr(value, "_repr_html_") else f"<pre>{html.escape(repr(value))}</pre>"


def stream(printed):
    return [{"name": "stdout", "output_type": "stream", "text": printed.splitlines(keepends=True)}] if printed else []


def run(notebook):
    """Executes all cells: the page, and the outputs that are not those of the notebook."""
    page, wrong, names = [STYLE], [], {"__name__": "__main__"}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        page.append(f"<pre>{html.escape(source)}</pre>")
        if cell["cell_type"] == "code":
            printed, value = run_cell(source, names)
            shown = "".join(line for output in cell["outputs"] for line in output["text"])
            if not match(printed.splitlines(), shown.splitlines()):
                wrong.append(f"{source}\nprints\n{printed}")
            cell["outputs"] = stream(printed)
            page.append((f"<pre>{html.escape(printed)}</pre>" if printed else "") + show(value))
    return "\n".join(page), wrong


def main():
    path = pathlib.Path(sys.argv[1])
    notebook = json.loads(path.read_text())
    page, wrong = run(notebook)
    pathlib.Path(path.stem + ".html").write_text(page)
    if "--write" in sys.argv:
        path.write_text(json.dumps(notebook, indent=1) + "\n")
    elif wrong:
        sys.exit("\n".join(wrong))
    print(f"{sum(cell['cell_type'] == 'code' for cell in notebook['cells'])} cells, as the notebook shows")


main()
