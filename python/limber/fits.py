# SPDX-License-Identifier: Apache-2.0
"""Fits: numbers of a model from measured data (docs/fit.md)."""
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

import numpy

from .studies import Path, _answer


class FitParameter(NamedTuple):
    """A parameter: its estimate with the standard error. error: None where the data cannot tell it, or it is at a bound.
    correlations: with all parameters, in their order. half_step_change: by how much half the step of the run would change it."""
    name: str
    units: str
    start: float
    value: float
    error: Optional[float]
    at_bound: bool
    correlations: List[Optional[float]]
    half_step_change: Optional[float]


class FitData(NamedTuple):
    """What was measured, and the same of the fitted model, as arrays. noise: standard deviation; estimated: it was found from the
    residuals. residual: their root mean square. time: of a history, or empty."""
    of: str
    units: str
    noise: float
    estimated: bool
    residual: float
    time: Any
    measured: Any
    fitted: Any


class Fit:
    """What `limber fit` finds. fit["k"] is the FitParameter let.k.

    parameters, data: all of them. chi_square, freedom: sum of the squares of all residuals over their noise, and its degrees of
    freedom. unknown: combinations of relative changes of the parameters that the data cannot tell. differences: derivatives are
    differences of whole analyses. remarks: "" or lines of text. changes: the estimates as `changes` of other functions."""

    def __init__(self, found: Dict[str, Any]):
        self.model: str = found["model"]
        self.remarks: str = found["remarks"]
        self.chi_square: float = found["chi_square"]
        self.freedom: int = found["freedom"]
        self.differences: bool = found["differences"]
        self.parameters: List[FitParameter] = [FitParameter(*(p[key] for key in FitParameter._fields)) for p in found["parameters"]]
        self.data: List[FitData] = [
            FitData(*(numpy.array(d[key]) if isinstance(d[key], list) else d[key] for key in FitData._fields)) for d in found["data"]]
        self.unknown: List[Dict[str, float]] = [dict(zip((p.name for p in self.parameters), parts)) for parts in found["unknown"]]

    def __getitem__(self, name: str) -> FitParameter:
        for p in self.parameters:
            if p.name in (name, f"let.{name}"):
                return p
        raise KeyError(f"there is no {name!r}; there are {', '.join(p.name for p in self.parameters)}")

    @property
    def changes(self) -> Dict[str, str]:
        return {p.name: f"{p.value!r} {p.units}".strip() for p in self.parameters}

    def __repr__(self) -> str:
        return f"Fit({self.model!r}, {', '.join(f'{p.name}={p.value:g}' for p in self.parameters)})"


def fit(model: Path, changes: Optional[Mapping[str, Any]] = None, output: Optional[Path] = None, picture: Optional[Path] = None,
        allow_outside: bool = False) -> Fit:
    """Numbers of a model file from measured data, by its part `fit`, as `limber fit` finds them.

    changes: other values of fields. output: measured and fitted values (CSV). picture: measured histories and the fitted model (SVG,
    PNG or PDF).

    Raises ModelError where the model is wrong, Error where there is no minimum."""
    more = [] if picture is None else ["--picture", str(picture)]
    return Fit(_answer("fit", model, output, changes, allow_outside, *more))
