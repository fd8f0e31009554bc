# SPDX-License-Identifier: Apache-2.0
"""Gradients: how results change with the numbers of a model file (docs/gradients.md)."""
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .studies import Path, _answer


class Derivative(NamedTuple):
    """A derivative, an estimate of its error, and the elasticity: % of the quantity per % of the parameter.
    check: the same by differences of whole analyses, and by how much differences of two lengths disagree. None: there is none."""
    quantity: str
    parameter: str
    value: float
    error: float
    elasticity: Optional[float]
    check: Optional[float]
    check_error: Optional[float]


class Gradient:
    """What `limber gradient` finds. g["max(tip.z)", "let.length"] is a Derivative; "let." may be left out.

    values: of the quantities. parameters: their values. units: of both. derivatives: all of them. remarks: "" or lines of text."""

    def __init__(self, found: Dict[str, Any]):
        self.model: str = found["model"]
        self.method: str = found["method"]
        self.remarks: str = found["remarks"]
        self.values: Dict[str, float] = {q["name"]: q["value"] for q in found["quantities"]}
        self.parameters: Dict[str, float] = {p["name"]: p["value"] for p in found["parameters"]}
        self.units: Dict[str, str] = {x["name"]: x["units"] for x in found["quantities"] + found["parameters"]}
        self.derivatives: List[Derivative] = [Derivative(*(d[key] for key in Derivative._fields)) for d in found["derivatives"]]
        self._by_name = {(d.quantity, d.parameter): d for d in self.derivatives}

    def __getitem__(self, name: Tuple[str, str]) -> Derivative:
        quantity, parameter = name
        found = self._by_name.get((quantity, parameter)) or self._by_name.get((quantity, f"let.{parameter}"))
        if not found:
            raise KeyError(f"there is no {name!r}; there are {', '.join(self.values)} with respect to {', '.join(self.parameters)}")
        return found

    def __repr__(self) -> str:
        return f"Gradient({self.model!r}, of={list(self.values)}, wrt={list(self.parameters)})"


def gradient(model: Path, of: Sequence[str], wrt: Sequence[str], method: str = "forward", check: bool = False,
             changes: Optional[Mapping[str, Any]] = None, output: Optional[Path] = None, allow_outside: bool = False,
             states: Optional[int] = None) -> Gradient:
    """Derivatives of results of a model file with respect to its numbers, as `limber gradient` finds them.

    of: quantities, such as "tip.z@end", "max(tip.z)", "static(tip.z)", "frequency(1)". wrt: parameters, such as "let.length", or any
    field with its value, "joints.hinge.damping=2 N m s". method: "forward" or "adjoint". check: compares with differences of whole
    analyses. changes: other values of fields. output: the table (CSV). states: of a run that the adjoint method keeps in memory.

    Raises ModelError where the model or a name is wrong, Error where there is no gradient."""
    words = ["--method", method] + ["--check"] * check + (["--states", str(states)] if states else [])
    for option, names in (("--of", of), ("--wrt", wrt)):
        for name in [names] if isinstance(names, str) else names:
            words += [option, name]
    return Gradient(_answer("gradient", model, output, changes, allow_outside, *words))
