#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python/limber/catalogue.py, from the field tables of the library, and python/limber/interface.py, from the public headers:
prints one of them, or writes both with --write.

    python3 python/generate.py interface
    PYTHONPATH=build/dev/python python3 python/generate.py --write"""
import keyword
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]  # the module of PYTHONPATH

# ---- the catalogue ----

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
"""A function for each kind of the catalogue, which gives its entry of a model as a dict. Made by python/generate.py.

    elements.beam(name="strip", from_="a", to="b", section="steel")     # {"beam": {"name": "strip", "from": "a", ...}}

What is left out has its default. A number may be a text with a unit, "5 mm", or a formula of `let`."""
from typing import Any, Literal, Mapping, Optional, Sequence, Union

Quantity = Union[float, str]
Numbers = Union[str, Sequence[Any]]
Entry = dict


def _entry(kind: str, fields: dict) -> Entry:
    """The entry of a kind, without the fields that are left out."""
    return {kind: {name: value for name, value in fields.items() if value is not None}}
'''
TYPES = {"number": "Quantity", "integer": "Union[int, str]", "numbers": "Numbers", "matrix": "Numbers", "rows": "Numbers",
         "name": "str", "names": "Sequence[str]", "map": "Mapping[str, Any]", "maps": "Any", "other": "Any",
         "number or map": "Union[Quantity, Mapping[str, Any]]"}


def type_of(field):
    if field.type == "text":
        return f"Literal[{', '.join(repr(w) for w in field.words)}]" if field.words else "Quantity"
    if field.type == "flag":
        return 'Union[bool, Literal["true", "false"]]'
    if field.refers_to == "material":
        return "Union[str, Mapping[str, Any]]"
    return TYPES[field.type]


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def default_of(field):
    return f" Default: {field.default:g}." if field.type in ("number", "integer") and field.default else ""


def wrapped(start, pieces, end, indent):
    """Lines of start + pieces + end that break between pieces only."""
    text = start + ", ".join(piece.replace(" ", "\0") for piece in pieces) + end.replace(" ", "\0")
    return [line.replace("\0", " ") for line in textwrap.wrap(text, 110, subsequent_indent=" " * indent, break_long_words=False,
                                                              break_on_hyphens=False)]


def function(kind, named):
    """The lines of a kind's function."""
    fields = sorted(kind.fields, key=lambda f: not f.required)
    arguments = [f"{python_name(f.name)}: {type_of(f)}" if f.required else
                 f"{python_name(f.name)}: Optional[{type_of(f)}] = None" for f in fields]
    if named:
        arguments.append("name: Optional[str] = None")
    lines = ["@staticmethod"]
    lines += wrapped(f"def {kind.name}({'*, ' if arguments else ''}", arguments, ") -> Entry:", len(kind.name) + 5)
    doc = [kind.help, ""]
    for f in fields:
        unit = f" [{f.unit.replace('|', ', ')}]" if f.unit else ""
        names = f" (name of a {f.refers_to})" if f.type == "name" else f" (names of {f.refers_to}s)" if f.type == "names" else ""
        doc += textwrap.wrap(f"{python_name(f.name)}{unit}{names}: {f.help}.{default_of(f)}", 106, subsequent_indent="    ")
    if named:
        doc.append("name: name by which other components refer to it.")
    lines += [f'    """{doc[0]}'] + [f"    {line}".rstrip() for line in doc[1:]]
    lines[-1] += '"""'
    pairs = [("name", "name")] * named + [(f.name, python_name(f.name)) for f in kind.fields]
    start = f'return _entry("{kind.name}", {{'
    body = wrapped(start, [f'"{key}": {value}' for key, value in pairs], "})", len(start))
    return lines + ["    " + line for line in body]


def catalogue():
    from limber.describe import describe
    lines = [HEAD]
    for part in ("elements", "joints", "loads", "functions", "events"):
        lines += ["", f"class {part}:", f'    """Kinds of {part}."""']
        for kind in describe(part).values():
            lines += [""] + ["    " + line if line else "" for line in function(kind, part != "functions")]
        lines.append("")
    return "\n".join(lines)


# ---- the interface ----

INTERFACE_HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
"""Structures and functions of the public headers for ctypes. Made by python/generate.py."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, c_bool, c_char, c_char_p, c_double, c_int, c_long, c_longlong, c_size_t, c_uint, c_void_p
from typing import Any

ERROR_CODE = object()  # what a function returns that fails with a code


class Id(ctypes.Structure):
    """LimberNodeId and the like: functions take and return it by value. In Python it is an int, LIMBER_NONE is -1."""
    _fields_ = [("index", c_int)]

    @classmethod
    def from_param(cls, index):
        return cls(index)
'''
NUMBERS = {"int": "c_int", "double": "c_double", "_Bool": "c_bool", "char": "c_char", "size_t": "c_size_t", "unsigned": "c_uint",
           "unsigned int": "c_uint", "long": "c_long", "long long": "c_longlong"}
HINTS = {"c_int": "int", "c_double": "float", "c_bool": "bool", "c_longlong": "int"}  # what ctypes makes of members
HINTED = ("LimberOptions", "LimberControl", "LimberStatics", "LimberOutcome", "LimberCause", "LimberLedger")  # what users of the module see
LEFT_OUT = re.compile(r"LimberModelAdd|LimberModelCreate$|limber_(section|contact_default|event_action_default)$")  # models are texts here


def preprocessed():
    """All public headers that need no MPI, without comments and attributes. The build makes adders.h, of functions that are left
    out here."""
    headers = sorted(h.name for h in (SOURCE / "include/limber").glob("*.h") if h.name != "mpi.h")
    with tempfile.TemporaryDirectory() as folder:
        program, adders = pathlib.Path(folder, "headers.c"), pathlib.Path(folder, "limber/adders.h")
        adders.parent.mkdir()
        adders.touch()
        program.write_text("".join(f"#include <limber/{h}>\n" for h in headers))
        text = subprocess.run(["cc", "-std=c17", "-E", "-P", f"-I{SOURCE}/include", f"-I{folder}", str(program)], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
    return re.sub(r"\s+", " ", re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text))


def parts(pattern, text):
    """The groups of a declaration."""
    found = re.match(pattern, text)
    assert found, f"cannot read the declaration '{text}'"
    return found.groups()


class Interface:
    def __init__(self):
        text = preprocessed()
        self.structures = {name: body for body, name in re.findall(r"typedef struct \w* ?\{([^{}]*)\} (Limber\w+);", text)}
        self.enumerations = set(re.findall(r"typedef enum \w* ?\{[^{}]*\} (Limber\w+);", text))
        self.constants = {name: int(value) for name, value in re.findall(r"(LIMBER_\w+) = (\d+)", text)}
        self.handles = set(re.findall(r"typedef struct \w+ \*(Limber\w+);", text))
        self.callbacks = dict(re.findall(r"typedef void \(\*(Limber\w+)\)\(([^()]*)\);", text))
        self.functions = [f for f in re.findall(r"(?:^|[;}]) ((?:\w+[ *]+)+)([Ll]imber\w+)\(([^;{}]*)\)(?=;)", text) if not LEFT_OUT.match(f[1])]
        self.needed: dict = {}  # structures and callbacks, each after those that it uses

    def type_of(self, text, stars=0):
        """A type without a name, as ctypes has it."""
        words = [w for w in text.replace("*", " ").split() if w != "const"]
        base, stars = " ".join(words), stars + text.count("*")
        if base.endswith("Id") and base in self.structures:
            found = "Id"
        elif base in self.structures or base in self.callbacks:
            self.need(base)
            found = base
        elif base in self.enumerations:
            found = "c_int"
        elif base in self.handles:
            found = "c_void_p"
        elif base in ("void", "char") and stars:
            found, stars = {"void": "c_void_p", "char": "c_char_p"}[base], stars - 1
        elif base == "void":
            return "None"
        else:
            found = NUMBERS[base]
        return "POINTER(" * stars + found + ")" * stars

    def need(self, name):
        if name in self.needed:
            return
        if name in self.callbacks:
            arguments = ", ".join(self.type_of(p.rpartition(" ")[0] + "*" * p.rpartition(" ")[2].count("*"))
                                  for p in self.callbacks[name].split(", "))
            self.needed[name] = f"{name} = ctypes.CFUNCTYPE(None, {arguments})"
            return
        members = list(self.members(self.structures[name]))
        lines = wrapped("_fields_ = [", [f'("{member}", {kind})' for member, kind in members], "]", 12)
        if name in HINTED:
            lines += [f"{member}: {HINTS.get(kind, kind if kind in self.structures else 'Any')}" for member, kind in members]
        self.needed[name] = "\n".join([f"class {name}(ctypes.Structure):"] + ["    " + line for line in lines])

    def members(self, body):
        for declaration in [d.strip() for d in body.split(";") if d.strip()]:
            first, *others = declaration.split(",")
            kind, name = parts(r"(.*?[ *])(\w+(?: ?\[[^]]*\])*)$", first)
            for text in [name, *others]:
                stars, member, sizes = parts(r" ?(\**) ?(\w+)((?: ?\[[^]]*\])*)$", text)
                base = kind.replace("*", "") if stars or text is not name else kind
                found = self.type_of(base, len(stars))
                size = math.prod(int(self.constants.get(n, n)) for n in re.findall(r"\[(\w+)\]", sizes))
                yield member, f"{found} * {size}" if sizes else found

    def parameter(self, text):
        """The type of a parameter: arrays are pointers."""
        kind, _, sizes = parts(r"(.*?[ *])(\w+)((?:\[\w*\])*)$", text)
        return self.type_of(kind, 1 if sizes else 0)

    def function(self, result, name, parameters):
        taken = [] if parameters == "void" else [self.parameter(p.strip()) for p in parameters.split(",")]
        given = "ERROR_CODE" if name[0] == "L" and result.strip() == "int" else self.type_of(result)
        return wrapped(f'    "{name}": ({given}, [', taken, "]),", 8)

    def module(self):
        functions = [line for f in self.functions for line in self.function(*f)]
        structures = [n for n in self.needed if n in self.structures]
        return "\n".join([INTERFACE_HEAD] + [f"\n{text}\n" for text in self.needed.values()] +
                         ["", *wrapped("STRUCTURES: dict[str, Any] = {", [f'"{n}": {n}' for n in structures], "}", 4), "",
                          "# name: what it returns, what it takes", "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {", *functions, "}", ""])


MODULES = {"catalogue": catalogue, "interface": lambda: Interface().module()}

if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        for module, make in MODULES.items():
            (SOURCE / f"python/limber/{module}.py").write_text(make())
    else:
        print(MODULES[sys.argv[1]](), end="")
