# SPDX-License-Identifier: Apache-2.0
"""Optima: numbers of a model that make a result best within limits (docs/optimize.md)."""
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

from .studies import Path, _answer


class OptimumParameter(NamedTuple):
    """A parameter and its best value. next_step: by how much one more step of the search would change it, about its error. held:
    "from" or "to", the bound that it meets, or None. multiplier: by how much the objective changes with that bound, in SI."""
    name: str
    units: str
    start: float
    value: float
    next_step: float
    held: Optional[str]
    multiplier: float


class OptimumConstraint(NamedTuple):
    """A constraint in SI: its value at the start and at the optimum, and its limits (None: there is none). held and multiplier: as of a
    parameter."""
    of: str
    units: str
    start: float
    value: float
    from_: Optional[float]
    to: Optional[float]
    held: Optional[str]
    multiplier: float


class Optimum:
    """What `limber optimize` finds. optimum["width"] is the OptimumParameter let.width, optimum["max(stress)"] an OptimumConstraint.

    of, units, objective, start: the objective, its unit, its best value and that at the start. next_step: by how much one more step
    would change the objective. parameters, constraints: all of them. steps: of the search. differences: derivatives are differences of whole analyses. remarks: "" or lines of text. changes: the best
    values as `changes` of other functions."""

    def __init__(self, found: Dict[str, Any]):
        objective = found["objective"]
        self.model: str = found["model"]
        self.remarks: str = found["remarks"]
        self.of: str = objective["of"]
        self.units: str = objective["units"]
        self.objective: float = objective["value"]
        self.start: float = objective["start"]
        self.next_step: float = objective["next_step"]
        self.maximize: bool = found["maximize"]
        self.differences: bool = found["differences"]
        self.steps: int = found["steps"]
        self.parameters: List[OptimumParameter] = [
            OptimumParameter(*(p[key] for key in OptimumParameter._fields)) for p in found["parameters"]]
        self.constraints: List[OptimumConstraint] = [
            OptimumConstraint(*(k[key.rstrip("_")] for key in OptimumConstraint._fields)) for k in found["constraints"]]

    def __getitem__(self, name: str) -> Any:
        for p in self.parameters:
            if p.name in (name, f"let.{name}"):
                return p
        for k in self.constraints:
            if k.of == name:
                return k
        raise KeyError(f"there is no {name!r}; there are {', '.join([p.name for p in self.parameters] + [k.of for k in self.constraints])}")

    @property
    def changes(self) -> Dict[str, str]:
        return {p.name: f"{p.value!r} {p.units}".strip() for p in self.parameters}

    def __repr__(self) -> str:
        return f"Optimum({self.model!r}, {self.of}={self.objective:g}, {', '.join(f'{p.name}={p.value:g}' for p in self.parameters)})"


def optimize(model: Path, changes: Optional[Mapping[str, Any]] = None, allow_outside: bool = False) -> Optimum:
    """The best values of numbers of a model file, by its part `optimize`, as `limber optimize` finds them.

    changes: other values of fields.

    Raises ModelError where the model is wrong, Error where there is no optimum."""
    return Optimum(_answer("optimize", model, None, changes, allow_outside))
