# SPDX-License-Identifier: Apache-2.0
"""Everything that pages show is tried: commands run and print what stands below them, models and parts of models are checked, code runs or
compiles, outputs are printed by what the page says, and files that pages name are there (document.py). The pages of examples are
tried apart: `limber verify` runs their models. With --write the pictures of tutorials and the count on docs/checks.md are made anew."""
import collections
import functools
import os
import pathlib
import re
import shlex
import sys

import pytest
from document import Page, pieces
from support import program, sanitizer, source, write

sys.path.insert(0, str(source / "docs/site"))
from stage import files  # noqa: E402

TREE = files(str(source))
TOPS = {f.partition("/")[0] for f in TREE if "/" in f}
MADE = [f"include/limber/{path.name}" for path in (pathlib.Path(program).resolve().parent.parent / "include/limber").glob("*.h")]
TREE_LINES = "".join(f"/{f}\n" for f in [*TREE, *MADE])
GENERATED = {"docs/reference.md", "docs/gallery.md", "docs/verification.md"}  # their own tests compare them with what makes them
PAGES = sorted({"README.md", "benchmarks/README.md"} | {f for f in TREE if re.match(r"docs/.*\.md$", f)} - GENERATED)
EXAMPLES = sorted(f for f in TREE if re.match(r"examples/.*README\.md$", f))
NAMING = [*PAGES, *EXAMPLES, "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "packaging/README.md", "viewer/README.md"]
ANALYSES = ("run", "static", "modes", "campbell", "stability", "floquet", "response", "linearize")
CODE = re.compile(r"``[^`]+``|`[^`\n]+`")

if sanitizer():  # runs of seconds take minutes there; other tests go through every command
    pytest.skip("with sanitizers", allow_module_level=True)


# ---- what pages show ----

@functools.lru_cache(None)
def help_of(name):
    return Page.ask(None, f"limber {name} --help").stdout


@pytest.fixture(scope="module", autouse=True)
def commands(folder):
    """The command `limber` and its Python module as a reader has them."""
    os.mkdir("bin")
    os.symlink(program, "bin/limber")
    write("bin/python3", f'#!/bin/sh\nexec {sys.executable} -B "$@"\n')
    os.chmod("bin/python3", 0o755)
    build = pathlib.Path(program).resolve().parent.parent
    os.environ.update(SOURCE=str(source), PYTHONPATH=str(build / "python"), PATH=f"{folder}/bin:{os.environ['PATH']}")


class Example(Page):
    """A page of an example, in a folder with its files. Its models go through `limber check` with the changes of the commands;
    `limber verify` runs them."""

    results = ()  # that commands write

    def try_sh(self, block):
        for line in block.text.split("\n"):
            words = shlex.split(line, comments=True)
            wrong = self.refuse_command(words) if words else None
            if wrong:
                self.complain(block.line, f"{line}\n{wrong}")

    def try_console(self, block):
        block.text = "\n".join(line[2:] for line in block.text.split("\n") if line.startswith("$ "))
        self.try_sh(block)

    def refuse_command(self, words):
        """What is wrong with a command; None if nothing is."""
        if words[0] != "limber":
            script = words[1] if words[0] == "python3" else words[0]
            there = script in ("cc", "cmake") or any((folder / script).exists() for folder in (self.path.parent, source))
            return None if there else f"there is no {script}"
        verb, rest = words[1], words[2:]
        self.count["verified" if verb == "verify" else "commands"] += 1
        unknown = [w for w in rest if w.startswith("-") and w not in help_of(verb)]
        if unknown:
            return f"limber {verb} has no option {', '.join(unknown)}"
        if verb == "verify":
            names = [w for w, before in zip(rest, words[1:]) if not w.startswith("-") and before != "--keep"]
            known = {n for n in names for folder in (source / "examples", source) if (folder / n / "expected.yaml").exists()}
            return next((f"there is no example {n}" for n in names if n not in known), None)
        if verb in ("plot", "view", "export", "report"):
            return None if rest[0].startswith(self.results) else f"no command above writes {rest[0]}"
        return self.check_command(verb, rest)

    def check_command(self, verb, rest):
        stem = pathlib.Path(rest[0] if rest else "").stem
        output = rest[rest.index("-o") + 1] if "-o" in rest else f"{stem}.h5" if verb in ("run", "study", "couple") else f"{stem}.{verb}.h5"
        self.results += (output, f"{stem}.runs/", *([f"{stem}."] if verb == "couple" else []))
        if "-o" in rest:
            del rest[rest.index("-o"):rest.index("-o") + 2]
        how = {"study": "study --check"}.get(verb, "check" if verb in ANALYSES else verb)
        outside = " --allow-outside" if how != verb else ""  # the files are links
        done = self.ask(f"limber {how} {shlex.join(rest)}{outside}")
        return done.stdout if done.returncode else None

    def try_yaml(self, block):
        """Lines of a model of the folder."""
        lines, *texts = (re.sub("[ \t]", "", text) for text in (block.text, *(p.read_text() for p in self.path.parent.glob("*.yaml"))))
        self.count["models" if "limber:1" in lines else "fragments"] += 1
        if not any(all(line in text.replace("\n", "") for line in lines.split("\n")) for text in texts):
            self.complain(block.line, "no model of the folder has these lines")

    def try_text(self, block):
        pass

    try_plain_sh, try_plain_console, try_plain_text, try_plain_yaml = try_sh, try_console, try_text, try_yaml


@functools.lru_cache(None)
def walk(name):
    """A page, walked in a folder of its own that has the examples; one of an example has that example's files."""
    before, own = os.getcwd(), pathlib.Path(name.replace("/", "."))
    own.mkdir()
    for path in [source / "examples", *((source / name).parent.iterdir() if name in EXAMPLES else [])]:
        os.symlink(path, own / path.name)
    os.chdir(own)
    try:
        page = (Example if name in EXAMPLES else Page)(source / name, source).walk()
        page.check_figures("--write" in sys.argv)
        return page
    finally:
        os.chdir(before)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_so(page):
    assert not walk(page).wrong, "\n\n".join(walk(page).wrong)


@pytest.mark.parametrize("page", EXAMPLES)
def test_what_the_page_of_an_example_shows_is_so(page):
    assert not walk(page).wrong, "\n\n".join(walk(page).wrong)


# ---- how much that is ----

def counted():
    count = sum((walk(page).count for page in PAGES), collections.Counter())
    of_examples = sum((walk(page).count for page in EXAMPLES), collections.Counter())
    return (f"The tests try what these pages show: they run {count['commands']} commands and compare the outputs that are shown, check "
            f"{count['models']} models and {count['fragments']} parts of models, compare {count['outputs']} more outputs, run "
            f"{count['python']} blocks of Python and compile {count['c']} of C. Other tests build or run {count['elsewhere']} blocks, and "
            f"{count['not run']} are not run: they install packages, publish a release, need a cluster or take long. On the pages of examples the "
            f"tests check {of_examples['commands']} commands without running them, with their models and options; `limber verify` runs "
            f"these models.")


def test_the_page_of_checks_counts_them(measured):
    page = source / "docs/checks.md"
    measured(counted())
    if "--write" in sys.argv:
        import wrap
        write(page, wrap.wrap(re.sub(r"The tests try what these pages show: [^\n]*(?:\n[^\n]+)*", counted(), page.read_text()))[0])
    assert counted() in re.sub(r"\s+", " ", page.read_text())


# ---- what pages name ----

def named(page):
    text = (source / page).read_text()
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
    return [re.sub(r"\s+", " ", code.strip("`")) for code in CODE.findall(text)]


@pytest.mark.parametrize("page", NAMING)
def test_commands_that_a_page_names_have_these_options(page):
    wrong = []
    for code in named(page):
        words = re.match(r"limber ([a-z]+)\b(.*)", code.partition(" -- ")[0].partition("|")[0])
        if not words or words[1] == "sag":  # which docs/extend_analysis.md adds
            continue
        wrong += [code for option in re.findall(r"(?<=[ \[])--?[a-z][a-z-]*", words[2]) if option not in help_of(words[1])]
        wrong += [code] if f"limber {words[1]}" not in help_of(words[1]) else []
    assert not wrong


def made_by(text):
    """Files that a page tells its reader to write."""
    return set(re.findall(r"`(src/\S+\.c)`[^`]*(?:`\w+`[^`]*)*(?:<!--[^\n]*-->\n)?```c\n", text))


def is_there(path, page):
    """Whether the repository has this file or folder: as the page sees it, or by the end of its path."""
    names = (path, os.path.normpath(os.path.join(os.path.dirname(page), path)))
    return any(re.search("/" + re.escape(name).replace(r"\*", "[^\n]*") + "[/\n]", TREE_LINES) for name in names)


@pytest.mark.parametrize("page", NAMING)
def test_files_that_a_page_names_are_there(page):
    made, wrong = made_by((source / page).read_text()), []
    for code in named(page):
        path = code.partition(" ")[0].rstrip("/")
        if "/" in path and path.partition("/")[0] in TOPS or re.fullmatch(r"[a-z0-9_/.*-]+\.(c|py|sh|def)|limber/\w+\.h", path):
            wrong += [path] if path not in made and not re.search(r"<|\b[A-Z]{2,}\b(?!\.md)", path) and not is_there(path, page) else []
    assert not wrong


def test_the_version_is_that_of_the_build():
    version = re.search(r"\d+\.\d+\.\d+", Page.ask(None, "limber --version").stdout)[0]
    wrong = [(page, m[0]) for page in NAMING for m in re.finditer(r"limber[-_](\d+\.\d+\.\d+)", (source / page).read_text()) if m[1] != version]
    assert not wrong


# ---- and it can fail ----

@pytest.mark.parametrize("text, complaint", [
    ("```console\n$ echo 1.234 s\n1.3 s\n```\n", "$ echo 1.234 s\nprints\n1.234 s"),
    ("```console\n$ echo a 1.2345; false\n...\n```\n", "ended with 1"),
    ("```sh\ntrue\nfalse\n```\n", "$ false\nended with 1"),
    ("```sh\nfalse | true\n```\n", "ended with 1"),
    ("```yaml\nlimber: 1\nnodse: {a: [0, 0, 0]}\n```\n", "did you mean 'nodes'?"),
    ("```yaml\nloads: []\n```\n", "it is not said of which"),
    ("<!-- file: a.yaml\nlimber: 1\n-->\n<!-- base: a.yaml joints -->\n```yaml\n- clamp: {node: a}\n```\n", "no node 'a'"),
    ("```python\nprint(1)\nraise ValueError\n```\n", "line 3"),
    ("<!-- printed by: python -->\n```text\n2\n```\n```python\nprint(1)\n```\n", "the code prints\n1"),
    ("<!-- declared: LimberModel model; -->\n```c\nLimberModelAddBeam(model);\n```\n", "too few arguments"),
    ("<!-- printed by: echo a b -->\n```text\na c\n```\n", "echo a b prints\na b"),
    ("```text\nsomething\n```\n", "what prints this text"),
    ("<!-- not run: -->\n```sh\nfalse\n```\n", "without a reason"),
    ("<!-- tested by: tests/layering.sh -->\n```c\n```\n", "tests/layering.sh does not name this page"),
    ("<!-- copy of: LICENSE -->\n<!-- file: LICENSE -->\n```text\n```\n", "the block is not LICENSE"),
    ("Text\n\n    limber check\n", "'plain sh' is not tried"),
    ("```fortran\n```\n", "'fortran' is not tried"),
    ("```console\n$ seq 3\n1\n...\n3\n```\n![x](figures/tutorial_none.png)\n", "no command writes none.png"),
])
def test_a_mistake_in_a_page_is_noticed(text, complaint):
    page = Page(write("bad.md", text), source).walk()
    page.check_figures(False)
    assert len(page.wrong) == 1 and complaint in page.wrong[0]


def test_words_may_be_wrapped_and_numbers_may_be_round_off():
    page = Page(write("good.md", "<!-- printed by: echo start 1.00001 2e-12 a long line -->\n```text\n1\n1e-15 a ... line\n```\n"), source).walk()
    assert not page.wrong and page.count["outputs"] == 1


def test_a_mark_needs_a_block():
    with pytest.raises(SystemExit):
        list(pieces("<!-- base: a.yaml -->\n\nText\n\n```sh\ntrue\n```\n"))
