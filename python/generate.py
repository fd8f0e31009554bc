#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python/limber/catalogue.py, from the field tables of the library: prints it, or writes it with --write.

    PYTHONPATH=build/dev/python python3 python/generate.py --write"""
import keyword
import os
import sys
import textwrap

sys.path = [p for p in sys.path if os.path.abspath(p) != os.path.dirname(os.path.abspath(__file__))]  # the module of PYTHONPATH
from limber.describe import describe  # noqa: E402

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


def wrapped(start, parts, end, indent):
    """Lines of start + parts + end that break between parts only."""
    text = start + ", ".join(part.replace(" ", "\0") for part in parts) + end.replace(" ", "\0")
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
        doc.append("name: by which others refer to it.")
    lines += [f'    """{doc[0]}'] + [f"    {line}".rstrip() for line in doc[1:]]
    lines[-1] += '"""'
    pairs = [("name", "name")] * named + [(f.name, python_name(f.name)) for f in kind.fields]
    start = f'return _entry("{kind.name}", {{'
    body = wrapped(start, [f'"{key}": {value}' for key, value in pairs], "})", len(start))
    return lines + ["    " + line for line in body]


def module():
    lines = [HEAD]
    for part in ("elements", "joints", "loads", "functions", "events"):
        lines += ["", f"class {part}:", f'    """Kinds of {part}."""']
        for kind in describe(part).values():
            lines += [""] + ["    " + line if line else "" for line in function(kind, part != "functions")]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    if "--write" in sys.argv:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "limber", "catalogue.py"), "w") as out:
            out.write(module())
    else:
        print(module(), end="")
