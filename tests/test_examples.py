# SPDX-License-Identifier: Apache-2.0
"""Every example has a page of one form: field and features, picture, question, commands, result next to its source, what to change next."""
import re
import shlex
import subprocess
import sys

import pytest

from support import limber, source

FOLDERS = sorted(p for p in (source / "examples").iterdir() if p.is_dir())
NAMES = [f.name for f in FOLDERS]
FIELD = re.compile(r"\[[^]]+\]\(([^)#]+)[^)]*\) · [A-Za-z ,]+")
PROGRAMS = ("limber ", "python3 ", "cc ", "cmake ", "programs/")


def page(name):
    return (source / "examples" / name / "README.md").read_text()


def sections(text):
    """The parts of a page by their headings; that before the first has none."""
    parts = re.split(r"^## (.*)$", text, flags=re.M)
    return parts[0], dict(zip(parts[1::2], parts[2::2]))


def commands(text):
    return [line for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) for line in block.splitlines() if line.strip()]


def wrong_command(line, earlier):
    """What is wrong with a command that follows others, in words."""
    words = shlex.split(line, comments=True)
    gone = [w for w in words if w.startswith(("examples/", "benchmarks/")) and not (source / w).exists()]
    if not line.startswith(PROGRAMS):
        return [f"{line}: not a program that a reader has"]
    made = {re.match(r"[\w-]+", w.split("/")[-1]).group() for before in earlier for w in before.split() if w.endswith((".yaml", ".h5"))}
    read = [w for w in words if w.endswith(".h5") and words[:1] == ["limber"] and words[1] in ("plot", "view", "export", "report")]
    gone += [w for w in read if re.match(r"[\w-]+", w).group() not in made]
    return [f"{line}: there is no {w}" for w in gone]


def wrong_head(name, text):
    lines = text.split("\n")
    out = [] if re.match(r"# \S", lines[0]) else ["no title"]
    field = FIELD.fullmatch(lines[2])
    if not field or not (source / "examples" / name / field.group(1)).exists():
        out.append("no line with field and features")
    picture = re.fullmatch(r"!\[[^]]+\]\(([^)]+)\)", lines[4])
    if not picture or not (source / "examples" / name / picture.group(1)).exists():
        out.append("no picture")
    return out


def wrong_page(name, text):
    """Where a page departs from the form, in words."""
    out = wrong_head(name, text)
    _, part = sections(text)
    headings = list(part)
    if headings[:3] != ["Question", "Run", "Result"] or headings[-1] != "Change next":
        return out + [f"headings {headings}"]
    if not re.match(r"\n\n[^\n]+\?\n", part["Question"]):
        out.append("no question")
    run = commands(part["Run"])
    out += [] if run else ["no command"]
    for i, line in enumerate(run):
        out += wrong_command(line, run[:i])
    if (source / "examples" / name / "expected.yaml").exists() and f"limber verify {name}" not in [line.split("  ")[0] for line in run]:
        out.append("no `limber verify`")
    if not re.search(r"^\|---", part["Result"], re.M):
        out.append("no table of results")
    if len(re.findall(r"^- ", part["Change next"], re.M)) < 2:
        out.append("nothing to change next")
    return out


@pytest.mark.parametrize("name", NAMES)
def test_page_has_picture_question_command_result_and_what_to_change(name):
    assert wrong_page(name, page(name)) == []


def test_fields_features_and_gallery_are_those_of_the_tables():
    said = subprocess.run([sys.executable, source / "docs/site/gallery.py"], capture_output=True, text=True)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_a_feature_is_of_more_than_one_example():
    rows = re.findall(r"^\| \[\w+\]\(\w+\) \| .* \| ([^|]+) \| [^|]* \|$", (source / "examples/README.md").read_text(), re.M)
    features = [f for row in rows for f in row.split(", ")]
    assert len(rows) == len(NAMES) and [f for f in sorted(set(features)) if features.count(f) < 2] == []


def test_a_page_of_another_form_is_noticed():
    text = page("pendulum")
    changes = {r"^\[.*·.*$": "no line with field and features", r"^!\[Pend.*$": "no picture", r"\?$": "no question",
               r"^limber verify pendulum$": "no `limber verify`", r"^\|": "no table of results", r"^- ": "nothing to change next",
               r"^limber run .*double.*$": "limber view double_pendulum.h5: there is no double_pendulum.h5",
               r"/pendulum\.yaml$": "there is no examples/pendulumlimber"}
    for pattern, fault in changes.items():
        other = re.sub(pattern, "limber", text, flags=re.M)
        assert other != text and any(fault in w for w in wrong_page("pendulum", other)), pattern
    assert wrong_page("pendulum", text.replace("## Run", "## Doing"))[0].startswith("headings")


# ---- what pages suggest ----


def suggestions(name):
    """Changes that a page suggests: the model, and the options `--set` with their values."""
    _, part = sections(page(name))
    first = re.search(r"examples/\S+\.yaml", part["Run"])
    for bullet in re.split(r"^- ", part["Change next"], flags=re.M)[1:]:
        linked = re.search(r"\]\((\w+\.yaml)\)", bullet)
        for code in re.findall(r"`([^`]*--set [^`]*)`", bullet.replace("\n  ", " ")):
            words = shlex.split(code)
            given = [w for w in words if w.startswith("examples/")]
            model = given[0] if given else f"examples/{name}/{linked.group(1)}" if linked else first.group()
            yield model, [w for i, w in enumerate(words) if "--set" in words[max(i - 1, 0) : i + 1]]


def has_parameter(model, name):
    """Whether a model, or a file beside it that it includes, has a parameter; `--set let.NAME` would add one that is new."""
    texts = [p.read_text() for p in (source / model).parent.glob("*.yaml") if p.name != "expected.yaml"]
    return any(re.search(rf"[{{\s]{name}: ", text) for text in texts)


def test_what_pages_suggest_to_change_is_in_their_models():
    found = [s for name in NAMES for s in suggestions(name)]
    said = [(model, sets, limber("check", source / model, *sets)) for model, sets in found]
    assert len(found) > 100 and [(model, sets, s.err) for model, sets, s in said if s.code] == []
    unknown = [(model, name) for model, sets in found for name in re.findall(r"let\.(\w+)=", " ".join(sets)) if not has_parameter(model, name)]
    assert unknown == [] and not has_parameter("examples/pendulum/pendulum.yaml", "length")


# ---- long runs ----


def test_examples_take_a_minute_at_most_and_long_runs_have_their_models():
    seconds = {f.name: float(re.search(r"^seconds: (\S+)", (f / "expected.yaml").read_text(), re.M).group(1)) for f in FOLDERS if (f / "expected.yaml").exists()}
    assert len(seconds) > 80 and max(seconds.values()) <= 60
    for path in (source / "benchmarks/long").glob("*/expected.yaml"):
        models = re.findall(r"model: ([^,}\s]+)", path.read_text())
        assert models and all((path.parent / model).exists() for model in models)
