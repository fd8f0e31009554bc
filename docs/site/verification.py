#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of verified quantities, docs/verification.md, from what `limber verify --json` prints.

    limber verify ... --json | python3 docs/site/verification.py --write   writes the page; examples that were not run keep their table
    python3 docs/site/verification.py --check                              reports where the page and the files expected.yaml differ

The page shows what was found; example, quantity, tolerance and source must be those of the files, in their order. The tables
of the examples' own pages that begin with RESULT show rows of this page; --write also writes these."""
import glob
import json
import os
import re
import sys

import yaml

root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
page = os.path.join(root, "docs/verification.md")
LONG = 200  # seconds, of an example that may be left out
SHORT = "differs by more than is allowed"
SAME = "″"  # the source of the line above
RESULT = "| quantity | reference | Limber | difference | source |"
HEAD = """# Verified quantities

Results of `limber verify` next to their references and sources: published numbers, closed forms, theorems, independent
programs. [verify.md](verify.md) explains what is measured and how. A difference in % is relative to the reference; ″ is
the source of the line above.
`limber verify --all --json | python3 docs/site/verification.py --write` writes this page.
"""


class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """Numbers as they are written."""


Loader.yaml_implicit_resolvers = {
    k: [(tag, r) for tag, r in v if not tag.endswith((":float", ":int"))] for k, v in Loader.yaml_implicit_resolvers.items()
}


def folder(path):
    return os.path.basename(os.path.dirname(path))


def link(name):
    return f"../examples/{name}/README.md" if os.path.exists(os.path.join(root, "examples", name)) else "../benchmarks/README.md#long-runs"


def expected():
    """Of each example its title, of each quantity name, tolerance and source, and whether it takes long."""
    out = {}
    paths = glob.glob(os.path.join(root, "examples/*/expected.yaml")) + glob.glob(os.path.join(root, "benchmarks/long/*/expected.yaml"))
    for path in sorted(paths, key=folder):
        with open(path) as f:
            e = yaml.load(f, Loader)
        rows = [(q["name"], tolerance("relative" in q, float(q.get("relative", q.get("absolute")))), q["source"]) for q in e["quantities"]]
        out[folder(path)] = (e.get("title", ""), rows, float(e.get("seconds", 0)) >= LONG)
    return out


def number(x, digits=8):
    return f"{x:.{digits}g}"


def tolerance(relative, x):
    return number(100 * x, 3) + " %" if relative else number(x, 3)


def escape(text):
    return re.sub(r"([|*_<\[\]`])", r"\\\1", " ".join(text.split()))


def row(q):
    relative = "relative" in q
    if "found" not in q:
        found, off = q.get("wrong", "nothing"), ""
    else:
        off = q["found"] - q["reference"]
        off = f"{100 * off / abs(q['reference']):+.2g} %" if relative else f"{off:+.2g}"
        found = number(q["found"])
    units = "" if q.get("units", "1") == "1" else " " + q["units"]
    texts = [escape(q["quantity"]), number(q["reference"]) + units, escape(found), off, tolerance(relative, q.get("relative", q.get("absolute"))),
             escape(q["source"])]
    texts[2] += "" if q["good"] else " **" + SHORT + "**"
    return "| " + " | ".join(texts) + " |"


def cells(line):
    return [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]


def with_sources(lines):
    """The lines of a table, each with its source."""
    source = ""
    for line in lines:
        head, _, last = line.removesuffix(" |").rpartition(" | ")
        source = source if last == SAME else last
        yield f"{head} | {source} |"


def without_repetition(lines):
    """The same lines as the page shows them."""
    above = None
    for line in lines:
        head, _, source = line.removesuffix(" |").rpartition(" | ")
        yield f"{head} | {SAME if source == above else source} |"
        above = source


def tables():
    """The lines of the page by example, each with its source."""
    if not os.path.exists(page):
        return {}
    with open(page) as f:
        parts = re.split(r"^## \[(.*?)\].*$", f.read(), flags=re.M)[1:]
    return {name: list(with_sources(line for line in text.split("\n") if line.startswith("| ") and not line.startswith("| quantity")))
            for name, text in zip(parts[::2], parts[1::2])}


def write():
    known, lines = tables(), {}
    for q in json.load(sys.stdin):
        lines.setdefault(q["example"], []).append(row(q))
    known.update(lines)
    text, count = "", 0
    for name, (title, _, _) in expected().items():
        if name not in known:
            print(f"{name} has not been run and has no table")
            continue
        count += len(known[name])
        text += f"\n## [{name}]({link(name)})\n\n" + (f"{escape(title)}\n\n" if title else "")
        text += "| quantity | reference | found | difference | allowed | source |\n|---|---|---|---|---|---|\n" + "\n".join(without_repetition(known[name])) + "\n"
    long = sum(not link(name).endswith("README.md") for name in known)
    with open(page, "w") as f:
        f.write(HEAD + f"\n{count} quantities of {len(known) - long} examples and {long} long runs; {text.count(SHORT) or 'none'} {SHORT}.\n" + text)
    for path, text in results().items():
        with open(path, "w") as f:
            f.write(text)


def result_lines(text, rows):
    """The lines of an example's page, those of a result table as `rows` has them; one that is not there is an error."""
    fresh = {(c[0], c[5]): "| " + " | ".join([*c[:4], c[5]]) + " |" for c in map(cells, rows)}
    inside = False
    for line in text.split("\n"):
        inside = line == RESULT or inside and line.startswith("|")
        c = cells(line) if inside and line != RESULT and not line.startswith("|---") else None
        yield line if c is None else fresh.get((c[0], c[-1]), f"{line} not in docs/verification.md")


def results():
    """The pages of the examples, with the rows of their result tables as this page has them."""
    known, out = tables(), {}
    for path in sorted(glob.glob(os.path.join(root, "examples/*/README.md"))):
        with open(path) as f:
            out[path] = "\n".join(result_lines(f.read(), known.get(folder(path), [])))
    return out


def check():
    known, wrong = tables(), []
    for name, (_, rows, long) in expected().items():
        if long and name not in known:
            continue
        found = [cells(line) for line in known.pop(name, [])]
        have = [(c[0], c[4], c[5]) for c in found]
        want = [(escape(a), b, escape(c)) for a, b, c in rows]
        if have != want:
            first = next((w for h, w in zip(have, want) if h != w), None) or f"{len(have)} quantities instead of {len(want)}"
            wrong.append(f"docs/verification.md: {name} is not as its expected.yaml: {first}")
        wrong += [f"docs/verification.md: {name}: {c[0]} {SHORT}" for c in found if SHORT in c[2]]
    wrong += [f"docs/verification.md: there is no example {name}" for name in known]
    for path, text in results().items():
        with open(path) as f:
            if f.read() != text:
                wrong.append(f"{os.path.relpath(path, root)}: its results are not those of docs/verification.md")
    if wrong:
        raise SystemExit("\n".join(wrong))


if "--write" in sys.argv:
    write()
else:
    check()
