#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lines of Markdown have 120 columns at most; tables, code, comments, headings and what has no blank to break at may be longer.

    python3 docs/site/wrap.py FILE ...           tells of lines that are longer
    python3 docs/site/wrap.py --write FILE ...   fills the paragraphs and items of lists that have such a line anew

Without files: all pages of the repository but those that a program writes."""
import os
import re
import sys

from stage import files

WIDTH = 120
GENERATED = {"docs/reference.md"}
ITEM = re.compile(r"( *)([-*+]|\d+[.)]) +")
WORD = re.compile(r"(?:`+[^`]*`+|\$[^$\s][^$]*\$|\]\([^)\s]*\)|\S)+")  # code, formulas and addresses of links stay whole
MARKER = re.compile(r"([-+*]|\d+[.)]|#{1,6}|=+|-+)$|[|<>%:]|\+\+\+|```|~~~")  # at the start of a line it would be more than text
OTHER = re.compile(r" *(\||#|<|!\[[^\]]*\]\([^)]*\)$|\[[^\]]+\]: |(-{3,}|\*{3,})$)")


def blocks(lines):
    """(first, last, indent of the first line, indent of the others) of each paragraph and item; all else is left out."""
    out, start, hang, fence, blank, inner = [], None, 0, None, True, 0

    def end(i):
        nonlocal start
        if start is not None:
            out.append((start, i, hang))
        start = None

    for i, line in enumerate(lines):
        text = line.strip()
        if fence:
            if text.endswith("-->") if fence == "-->" else text.startswith(fence) and not text.strip(fence[0]):
                fence = None
            continue
        mark = re.match(r" *(`{3,}|~{3,})", line)
        item = ITEM.match(line)
        indent = len(line) - len(line.lstrip())
        if mark:
            end(i)
            fence, blank = mark.group(1), False
        elif text.startswith("<!--") and not text.endswith("-->"):
            end(i)
            fence = "-->"
        elif not text:
            end(i)
            blank = True
        elif OTHER.match(line):
            end(i)
            blank, inner = False, inner if indent else 0
        elif item and (start is None or indent <= inner + 3):
            end(i)
            start, hang, inner, blank = i, item.end(), item.end(), False
        elif start is None:
            if not indent:
                inner = 0
            if not (blank and indent >= inner + 4):  # else code
                start, hang = i, indent
                blank = False
        if start is not None and line.endswith(("  ", "\\")):  # a break that is meant
            end(i + 1)
    end(len(lines))
    return out


def fill(lines, hang):
    first = re.match(r" *", lines[0]).group(0)
    words = WORD.findall(" ".join(line.strip() for line in lines))
    rows, row = [], [words[0]]
    for word in words[1:]:
        margin = len(first) if not rows else hang
        if margin + len(" ".join(row)) + 1 + len(word) <= WIDTH:
            row.append(word)
            continue
        move = [word]
        while MARKER.match(move[0]) and len(row) > 1:
            move.insert(0, row.pop())
        rows.append(row)
        row = move
    rows.append(row)
    return [(first if i == 0 else " " * hang) + " ".join(r) for i, r in enumerate(rows)]


def splits(line):
    """Whether a line has a blank to break at."""
    body = line[ITEM.match(line).end():] if ITEM.match(line) else line.strip()
    return len(WORD.findall(body)) > 1


def wrap(text):
    """The text with long paragraphs filled anew, and the numbers of lines that are too long."""
    lines, out, long, at = text.split("\n"), [], [], 0
    for start, end, hang in blocks(lines):
        out += lines[at:start]
        part = lines[start:end]
        over = [start + i + 1 for i, line in enumerate(part) if len(line.rstrip()) > WIDTH and splits(line)]
        new = fill(part, hang) if over else part
        if new != part:
            long += over
        out += new
        at = end
    return "\n".join(out + lines[at:]), long


def pages(root):
    return sorted(f for f in files(root) if f.endswith(".md") and f not in GENERATED)


def main():
    root = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    names = [a for a in sys.argv[1:] if a != "--write"]
    for name in names or pages(root):
        path = name if names else os.path.join(root, name)
        with open(path) as f:
            text = f.read()
        new, long = wrap(text)
        if "--write" in sys.argv:
            if new != text:
                with open(path, "w") as f:
                    f.write(new)
        else:
            for line in long:
                print(f"{name}:{line}: longer than {WIDTH} columns")


if __name__ == "__main__":
    main()
