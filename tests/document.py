#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries everything that a page shows: document.py PAGE [--figures]

The page is read in order, in the present folder. What happens to a block depends on its language:

  console     lines that begin with `$ ` are run; the lines below each are what it prints. A line `...` stands for any lines.
              A command that is shown with an error must end with code 2, any other with 0
  sh          every line is run and must end with code 0
  yaml        a model goes through `limber check`, a study through `limber study --check`. A first line `# NAME.yaml` names its
              file; a part of a model is checked together with the rest of it (mark `base`)
  python      all blocks of the page are one program, which is run after the commands
  c           is compiled, as the body of a function; above a line `...` are things that stand outside of it
  text        is what a command prints (mark `printed by`), with any lines before and after it, or a file (mark `file`)
  math and blocks of Sphinx are left to the test of the site

A block must name its language; those of examples need not.

Marks are comments of the page, which the site does not show, on the lines above a block:

  <!-- file: NAME -->           the block is this file; further blocks of the same name continue it
  <!-- base: NAME [KEY] -->     the block is added to the model NAME, as items of its part KEY if it has no key of its own
  <!-- copy of: PATH -->        the block is the same as this file of the repository
  <!-- declared: C code -->     what a block of C uses
  <!-- printed by: COMMAND -->  the block is what this prints, or what the code of the page prints: `printed by: python`
  <!-- tested by: PATH -->      this test builds or runs the block
  <!-- not run: WHY -->         the block is not tried; marks without a reason are errors

  <!-- setup: commands -->      runs commands that readers do not need, such as copies of example files
  <!-- file: NAME (a line's end, and its text) -->   makes a file that is not shown

Numbers agree to 0.1 %; times of the machine, megabytes and counts of iterations are not compared, and what is smaller than 1e-8 is
round-off. A picture tutorial_NAME of the page is a file NAME that a command wrote; --figures copies it to its place."""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")
BLANKS = re.compile(" +#")  # a number of a column may have fewer digits
FREE = re.compile(r"[\d.]+(?= s left| MB| iterations| a step;)|(?<=, in )[\d.]+(?= s)|(?<=the last residual was )\S+")
PIECE = re.compile(r"^ *<!-- *(?P<mark>file|base|copy of|declared|printed by|tested by|not run|setup):(?P<value>.*?)-->$"
                   r"|^(?P<indent> *)```(?P<kind>\S*)[^\n]*\n(?P<body>.*?)^(?P=indent)```$"
                   r"|(?<=\n\n)(?P<plain>(?: {4}[^\n]*\n|\n(?= {4}))+)", re.M | re.S)
COMMAND = re.compile(r"(limber|mpiexec|python3|cc|cmake|\./|\$) ?")
ERROR = re.compile(r": error:")


# ---- what is found beside what is shown ----

def same(found, shown):
    found, shown = FREE.sub("N", found.rstrip()), FREE.sub("N", shown.rstrip())
    a, b = NUMBER.findall(found), NUMBER.findall(shown)
    if BLANKS.sub(" #", NUMBER.sub("#", found)) != BLANKS.sub(" #", NUMBER.sub("#", shown)) or len(a) != len(b):
        return False
    for x, y in zip(map(float, a), map(float, b)):
        if abs(x - y) > 1e-3 * abs(y) and max(abs(x), abs(y)) > 1e-8:
            return False
    return True


def match(found, shown):
    """Whether lines (or words) are as shown, where `...` is any number of them."""
    if not shown:
        return not found
    if shown[0].strip() == "...":
        return any(match(found[i:], shown[1:]) for i in range(len(found) + 1))
    return bool(found) and same(found[0], shown[0]) and match(found[1:], shown[1:])


def contains(found, shown):
    """Whether a text has these words in this order, however its lines are broken. `...` is any number of words."""
    words, at = FREE.sub("N", found).split(), 0
    for part in FREE.sub("N", shown).split("..."):
        wanted = part.split()
        starts = (i for i in range(at, len(words) - len(wanted) + 1) if all(map(same, words[i:], wanted)))
        start = next(starts, None)
        if start is None:
            return False
        at = start + len(wanted)
    return True


# ---- a page ----

class Block:
    def __init__(self, kind, text, line, marks):
        self.kind, self.text, self.line, self.marks = kind, text, line, marks


def guess(text):
    """The language of a block that names none."""
    first = text.lstrip().partition("\n")[0]
    return "console" if first.startswith("$ ") else "sh" if COMMAND.match(first) else "yaml" if re.match(r"- \w+: ", first) else "text"


def pieces(text):
    """Blocks of a page with their marks, and marks that are for themselves (blocks without a kind)."""
    marks, end = {}, 0
    for m in PIECE.finditer(text):
        line = text.count("\n", 0, m.start()) + 1
        if text[end:m.start()].strip() and marks:
            raise SystemExit(f"line {line}: no block follows the mark {', '.join(marks)}")
        end = m.end()
        if m["mark"] == "setup" or (m["mark"] == "file" and "\n" in m["value"].strip()):
            yield Block(None, m["value"], line, {m["mark"]: m["value"]})
        elif m["mark"]:
            marks[m["mark"]] = m["value"].strip()
        else:
            body = textwrap.dedent(m["plain"] if m["body"] is None else m["body"])
            yield Block(m["kind"] or "plain " + guess(body), body, line, marks)
            marks = {}


class Page:
    """What a page shows, tried in the present folder. `wrong` lists what is not as shown, `count` what was tried."""

    def __init__(self, path, source):
        self.path, self.source = pathlib.Path(path), pathlib.Path(source)
        self.text = self.path.read_text()
        self.wrong, self.count = [], collections.Counter()
        self.models, self.continued = {}, set()  # files of the page that are models: their lines
        self.python, self.printed = [], []

    def complain(self, line, text):
        self.wrong.append(f"{self.path.name}:{line}: {text}")

    def ask(self, command, **options):
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", **options)

    def walk(self):
        for block in pieces(self.text):
            if block.kind is None:
                self.prepare(block)
            else:
                self.try_block(block)
        for name, line in self.models.items():
            self.check_model(name, line)
        if self.python:
            self.run_python()
        return self

    def prepare(self, block):
        if "setup" in block.marks:
            done = self.ask("set -e\n" + block.text)
            if done.returncode:
                self.complain(block.line, f"the setup fails: {done.stdout}")
        else:
            name, _, text = block.text.strip().partition("\n")
            self.write(name.strip(), text + "\n")
            self.continued.add(name.strip())

    def write(self, name, text, how="w"):
        pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
        with open(name, how) as f:
            f.write(text)

    def try_block(self, block):
        if "not run" in block.marks:
            self.count["not run"] += 1
            if len(block.marks["not run"].split()) < 3:
                self.complain(block.line, "a block is marked as not run, without a reason")
        elif "tested by" in block.marks:
            test = self.source / block.marks["tested by"]
            self.count["elsewhere"] += 1
            if not test.exists() or self.path.name not in test.read_text():
                self.complain(block.line, f"{block.marks['tested by']} does not name this page")
        else:
            self.save(block)
            getattr(self, "try_" + re.sub(r"\W", "_", block.kind), self.refuse)(block)

    def refuse(self, block):
        self.complain(block.line, f"a block of the kind '{block.kind}' is not tried")

    def try_math(self, block):
        pass

    try__doxygenfile_ = try_math

    def save(self, block):
        """Writes a block to the file that it is shown as."""
        if "copy of" in block.marks and (self.source / block.marks["copy of"]).read_text() != block.text:
            self.complain(block.line, f"the block is not {block.marks['copy of']}")
        shown, named = block.marks.get("file"), re.match(r"# (\S+\.yaml)\n", block.text)
        name = shown or (named and named[1])
        if name:
            self.write(name, block.text, "a" if name in self.continued else "w")
            if shown:
                self.continued.add(name)
            if block.kind == "yaml" and "base" not in block.marks:
                self.models.setdefault(name, block.line)

    # ---- commands ----

    def run(self, command, shown, line):
        self.count["commands"] += 1
        done = self.ask(command)
        found = done.stdout.rstrip("\n").split("\n") if done.stdout else []
        code = 2 if any(map(ERROR.search, shown or [])) else 0
        if done.returncode != code:
            self.complain(line, f"$ {command}\nended with {done.returncode}\n{done.stdout}")
        elif shown is not None and not match(found, shown):
            self.complain(line, f"$ {command}\nprints\n{done.stdout}")

    def try_console(self, block):
        for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            shown = shown.rstrip().split("\n")
            self.run(command, shown if shown != [""] else [], block.line)

    def try_sh(self, block):
        for line in re.sub(r"\\\n", " ", block.text).split("\n"):
            if line.strip() and not line.startswith("#"):
                self.run(line, None, block.line)

    def try_text(self, block):
        if block.marks.get("printed by") == "python":
            self.printed.append(block)
        elif "printed by" in block.marks:
            self.count["outputs"] += 1
            found = self.ask(block.marks["printed by"]).stdout
            if not contains(found, block.text):
                self.complain(block.line, f"{block.marks['printed by']} prints\n{found}")
        elif "file" not in block.marks:
            self.complain(block.line, "it is not said what prints this text")

    # ---- models ----

    def check_model(self, name, line):
        self.count["models"] += 1
        text = pathlib.Path(name).read_text()
        how = "limber study {} --check" if re.search("^study:", text, re.M) and not re.search("^nodes:", text, re.M) else "limber check {}"
        if re.search("^quantities:", text, re.M):
            how = "limber verify $(dirname {})/"
        done = self.ask(how.format(name))
        if done.returncode:
            self.complain(line, f"{how.format(name)} says\n{done.stdout}")

    def try_yaml(self, block):
        if "base" in block.marks:
            base, _, key = block.marks["base"].partition(" ")
            self.count["fragments"] += 1
            self.write("fragment.yaml", f"limber: 1\ninclude: {base}\n" + (f"{key}:\n" if key else "") + block.text)
            done = self.ask("limber check fragment.yaml --allow-outside")
            if done.returncode:
                self.complain(block.line, f"with {base}:\n{done.stdout}")
        elif not ("file" in block.marks or re.match(r"# \S+\.yaml\n", block.text)):
            if not re.search("^limber: 1", block.text, re.M):
                self.complain(block.line, "a part of a model, but it is not said of which")
                return
            self.write(f"line_{block.line}.yaml", block.text)
            self.check_model(f"line_{block.line}.yaml", block.line)

    # ---- code ----

    def try_python(self, block):
        self.count["python"] += 1
        self.python.append(block)

    def run_python(self):
        """All blocks as one program, whose lines have the numbers of the page."""
        lines = []
        for block in self.python:
            lines += [""] * (block.line - len(lines)) + block.text.rstrip("\n").split("\n")
        self.write(self.path.stem + ".py", "\n".join(lines) + "\n")
        done = self.ask(f"python3 {self.path.stem}.py")
        if done.returncode:
            self.complain(self.python[0].line, done.stdout)
        for block in self.printed:
            self.count["outputs"] += 1
            if not contains(done.stdout, block.text):
                self.complain(block.line, f"the code prints\n{done.stdout}")

    def try_c(self, block):
        self.count["c"] += 1
        outer, dots, inner = block.text.rpartition("...\n")
        build = pathlib.Path(shutil.which("limber")).resolve().parent.parent
        self.write("page.c", f"#include <limber/limber.h>\n#include <stdio.h>\n{outer}\nvoid page(void);\nvoid page(void) {{\n"
                             f"{block.marks.get('declared', '')}\n{inner}}}\n")
        done = self.ask(f"cc -std=c17 -fsyntax-only -Wall -Werror -Wno-unused -Wno-uninitialized -I{self.source}/include -I{build}/include page.c")
        if done.returncode:
            self.complain(block.line, done.stdout)

    # ---- pictures ----

    def check_figures(self, write):
        for place, name in re.findall(r"\((figures/tutorial_([^)]+))\)", self.text):
            if not os.path.exists(name):
                self.complain(1, f"no command writes {name}")
            elif write:
                shutil.copyfile(name, self.path.parent / place)


def main():
    page = Page(sys.argv[1], pathlib.Path(__file__).resolve().parent.parent).walk()
    page.check_figures("--figures" in sys.argv)
    print("\n".join(page.wrong) if page.wrong else f"{page.count['commands']} commands, as the page says")
    sys.exit(bool(page.wrong))


if __name__ == "__main__":
    main()
