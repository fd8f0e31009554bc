# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of models and results: the viewer, pictures and tables as HTML. Colours are those of the page, light or dark."""
import base64
import html
import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, List, Sequence

import numpy

from .library import Error
from .pictures import command, picture

if TYPE_CHECKING:
    from . import Model
    from .columns import History

LARGEST = 5_000_000  #: bytes of an animated page that a notebook contains; for a larger one it contains a picture
_ROWS = 60  # of a table
_OPEN = 12  # columns of a table that is unfolded
_CARD = "box-sizing:border-box;background:#fff;border:1px solid #8884;border-radius:6px;max-width:100%"


class Markup(str):
    """HTML that a cell of a table contains as it is."""


def show_cell(value: Any) -> str:
    if isinstance(value, Markup):
        return f"<td>{value}</td>"
    if isinstance(value, (float, numpy.floating)):
        value = f"{value + 0.0:.6g}"  # without the sign of a zero
    elif not isinstance(value, (int, numpy.integer)):
        return f'<td style="text-align:left">{html.escape(str(value))}</td>'
    return f'<td style="text-align:right;font-variant-numeric:tabular-nums">{value}</td>'


def show_table(head: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "", more: str = "") -> str:
    """A table. Of a long one the first rows are shown; `more` says where the others are."""
    rows = list(rows)
    top = "".join(f'<th style="text-align:left">{html.escape(h)}</th>' for h in head)
    body = "".join(f"<tr>{''.join(map(show_cell, row))}</tr>" for row in rows[:_ROWS])
    rest = f"<p>{len(rows) - _ROWS} more rows{html.escape(more)}</p>" if len(rows) > _ROWS else ""
    return f"{show_line(title, strong=True)}<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{rest}"


def show_line(text: str, strong: bool = False) -> str:
    inside = html.escape(text)
    return f"<p>{f'<b>{inside}</b>' if strong else inside}</p>" if text else ""


def fold(title: str, inside: str, is_open: bool = False) -> str:
    """Something that a click shows and hides."""
    return f"<details{' open' if is_open else ''}><summary>{html.escape(title)}</summary>{inside}</details>" if inside else ""


def show_curve(values: numpy.ndarray, width: int = 140, height: int = 22) -> Markup:
    """A small curve: the least and the largest value of each of its pixels."""
    values = numpy.asarray(values, float)
    values = values[numpy.isfinite(values)]
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        return Markup()
    bins = numpy.array_split(values, min(width, len(values)))
    y = numpy.array([y for part in bins for y in ((part[0],) if len(part) == 1 else (part.min(), part.max()))])
    x = numpy.linspace(1, width - 1, len(y))
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, 1 + (height - 2) * (high - y) / (high - low)))
    return Markup(f'<svg width="{width}" height="{height}" style="vertical-align:middle"><polyline points="{points}" fill="none" '
                  'stroke="currentColor"/></svg>')


def _read(path: str) -> bytes:
    with open(path, "rb") as f:
        return f.read()


def show_image(kind: str, data: bytes, text: str) -> str:
    if len(data) > LARGEST:
        return show_line(f"The picture has {len(data) / 1e6:.1f} MB, too much for a notebook.")
    return f'<img src="data:image/{kind};base64,{base64.b64encode(data).decode()}" alt="{html.escape(text)}" style="{_CARD}">'


def show_motion(results: str) -> str:
    """The viewer of a results file in a frame, or a picture where its page is larger than LARGEST."""
    with tempfile.TemporaryDirectory() as folder:
        page, image = os.path.join(folder, "page.html"), os.path.join(folder, "picture.png")
        command("view", results, "-o", page)
        text = _read(page).decode().replace("&", "&amp;").replace('"', "&quot;")
        if len(text) <= LARGEST:
            return f'<iframe srcdoc="{text}" sandbox="allow-scripts" style="width:100%;height:560px;{_CARD}"></iframe>'
        picture(results, image, size=(960, 600))
        why = f"The animated page has {len(text) / 1e6:.1f} MB, too much for a notebook: limber.view({results!r}) writes it to a file."
        return show_image("png", _read(image), "the mechanism at the end") + show_line(why)


def try_to(show: Any, *arguments: Any) -> str:
    """What a function shows, or why it cannot: a notebook shows the rest."""
    try:
        return show(*arguments)
    except (Error, OSError) as error:
        return show_line(str(error))


# ---- models ----

def show_model(model: "Model") -> str:
    """A picture of the initial state, what the model consists of, and warnings. They are those of the file as it is now."""
    return try_to(_draw_model, model) + fold("Warnings", f"<pre>{html.escape(model.notes)}</pre>" if model.notes else "", True)


def _draw_model(model: "Model") -> str:
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "model.svg")
        path, text, changes = model._source_words()
        said = command("check", path, *(w for c in changes for w in ("--set", c)), *(["--allow-outside"] if model._outside else []),
                       "--picture", image, text=text).splitlines()
        title = said[0].partition(" in '")[2].rstrip("'")
        rows = [line.split(None, 1) for line in said[1:] if not line.startswith("  picture")]
        return show_line(title, strong=True) + show_image("svg+xml", _read(image), "the model in its initial state") + show_table(("part", ""), rows)


# ---- results ----

def show_columns(table: Any, names: Sequence[str], over: str) -> str:
    """A table with a line for each column; table[name] is the array of a column."""
    columns = [table[name] for name in names[:_ROWS]]
    rows: List[Any] = [(c.name, c.unit, numpy.fmin.reduce(c), numpy.fmax.reduce(c), c[-1], show_curve(c)) for c in columns if len(c)]
    rows += [()] * (len(names) - len(columns))  # counted, not shown
    return show_table(("column", "unit", "smallest", "largest", "last", "over " + over), rows, more=": `columns` lists them") if rows else ""


def show_history(history: "History", motion: str = "", remark: str = "") -> str:
    """The motion, where it can be shown, then tables of probes and of the energy balance."""
    rest = history.columns[1:]
    ledger = [name for name in rest if name.startswith("ledger.")]
    probes = [name for name in rest if not name.startswith(("ledger.", "steps."))]
    return (show_line(repr(history), strong=True) + motion + show_line(remark) +
            fold(f"Probes: {len(probes)} columns", show_columns(history, probes, history.columns[0]), len(probes) <= _OPEN) +
            fold(f"Energy balance (ledger): {len(ledger)} columns", show_columns(history, ledger, history.columns[0])))

