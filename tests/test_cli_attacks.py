# SPDX-License-Identifier: Apache-2.0
"""Files that are meant to hurt (docs/safety.md): each is answered by a message, soon and in little memory. Commands run under
limits, so that a mistake here does not take the machine down."""
import json
import os
import pathlib
import re
import resource
import subprocess
import time
import xml.etree.ElementTree

import pytest

from support import environment, h5, program, source, write

SANITIZED = b"__asan_init" in pathlib.Path(program).read_bytes()
MEMORY = 3_000_000_000  # bytes of address space; the address sanitizer takes terabytes and has a limit of its own
SECONDS = 100 if SANITIZED else 20  # most take a hundredth; other work may hold the machine

HEAD = "limber: 1\nnodes: {A: {at: [0, 0, 0], kind: point}}\nelements: [mass: {node: A, mass: 1}]\n"
RUN = "run: {step: 10 ms, end: 0.1 s}\n"


def limited(*words, stack=None, stdin=subprocess.DEVNULL, cwd=None):
    """Exit code, and what is said on both channels. A hang and a crash fail here."""
    def limits():
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if stack:
            resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
    options = {"ASAN_OPTIONS": "hard_rss_limit_mb=3000:detect_leaks=0"} if SANITIZED else {}
    done = subprocess.run([program, *map(str, words)], cwd=cwd, env=environment(**options), stdin=stdin, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=10 * SECONDS, preexec_fn=limits)
    assert done.returncode >= 0, f"signal {-done.returncode}: {done.stdout[:500]}"
    return done.returncode, done.stdout


def refused(text, *words):
    """The first line about a model that is refused."""
    write("attack.yaml", text)
    code, said = limited("check", "attack.yaml", *words)
    assert code == 2, said[:500]
    return said.split("\n")[0]


# ---- YAML ----

def test_aliases_of_aliases_are_counted():
    """A file of 600 bytes that stands for 10^8 functions."""
    lines = ["functions:", "  f0: &f0 {sum: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}"]
    lines += [f"  f{i}: &f{i} {{sum: [{', '.join([f'*f{i - 1}'] * 10)}]}}" for i in range(1, 8)]
    assert refused(HEAD + RUN + "\n".join(lines) + "\n") == (
        "attack.yaml:11:48: error: up to here aliases stand for more than 1000000 words, lists and maps, and 20 for each that is "
        "written")


def test_merge_keys_are_counted():
    base = "loads: &b {" + ", ".join(f"a{i}: 1" for i in range(20000)) + "}\nfunctions:\n"
    assert "aliases stand for more than 1000000" in refused(HEAD + base + "".join(f"  f{i}: {{<<: *b}}\n" for i in range(20000)))


def test_aliases_of_an_honest_lattice_are_not_too_many():
    """20000 bars, each with the fields of one anchor: what aliases add grows with what is written."""
    count = 20000 if not SANITIZED else 2000
    text = "limber: 1\nnodes:\n" + "".join(f"  n{i}: {{at: [{i}, 0, 0], kind: point}}\n" for i in range(count + 1))
    text += "elements:\n  - bar: &b {nodes: [n0, n1], stiffness: 1 MN, mass: 1, tension: 1, length: 1 m}\n"
    text += "".join(f"  - bar: {{<<: *b, nodes: [n{i}, n{i + 1}]}}\n" for i in range(1, count))
    write("lattice.yaml", text + RUN)
    code, said = limited("check", "lattice.yaml")
    assert code == 0, said[:500]


@pytest.mark.parametrize("name, begin, end, column", [
    ("brackets", "[", "]", 71), ("braces", "{a: ", "}", 260), ("mixed", "[{a: ", "}]", 167), ("dashes", "- ", "", 135),
    ("keys", "? ", "", 135)])
@pytest.mark.parametrize("count", [500, 50000])
def test_depth_is_bounded(name, begin, end, column, count):
    line = refused("limber: 1\nnodes: " + begin * count + "a" + end * count + "\n")
    assert re.match(r"attack\.yaml:2:\d+: error: (lists and maps are nested more than 64 deep|more than 1000 brackets are open"
                    "|this is not YAML)", line), line
    if name in ("brackets", "braces") and count == 500:
        assert line == f"attack.yaml:2:{column}: error: lists and maps are nested more than 64 deep"


def test_depth_of_blocks_is_bounded():
    line = refused("limber: 1\nnodes:\n" + "".join(" " * (i + 1) + "a:\n" for i in range(1500)))
    assert line == "attack.yaml:66:65: error: lists and maps are nested more than 64 deep"


def test_what_the_parser_takes_long_for_is_found_before():
    """Each took minutes to hours for a megabyte."""
    count = 1000000
    assert refused("limber: 1\n" + "%" * count) == (
        "attack.yaml:2:201: error: a directive, a line that begins with '%', has at most 200 characters")
    assert "a tag, a word that begins with '!', has at most 200" in refused("limber: 1\ntitle: !<" + "%41" * count + "> b\n")
    assert "more than 2000 blanks and ends of lines in one piece" in refused("limber: 1\ntitle: |\n" + " \n" * count + "  a\n")
    assert "more than 2000 blanks and ends of lines in one piece" in refused("limber: 1\ntitle: 'a" + " \n" * count + " b'\n")
    assert "more than 1000 brackets are open" in refused("limber: 1\nnodes: " + "[" * (5 * count))
    assert "a second one begins" in refused("limber: 1\n" + "--- a\n" * count)


def test_anchors_and_mistakes_are_found_in_one_pass():
    """Each took a time that grows with the square of the file."""
    count = 60000
    anchors = "".join(f"  f{i}: &a{i} 1\n" for i in range(count)) + "".join(f"  g{i}: *a0\n" for i in range(count))
    write("anchors.yaml", HEAD + RUN + "functions:\n" + anchors)
    assert limited("check", "anchors.yaml")[0] == 0
    assert "1000" not in refused("{limber: 1, nodes: {" + ", ".join(f"n{i}: [0, 0, q{i}]" for i in range(count)) + "}}")
    assert "has no field 'k0'" in refused("limber: 1\n" + "".join(f"k{i}: 1\n" for i in range(4 * count)))


def test_words_that_control_a_terminal_are_refused():
    assert refused('limber: 1\ntitle: "\\e[2J"\n') == "attack.yaml:2:8: error: a word cannot contain the control character 1B"
    assert refused('limber: 1\nnodes: {"a\\x9b": 1}\n') == "attack.yaml:2:9: error: a word cannot contain the control character 9B"
    code, said = limited("check", "attack.yaml")
    assert "\x1b" not in said and "\x9b" not in said


# ---- numbers, functions, elements ----

def test_what_probes_record_is_bounded_and_cheap():
    text = HEAD + "run: {step: 10 ms, end: 20 ms, snapshots: 0}\nprobes:\n"
    line = refused(text + "".join(f"  - {{name: p{i}, node: A}}\n" for i in range(20000)))
    assert "probes record at most 50000 numbers in a row" in line
    sizes = {}
    for count in 500, 1500:  # with 9 numbers each
        write("attack.yaml", text + "".join(f"  - {{name: p{i}, node: A}}\n" for i in range(count)))
        code, said = limited("run", "attack.yaml", "-q", "-o", "probes.h5")
        assert code == 0, said
        sizes[count] = os.path.getsize("probes.h5")
    assert sizes[1500] - sizes[500] <= 1000 * 21000  # 13692 bytes measured for each further probe


@pytest.mark.skipif(SANITIZED, reason="sanitizers take their own share of the address space, so that none is limited")
def test_without_memory_a_run_says_how_much_it_has():
    write("attack.yaml", """limber: 1
nodes: {a: [0, 0, 0], b: [1, 0, 0]}
sections: {r: {E: 1e9, nu: 0.3, density: 7800, circle: {diameter: 6 mm}}}
elements: [beam: {from: a, to: b, section: r, elements: 1e6}]
joints: [{clamp: {node: a}}]
run: {step: 1 ms, end: 2 ms}
""")
    code, said = limited("run", "attack.yaml", "-q")
    assert code == 3 and re.search(r"^limber: out of memory: the process has 2.* GB and gets no more; its limit is 3 GB \(ulimit -v\)", said, re.M)
    assert "PETSC ERROR" not in said


def test_parameters_that_need_each_other_cost_little():
    write("let.yaml", HEAD + RUN + "let:\n" + "".join(f"  p{i}: p{i + 1} + p{i + 1}\n" for i in range(300)) + "  p300: 1\n")
    assert limited("check", "let.yaml")[0] == 0
    assert "'p0' is defined by itself" in refused(
        HEAD + RUN + "let:\n" + "".join(f"  p{i}: p{i + 1}" + " + p0" * 300 + "\n" for i in range(10000)) + "  p10000: p0\n")


@pytest.mark.parametrize("formula", ["(" * 990 + "1" + ")" * 990, "1?" * 400 + "1" + ":0" * 400, "sin(" * 390 + "1" + ")" * 390,
                                     "2^" * 900 + "1"])
def test_deep_formulae_need_no_deep_stack(formula):
    write("formula.yaml", HEAD + RUN + f"let: {{a: '{formula}'}}\n")
    code, said = limited("check", "formula.yaml", stack=262144)
    assert code in (0, 2) and "formula.yaml:5" in said


def test_long_formulae_are_refused():
    assert refused(HEAD + f"let: {{a: '{'1+' * 500000}1'}}\n") == "attack.yaml:4:11: error: a formula has at most 2000 characters"


def test_functions_of_functions_are_counted():
    text = "functions:\n" + "".join(f"  f{i}: {{sum: [f{i + 1}, f{i + 1}]}}\n" for i in range(60)) + "  f60: 1\n"
    assert "consists of more than 10000 functions" in refused(HEAD + RUN + text)


@pytest.mark.parametrize("element", [
    "beam: {from: a, to: b, section: s, elements: 100000000}",
    "cable: {from: a, to: b, stiffness: 1, mass: 1, elements: 100000000}",
    "plane_beam: {start: [0, 0, 0], end: [1, 0, 0], depth: 1, width: 1, elements: 2147483647, material: m}"])
def test_a_line_makes_no_more_elements_than_memory_holds(element):
    text = ("limber: 1\nmaterials: {m: {E: 1, nu: 0.3, density: 1}}\nsections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [5 mm, 5 mm]}}\n"
            f"nodes: {{a: [0, 0, 0], b: [1, 0, 0]}}\nelements:\n  - {element}\n" + RUN)
    line = refused(text)
    most = 2000000 + 20 * len(text)
    assert re.fullmatch(rf"attack\.yaml:6:\d+: error: \w+ '\w+#1': a model of this size has at most {most} elements", line), line


def test_formulae_of_probes_are_counted():
    text = "probes:\n  - {name: p, node: A}\n" + "".join(
        f"  - {{name: g{i}, formula: p.position.x + {f'g{i - 1}' if i else 1}}}\n" for i in range(20000))
    assert refused(HEAD + RUN + text).endswith("error: a model has at most 5000 formulae")


@pytest.mark.parametrize("part, field", [
    ("response: {from: 1, to: 2, points: 2000000000}", "points"), ("campbell: {vary: let.k, to: 1, steps: 2000000000}", "steps"),
    ("stability: {vary: let.k, to: 1, points: 2000000000}", "points"), ("floquet: {period: 1, steps: 2000000000}", "steps"),
    ("modes: {count: 2000000000}", "count")])
def test_analyses_are_bounded(part, field):
    assert refused(HEAD + RUN + "let: {k: 1}\n" + part + "\n").endswith(f"error: '{field}' must be at most 1000000")


# ---- files ----

def test_files_outside_of_the_folder_are_not_read():
    os.makedirs("inside/part", exist_ok=True)
    write("outside.yaml", "limber: 1\n")
    os.path.lexists("inside/link.yaml") or os.symlink("../outside.yaml", "inside/link.yaml")
    write("inside/part/own.yaml", "limber: 1\n")
    write("inside/part/up.yaml", "limber: 1\ninclude: ../part/own.yaml\n")
    outside = "it is not below the folder of the model; the option --allow-outside permits that"
    for name in "../outside.yaml", "link.yaml", str(pathlib.Path("outside.yaml").resolve()), "part/../../outside.yaml":
        write("inside/model.yaml", HEAD + RUN + f"include: {name}\n")
        code, said = limited("check", "inside/model.yaml")
        assert code == 2 and said.startswith("inside/model.yaml:5:10: error: cannot read") and outside in said, said
        assert limited("check", "model.yaml", cwd="inside")[0] == 2
        assert limited("check", "inside/model.yaml", "--allow-outside")[0] == 0
    for name in "part/up.yaml", "part/../part/own.yaml", str(pathlib.Path("inside/part/own.yaml").resolve()):
        write("inside/model.yaml", HEAD + RUN + f"include: {name}\n")
        assert limited("check", "inside/model.yaml")[0] == 0
    write("inside/model.yaml", HEAD + RUN + "include: ../no_such_file\n")  # what there is outside is not told
    assert outside in limited("check", "inside/model.yaml")[1]


NAMES = {"include": "include: {}\n", "mesh": "meshes: {{m: {{file: {}}}}}\n", "column": "functions: {{f: {{table: {{time: {{file: {}, column: 1}}, value: [1]}}}}}}\n",
         "section": "materials: {{s: {{E: 1, nu: 0, density: 1}}}}\nsections: {{r: {{mesh: {{file: {}, materials: s}}}}}}\n",
         "visual": "visuals: [{{node: A, file: {}}}]\n", "blade_section": "sections: {{r: {{from_file: {{beamdyn: {}}}}}}}\n"}


@pytest.mark.parametrize("place", NAMES)
def test_every_place_that_names_a_file_has_one_rule(place):
    """docs/safety.md lists them. Neither outside, nor through a link, nor a pipe."""
    os.makedirs("rule", exist_ok=True)
    for name in "secret.dat", "secret.stl":
        write(name, "hunter2 hunter2\n")
        os.path.lexists(f"rule/link_{name}") or os.symlink(f"../{name}", f"rule/link_{name}")
    for end in ".dat", ".stl":
        os.path.lexists(f"rule/pipe{end}") or os.mkfifo(f"rule/pipe{end}")
    end = ".stl" if place == "visual" else ".dat"
    for name in f"../secret{end}", f"link_secret{end}", os.path.abspath(f"secret{end}"), f"pipe{end}":
        write("rule/model.yaml", HEAD + RUN + NAMES[place].format(name))
        code, said = limited("check", "rule/model.yaml")
        assert code == 2 and "hunter2" not in said, said
        assert ("it is a pipe or a device" if "pipe" in name else "it is not below the folder of the model") in said, said


def test_the_model_of_a_plan_is_below_its_folder():
    os.makedirs("plans", exist_ok=True)
    write("model.yaml", HEAD + RUN + "let: {a: 1}\nprobes: [node: A]\n")
    write("plans/model.yaml", HEAD + RUN + "let: {a: 1}\nprobes: [node: A]\n")
    for of, code in ("../model.yaml", 2), (os.path.abspath("model.yaml"), 2), ("model.yaml", 0), ("../plans/model.yaml", 0):
        write("plans/plan.yaml", f"limber: 1\nstudy:\n  model: {of}\n  vary: {{let.a: [1, 2]}}\n  summary: [{{channel: A.x}}]\n")
        got, said = limited("study", "plans/plan.yaml", "--check")
        assert got == code and ("not below the folder" in said) == (code == 2), said
        assert limited("study", "plans/plan.yaml", "--check", "--allow-outside")[0] == 0


def test_devices_and_pipes_are_not_read():
    os.path.exists("fifo") or os.mkfifo("fifo")
    no_file = "it is a pipe or a device, not a file"
    for name in "/dev/zero", "fifo":
        assert no_file in limited("check", name)[1]
        assert no_file in limited("run", name, "-q")[1]
        for part in ("include: {}\n", "meshes: {{m: {{file: {}}}}}\n",
                     "functions: {{f: {{table: {{time: {{file: {}, column: 1}}, value: [1]}}}}}}\n"):
            assert no_file in refused(HEAD + RUN + part.format(name), "--allow-outside")
    assert "Is a directory" in limited("check", ".")[1]
    with open("/dev/zero", "rb") as zeros:
        code, said = limited("check", "-", stdin=zeros)
    assert code == 2 and "not a model file" in said


def test_large_files_are_not_read():
    with open("large.csv", "wb") as f:
        f.truncate((1 << 30) + 1)  # takes no room on the disk
    line = refused(HEAD + RUN + "functions: {f: {table: {time: {file: large.csv, column: 1}, value: [1]}}}\n")
    assert line.endswith("cannot read 'large.csv': a file has at most 1024 MB, all of a model together 2048 MB")
    os.remove("large.csv")


def test_no_message_quotes_a_file_that_is_no_model():
    secret = "hunter2:x:0:0\n"
    write("secret", 3 * secret)
    write("secret.msh", 3 * secret)
    table = "functions: {{f: {{table: {{time: {{file: secret, column: {}}}, value: [1]}}}}}}\n"
    for part in ("include: secret\n", "meshes: {m: {file: secret}}\n", "meshes: {m: {file: secret.msh}}\n", table.format("1"),
                 table.format("speed"), table.format("7")):
        write("attack.yaml", HEAD + RUN + part)
        code, said = limited("check", "attack.yaml")
        assert code == 2 and "hunter2" not in said, said
    code, said = limited("check", "secret")
    assert code == 2 and "hunter2" not in said and "secret:1:1: error: this is not a model file" in said


BLADE = """--------- BEAMDYN with OpenFAST INPUT FILE -----------
a blade
---------------------- GEOMETRY PARAMETER ------------
 1  member_total - Total number of members (-)
 3  kp_total - Total number of key points (-)
 1  3 - Member number; Number of key points in this member
 kp_xr kp_yr kp_zr initial_twist
 (m) (m) (m) (deg)
 {}
 0 0 1 0
 0 0 2 0
---------------------- MATERIAL PARAMETER ------------
"{}" BldFile - Name of file containing properties for blade (quoted string)
"""
BEAM = "limber: 1\nnodes: {root: [0, 0, 0]}\nelements: [beam: {from: root, from_file: {beamdyn: blade.dat}}]\n" + RUN


def test_no_message_quotes_a_file_that_a_blade_file_names():
    write("outside.txt", "user=admin\npassword=hunter2\n")
    os.makedirs("blades", exist_ok=True)
    for name in "../outside.txt", "../blades/inside.txt":
        write("blades/inside.txt", "user=admin\npassword=hunter2\n")
        write("blades/blade.dat", BLADE.format("0 0 0 0", name))
        write("blades/attack.yaml", BEAM)
        for words in ("import", "blades/blade.dat"), ("section", "blades/blade.dat"), ("check", "blades/attack.yaml"):
            code, said = limited(*words)
            assert code == 2 and "hunter2" not in said and "admin" not in said, said


def test_words_of_a_blade_do_not_control_a_terminal():
    write("blade.dat", BLADE.format("\x1b[2J\x1b]0;owned\x07 \xc2\x9b2J 0 0", "none.dat"))
    write("attack.yaml", BEAM)
    for words in ("import", "blade.dat"), ("section", "blade.dat"), ("check", "attack.yaml"):
        code, said = limited(*words)
        assert code == 2 and "'?[2J?]0;owned?' is not a number" in said and not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", said), said


@pytest.mark.parametrize("title", ["a]]>b", "<script>&amp;\"'", "\ufffe\uffff"], ids=["cdata", "tags", "no_characters"])
def test_a_title_does_not_break_a_picture(title):
    write("attack.yaml", HEAD + RUN + f"title: {json.dumps(title, ensure_ascii=False)}\n")
    code, said = limited("check", "attack.yaml", "--picture", "title.svg", "--force")
    assert code == 0, said
    shown = re.sub("[\ufffe\uffff]", "\ufffd", title)  # which XML forbids
    assert shown in "".join(xml.etree.ElementTree.parse("title.svg").getroot().itertext())


def test_files_are_included_so_often_and_so_deep():
    write("one.yaml", "limber: 1\n")
    assert "files are included more than 10000 times" in refused(HEAD + "include: [" + "one.yaml, " * 100000 + "]\n")
    for i in range(30):
        write(f"deep{i}.yaml", f"limber: 1\ninclude: deep{i + 1}.yaml\n")
    write("deep30.yaml", "limber: 1\n")
    code, said = limited("check", "deep0.yaml")
    assert code == 2 and "includes are nested more than 16 deep" in said
    write("a.yaml", "limber: 1\ninclude: b.yaml\n")
    write("b.yaml", "limber: 1\ninclude: [./a.yaml]\n")
    assert "a file cannot include itself: a.yaml includes b.yaml, b.yaml includes a.yaml" in limited("check", "a.yaml")[1]
    os.makedirs("many", exist_ok=True)
    for i in range(1100):
        write(f"many/{i}.yaml", "limber: 1\n")
    assert "a model names at most 1000 files" in refused(HEAD + f"include: {[f'many/{i}.yaml' for i in range(1100)]}\n")


def test_tables_and_meshes_declare_no_more_than_they_hold():
    write("wide.csv", ",".join(f"c{i}" for i in range(1000000)) + "\n")
    line = refused(HEAD + RUN + "functions: {f: {table: {time: {file: wide.csv, column: x}, value: [1]}}}\n")
    assert line.endswith("'wide.csv' has 1000000 columns; a table has at most 10000")
    for text, message in (
            ("$Nodes\n1 1000000000000 1 1000000000000\n2 1 0 1000000000000\n", "more than the rest of the file can contain"),
            ("$Nodes\n0 0 0 0\n$EndNodes\n$Nodes\n", "$Nodes is given twice"),
            ("$Entities\n1 0 0 0\n1 0 0 0 5000 " + "1 " * 5000 + "\n", "an entity belongs to at most 1000 physical groups")):
        write("hostile.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" + text)
        assert message in refused(HEAD + RUN + "meshes: {m: {file: hostile.msh}}\n")


def test_a_mesh_of_many_entities_is_read_in_one_pass():
    """Cells looked for the entity of each among all: hours for these 5 MB."""
    count = 20000 if SANITIZED else 100000
    entities = "".join(f"{i} 0 0 0 1 {i} \n" for i in range(1, count + 1))
    cells = "".join(f"0 {i} 15 1\n{i} 1\n" for i in range(1, count + 1))
    write("many.msh", f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n{count} 0 0 0\n{entities}$EndEntities\n"
          f"$Nodes\n1 1 1 1\n0 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n{count} {count} 1 {count}\n{cells}$EndElements\n")
    write("many.yaml", HEAD + RUN + "meshes: {m: {file: many.msh}}\n")
    begin = time.monotonic()
    assert limited("check", "many.yaml")[0] == 0
    assert time.monotonic() - begin < SECONDS


def test_changes_are_bounded():
    write("good.yaml", HEAD + RUN)
    assert "a path has at most 64 words" in limited("check", "good.yaml", "--set", "run" + ".a" * 30000 + "=1")[1]
    assert "more than 64 deep" in limited("check", "good.yaml", "--set", "nodes=" + "[" * 900)[1]
    assert "more than 1000 brackets" in limited("check", "good.yaml", "--set", "nodes=" + "[" * 100000)[1]
    bomb = "functions={" + ", ".join(["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"] + [
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]) + "}"
    assert "aliases stand for more than 1000000" in limited("check", "good.yaml", "--set", bomb)[1]


# ---- the folder in which a command runs ----

def test_options_for_petsc_do_not_come_from_the_folder():
    """PETSc would load a library that ./.petscrc names."""
    os.makedirs("folder", exist_ok=True)
    write("folder/.petscrc", "-dll_append ./evil.so\n")
    write("folder/petscrc", "-dll_append ./evil.so\n")
    write("folder/good.yaml", HEAD + RUN)
    code, said = limited("run", "good.yaml", "-q", cwd="folder")
    assert code == 0 and "evil" not in said, said


@pytest.mark.parametrize("command, model", [
    ("run", "examples/swing/swing.yaml"), ("check", "examples/swing/swing.yaml"), ("modes", "examples/modes_beams/cantilever.yaml"),
    ("static", "examples/static_beamdyn/composite.yaml")])
def test_a_stack_of_256_kb_suffices(command, model):
    if SANITIZED:
        pytest.skip("the sanitizers' own stack is larger")
    words = [] if command == "check" else ["-q", "-o", f"{command}.h5"]
    words += ["--set", "run.end=10ms"] if command == "run" else []
    code, said = limited(command, source / model, *words, stack=262144)
    assert code == 0, said


# ---- what is stored with results ----

def test_a_run_with_files_from_outside_resumes():
    os.makedirs("stored", exist_ok=True)
    write("shared.yaml", "limber: 1\nlet: {M: 1}\n")
    write("stored/model.yaml", HEAD + RUN + "include: ../shared.yaml\n")
    assert limited("run", "stored/model.yaml", "-q", "-o", "stored.h5")[0] == 2
    assert limited("run", "stored/model.yaml", "-q", "-o", "stored.h5", "--allow-outside")[0] == 0
    assert limited("resume", "stored.h5", "--end", "0.2s", "-q")[0] == 0
    with h5("stored.h5") as f:
        assert f["history/time"][-1] == pytest.approx(0.2)
