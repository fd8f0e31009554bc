# SPDX-License-Identifier: Apache-2.0
"""Columns of a history: their names, units and short names."""
from .library import library


class Columns:
    """Those of a record of the library."""

    def __init__(self, record):
        count = library.limber_record_columns(record)
        self.names = [library.limber_record_name(record, i).decode() for i in range(count)]
        self.units = {name: library.limber_record_units(record, i).decode() for i, name in enumerate(self.names)}
        self._index = self._short_names()

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

    def find(self, name):
        """The index of a column by its name or short name."""
        if name not in self._index:
            group = name.split(".")[0]
            near = [c for c in self.names if c.split(".")[0] == group] or sorted({c.split(".")[0] for c in self.names})
            raise KeyError(f"there is no column '{name}'; there are {', '.join(near)}")
        return self._index[name]
