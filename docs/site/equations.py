#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Numbered equations of the theory.

    python3 docs/site/equations.py           prints label, number and chapter of every equation
    python3 docs/site/equations.py --check   tells where the sources cite an equation that is not there, or by another number
    python3 docs/site/equations.py --write   writes the numbers into chapters and sources: after a new equation or chapter

The chapters are plain Markdown that a forge shows with its mathematics. An equation with a number is

    <a id="eq-rows-work"></a>
    ```math
    ...
    \tag{2.3}
    ```

and a text cites it as [(2.3)](rows.md#eq-rows-work), a comment of a source as eq-rows-work (2.3). docs/theory/index.md lists the chapters in their order. Sphinx numbers
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
IN_SOURCE = re.compile(r"\b(eq-[a-z0-9]+(?:-[a-z0-9]+)+)(?: \((\d+\.\d+)\))?")


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


def sources(source):
    """C files, with their text."""
    for top in ("src", "include"):
        for folder, _, names in sorted(os.walk(os.path.join(source, top))):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def")):
                    path = os.path.join(folder, name)
                    with open(path) as f:
                        yield path, f.read()


def check(source):
    """Citations in sources that are wrong."""
    known = numbers(source)
    for path, text in sources(source):
        for m in IN_SOURCE.finditer(text):
            label, number = m.groups()
            at = f"{os.path.relpath(path, source)}:{text.count(chr(10), 0, m.start()) + 1}"
            if label not in known:
                yield f"{at}: there is no equation {label}"
            elif number and number != known[label][0]:
                yield f"{at}: {label} is equation {known[label][0]}, not {number}"


def write(source):
    known = numbers(source)
    for path, text in sources(source):
        new = IN_SOURCE.sub(lambda m: f"{m.group(1)} ({known[m.group(1)][0]})" if m.group(2) and m.group(1) in known else m.group(0), text)
        if new != text:
            with open(path, "w") as f:
                f.write(new)
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
    elif "--check" in sys.argv:
        print("".join(f"{wrong}\n" for wrong in check(os.environ.get("LIMBER_SOURCE", root))), end="")
    else:
        for name, (number, path) in numbers(root).items():
            print(f"{name:32} ({number})  {path}")
