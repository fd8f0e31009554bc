#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Numbered equations of the theory.

    python3 docs/site/equations.py           prints label, number and chapter of every equation
    python3 docs/site/equations.py --write   writes the numbers into the chapters: after a new equation or chapter

The chapters are plain Markdown that a forge shows with its mathematics. An equation with a number is

    <a id="eq-rows-work"></a>
    ```math
    ...
    \tag{2.3}
    ```

and a text cites it as [(2.3)](rows.md#eq-rows-work). docs/theory/index.md lists the chapters in their order. Sphinx numbers
equations itself; stage.py takes the tags off for it, and refuses a number that differs from its own count."""
import os
import re
import sys

FOLDER = "docs/theory/"
INDEX = FOLDER + "index.md"
CHAPTER = re.compile(r"^\d+\. \[[^\]]*\]\(([a-z_]+\.md)\)", re.M)
EQUATION = re.compile(r'^<a id="(eq-[a-z0-9-]+)"></a>\n+```math\n(.*?)\n\\tag\{([^}]*)\}\n```$', re.S | re.M)
DISPLAY = re.compile(r"^```math$", re.M)
CITED = re.compile(r"\[\(([^()\]]*)\)\]\(([^()#\s]*)#(eq-[a-z0-9-]+)\)")


def chapters(source):
    """Paths of the chapters in the order of the index."""
    path = os.path.join(source, INDEX)
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return [FOLDER + name for name in CHAPTER.findall(f.read())]


def numbers(source):
    """Of each label its number and its chapter."""
    out = {}
    for i, path in enumerate(chapters(source), 1):
        if not os.path.exists(os.path.join(source, path)):
            continue
        with open(os.path.join(source, path)) as f:
            for k, found in enumerate(EQUATION.finditer(f.read()), 1):
                if found.group(1) in out:
                    raise SystemExit(f"{path}: {found.group(1)} labels two equations")
                out[found.group(1)] = (f"{i}.{k}", path)
    return out


def for_sphinx(page, text, known):
    """The text with equations and citations of them as MyST has them; and what is wrong with their numbers."""
    wrong = []

    def equation(m):
        label, body, tag = m.groups()
        if known.get(label, ("",))[0] != tag:
            wrong.append(f"{page}: {label} is equation {known.get(label, ('none',))[0]}, not {tag}; equations.py --write sets it right")
        return f"```{{math}}\n:label: {label}\n\n{body}\n```"

    def cited(m):
        number, to, label = m.groups()
        if label not in known:
            wrong.append(f"{page}: there is no equation {label}")
            return m.group(0)
        home = os.path.normpath(os.path.join(os.path.dirname(page), to)) if to else page
        if known[label] != (number, home):
            wrong.append(f"{page}: {label} is equation {known[label][0]} of {known[label][1]}, not {number} of {home}")
        return f"{{eq}}`{label}`"

    text = EQUATION.sub(equation, text)
    text = DISPLAY.sub("```{math}", text)
    return CITED.sub(cited, text), wrong


def write(source):
    known = numbers(source)
    for path in (*chapters(source), INDEX):
        with open(os.path.join(source, path)) as f:
            text = f.read()
        new = EQUATION.sub(lambda m: m.group(0).replace(f"\\tag{{{m.group(3)}}}", f"\\tag{{{known[m.group(1)][0]}}}"), text)
        new = CITED.sub(lambda m: f"[({known.get(m.group(3), ('?',))[0]})]({m.group(2)}#{m.group(3)})", new)
        if new != text:
            with open(os.path.join(source, path), "w") as f:
                f.write(new)


if __name__ == "__main__":
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    if "--write" in sys.argv:
        write(root)
    else:
        for name, (number, path) in numbers(root).items():
            print(f"{name:32} ({number})  {path}")
