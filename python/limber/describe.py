# SPDX-License-Identifier: Apache-2.0
"""The catalogue as the library describes it: kinds, and the fields of each."""
from ctypes import byref
from typing import Dict, List, NamedTuple, Optional, Tuple, Union, overload

from .interface import LimberField
from .library import FIELD_TYPES, PARTS, library


class Field(NamedTuple):
    """A field of a kind."""
    name: str
    type: str  # number, integer, numbers, matrix, rows, name, names, text, map, maps, other, number or map, flag
    count: int  # type: ignore[assignment]  # of numbers or names; 0: any number of them
    unit: str
    refers_to: str  # node, element, joint, section, function, material; "" of what is no name
    required: bool
    default: float  # of a number
    help: str
    words: Tuple[str, ...]  # the words that a text may be; () where any may


class Kind(NamedTuple):
    """A kind of the catalogue."""
    name: str
    help: str
    fields: Tuple[Field, ...]


def _words(part, kind, field):
    words: List[str] = []
    while (word := library.limber_kind_word(part, kind, field, len(words))) is not None:
        words.append(word.decode())
    return tuple(words)


def _kind(part, kind):
    fields: List[Field] = []
    f = LimberField()
    while library.limber_kind_field(part, kind, len(fields), byref(f)):
        fields.append(Field(f.name.decode(), FIELD_TYPES[f.type], f.count, f.unit.decode(), f.refers_to.decode(),
                            f.required, f.value, f.help.decode(), _words(part, kind, f.name)))
    return Kind(kind.decode(), library.limber_kind_help(part, kind).decode(), tuple(fields))


@overload
def describe(part: str, kind: None = None) -> Dict[str, Kind]:
    ...


@overload
def describe(part: str, kind: str) -> Kind:
    ...


def describe(part: str, kind: Optional[str] = None) -> Union[Dict[str, Kind], Kind]:
    """The kinds of a part of the model ("elements", "joints", "loads", "functions", "shapes"), or one of them.

    describe("elements", "beam").fields has names, units, defaults and help of a beam's fields."""
    if part not in PARTS:
        raise KeyError(f"there is no part '{part}'; there are {', '.join(PARTS)}")
    number = PARTS.index(part)
    kinds: Dict[str, Kind] = {}
    while (name := library.limber_kind(number, len(kinds))) is not None:
        kinds[name.decode()] = _kind(number, name)
    if kind is None:
        return kinds
    if kind not in kinds:
        raise KeyError(f"there is no kind '{kind}' of {part}; there are {', '.join(kinds)}")
    return kinds[kind]
