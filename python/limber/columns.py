# SPDX-License-Identifier: Apache-2.0
"""Columns over time: their names, units and short names, as arrays and as a table of pandas."""
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

import numpy

from . import notebook
from .library import library

if TYPE_CHECKING:
    import pandas  # type: ignore


class Column(numpy.ndarray):
    """An array with the `name` of a column, its `unit`, such as "m s-1"; "1" is a number without unit, and the `error` that none of its values
    exceeds, or None. Slices, selections and copies keep them. Results of arithmetic are plain arrays."""
    name: str
    unit: str
    error: Optional[float]

    def __new__(cls, values: numpy.ndarray, name: str = "", unit: str = "", error: Optional[float] = None) -> "Column":
        column = numpy.asarray(values).view(cls)
        column.name, column.unit, column.error = name, unit, error
        return column

    def __array_finalize__(self, source: Any) -> None:
        self.name, self.unit, self.error = "", "", None  # numpy does not say whether these are the same quantities

    def _keep(self, made: Any) -> Any:
        """What was made of the same quantities, with their name, unit and error."""
        if isinstance(made, Column):
            made.name, made.unit, made.error = self.name, self.unit, self.error
        return made

    def __getitem__(self, index: Any) -> Any:
        return self._keep(super().__getitem__(index))

    def copy(self, order: Any = "C") -> "Column":
        return self._keep(super().copy(order))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        def plain(values):
            return values.view(numpy.ndarray) if isinstance(values, Column) else values
        if "out" in options:
            options["out"] = tuple(map(plain, options["out"]))
        return getattr(ufunc, method)(*map(plain, inputs), **options)

    def __reduce__(self) -> Any:
        return Column, (self.view(numpy.ndarray), self.name, self.unit, self.error)

    def __repr__(self) -> str:
        return f"{numpy.array_repr(self)[:-1]}, unit={self.unit!r})" if self.unit else numpy.array_repr(self)


def data_frame(data: Mapping[str, Any], units: Mapping[str, str], index: Optional[str] = None) -> "pandas.DataFrame":
    """A table of pandas; `attrs["units"]` has the units of its columns and of its index."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_pandas needs pandas, which is not installed: apt install python3-pandas, or pip install pandas") from None
    frame = pandas.DataFrame(dict(data))
    frame = frame if index is None else frame.set_index(index)
    frame.attrs["units"] = dict(units)
    return frame


class Columns:
    """Names and units of columns."""

    def __init__(self, names: Sequence[str], units: Sequence[str]):
        self.names, self.units = list(names), dict(zip(names, units))
        self._index = self._short_names()

    @classmethod
    def of_record(cls, record) -> "Columns":
        """Those of a record of the library."""
        count = range(library.limber_record_columns(record))
        return cls([library.limber_record_name(record, i).decode() for i in count],
                   [library.limber_record_units(record, i).decode() for i in count])

    def _short_names(self):
        """tip.x for the first of tip's columns that ends so; the work of a load; a formula by its name."""
        index = {name: i for i, name in enumerate(self.names)}
        for i, name in enumerate(self.names):
            if name.startswith("ledger.load_work."):
                short = name[len("ledger.load_work."):] + ".work"
            elif name.endswith(".value") and name.count(".") == 1:
                short = name[:-len(".value")]
            elif name.count(".") >= 2 and not name.startswith("ledger."):
                group, _, component = name.rsplit(".", 2)
                short = f"{group}.{component}"
            else:
                continue
            index.setdefault(short, i)
        return index

    def find(self, name: str) -> int:
        """The index of a column by its name or short name."""
        if name not in self._index:
            group = name.split(".")[0]
            near = [c for c in self.names if c.split(".")[0] == group] or sorted({c.split(".")[0] for c in self.names})
            raise KeyError(f"there is no column '{name}'; there are {', '.join(near)}")
        return self._index[name]


class History:
    """Columns over time. history["tip.x"] is one of them, an array with a unit."""

    _columns: Columns

    @property
    def columns(self) -> List[str]:
        """Names of the columns of `history`."""
        return self._columns.names

    @property
    def units(self) -> Dict[str, str]:
        """The unit of each column."""
        return self._columns.units

    @property
    def history(self) -> numpy.ndarray:
        """All columns, rows in time: numbers in the order of `columns`."""
        raise NotImplementedError

    def _read(self, i: int) -> numpy.ndarray:
        return self.history[:, i]

    def _error(self, i: int) -> Optional[float]:
        """The error bar of a column; None: it has none."""

    def __getitem__(self, name: str) -> Column:
        """A column by its name, in full (tip.position.x) or short (tip.x)."""
        i = self._columns.find(name)
        name = self.columns[i]
        return Column(self._read(i), name, self.units[name], self._error(i))

    def now(self, name: str) -> float:
        """The last value of a column."""
        return float(self._read(self._columns.find(name))[-1])

    def _extent(self) -> str:
        """How many rows there are, and up to which time."""
        time = self._read(0)
        return f"{len(time)} rows" + (f" to {self.columns[0]} = {time[-1]:g} {self.units[self.columns[0]]}" if len(time) else "")

    def to_pandas(self) -> "pandas.DataFrame":
        """All columns as a table of pandas over the time, the first column; its `attrs["units"]` has the units."""
        return data_frame(dict(zip(self.columns, self.history.T)), self.units, self.columns[0])

    def _repr_html_(self) -> str:
        return notebook.show_history(self)
