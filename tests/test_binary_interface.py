# SPDX-License-Identifier: Apache-2.0
"""The binary interface of a minor version: sizes of public structures, offsets of their members, values of enumerators and types
of functions are those of tests/abi/MAJOR.MINOR.csv (docs/maintainers.md). With --write this file writes the table; once a release
has been made of that minor version, lines are only added."""
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("LIMBER") or SOURCE / "build/dev/bin/limber").parent.parent
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")
STRUCTURE = re.compile(r"typedef struct \w*\s*\{([^{}]*)\}\s*(Limber\w+);")
ENUMERATION = re.compile(r"\benum \w*\s*\{([^{}]*)\}")
FUNCTION = re.compile(r"^((?:[\w]+[ *]+)+)([Ll]imber\w+)\(([^;{}]*)\);", re.M)
PARAMETER = re.compile(r"([\w*] ?\*|\w+) ?\b\w+((?:\[\w*\])*)$")  # a name does not matter
DECLARATOR = re.compile(r"(?:\(\*(\w+)\)\(.*\)|(\w+) ?(?:\[[^]]*\] ?)*)$")


def version():
    text = (SOURCE / "include/limber/version.h").read_text()
    return ".".join(re.findall(r"#define LIMBER_VERSION_(?:MAJOR|MINOR) (\d+)", text))


def table_path():
    return SOURCE / f"tests/abi/{version()}.csv"


def compile_with_headers(folder, *arguments, text=""):
    """Standard output of the compiler for a program that includes all public headers. Of MPI they know one type."""
    (folder / "mpi.h").write_text("typedef struct ompi_communicator_t *MPI_Comm;\n")
    headers = sorted(p.name for p in (SOURCE / "include/limber").glob("*.h"))
    (folder / "program.c").write_text("#include <stdio.h>\n" + "".join(f"#include <limber/{h}>\n" for h in headers) + text)
    return subprocess.run(["cc", "-std=c17", "-w", f"-I{SOURCE}/include", f"-I{BUILD}/include", f"-I{folder}", *arguments,
                           str(folder / "program.c")], check=True, text=True, stdout=subprocess.PIPE).stdout


def members(body):
    """Names of the members of a structure."""
    for declaration in (" ".join(d.split()) for d in body.split(";")):
        if declaration:
            for part in re.split(r",(?![^(]*\))", declaration):
                found = DECLARATOR.search(part.strip())
                assert found, f"cannot read the member '{declaration}'"
                yield found[1] or found[2]


def lines():
    """[kind, name, offset or value, size or type]."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = ATTRIBUTE.sub("", compile_with_headers(folder, "-E", "-P"))
        asked = []
        for body, structure in STRUCTURE.findall(text):
            asked.append(f'printf("structure,{structure},,%zu\\n", sizeof({structure}));')
            asked += [f'printf("member,{structure}.{m},%zu,%zu\\n", offsetof({structure}, {m}), sizeof((({structure} *)0)->{m}));'
                      for m in members(body)]
        for body in ENUMERATION.findall(text):
            asked += [f'printf("enumerator,{e},%d,\\n", (int){e});' for e in re.findall(r"\bLIMBER_\w+", re.sub(r"=[^,}]*", "", body))]
        program = folder / "program"
        compile_with_headers(folder, "-o", str(program), text="int main(void) {\n" + "\n".join(asked) + "\n}\n")
        out = [line.split(",") for line in subprocess.run([program], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()]
        for result, function, parameters in FUNCTION.findall(re.sub(r"[ \n]+", " ", text).replace("; ", ";\n").replace("} ", "}\n")):
            types = ", ".join(PARAMETER.sub(r"\1\2", p.strip()) for p in re.split(r",(?![^(]*\))", parameters))
            out.append(["function", function, "", f"{result.strip()} ({types})"])
    return sorted(out)


def committed():
    with open(table_path(), newline="") as f:
        return list(csv.reader(f))[1:]


def test_every_function_of_the_headers_is_in_the_library():
    symbols = subprocess.run(["nm", "-D", "--defined-only", BUILD / "liblimber.so"], check=True, text=True, stdout=subprocess.PIPE).stdout
    of_mpi = ["LimberModelCreateOn", "LimberFileReadOn"] if os.environ.get("LIMBER_WITHOUT_MPI") else []
    exported = set(re.findall(r" T (\w+)", symbols)) | set(of_mpi)
    assert [line[1] for line in lines() if line[0] == "function" and line[1] not in exported] == []


def test_the_binary_interface_is_that_of_its_minor_version():
    now, before = set(map(tuple, lines())), set(map(tuple, committed()))
    gone, new = sorted(before - now), sorted(now - before)
    assert not gone and not new, (f"{table_path().name} has {len(gone)} lines that are no longer true and lacks {len(new)}: change the minor "
                                  f"version, or write the table if {version()} is not released yet: {gone[:10]} {new[:10]}")


def test_structures_are_read_whole():
    """A structure without padding is as large as its members; LimberSection has 6 x 6, 2 and 3 x 3 numbers beside two."""
    sizes = {line[1]: int(line[3]) for line in lines() if line[0] in ("structure", "member")}
    assert sizes["LimberSection"] == 8 * (2 + 36 + 2 + 9)
    assert sizes["LimberSection"] == sum(size for name, size in sizes.items() if name.startswith("LimberSection."))


def write():
    is_released = re.search(rf"^## \[{re.escape(version())}\.\d+\] - \d", (SOURCE / "CHANGELOG.md").read_text(), re.M)
    now = lines()
    if is_released and table_path().exists():
        gone = [line for line in committed() if line not in now]
        if gone:
            sys.exit(f"{version()} was released with {len(gone)} lines that are no longer true, so the minor version must change: {gone[:10]}")
    table_path().parent.mkdir(exist_ok=True)
    with open(table_path(), "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([["kind", "name", "offset or value", "size or type"], *now])


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
