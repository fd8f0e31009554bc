# SPDX-License-Identifier: Apache-2.0
"""The table of a study as a page, as pictures and as a table of extremes: numbers are those of the table, files that someone made up do
no harm."""
import csv
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np
import pytest

import study_tables
from support import limber, needs, program, tool, write

PAGE = "study.report.html"


@pytest.fixture(scope="module", autouse=True)
def table(folder):
    made = study_tables.example("study.h5", attributes={"channels": study_tables.texts(["tip.z", "root.M"]), "factors": np.array([1.35, 1.0])})
    made["said"] = limber("report", "study.h5")
    return made


def text():
    return pathlib.Path(PAGE).read_text()


def section(title):
    """What stands under a head, up to the next."""
    return text().split(f"<h2>{title}</h2>")[1].split("<h2>")[0]


def cells(row):
    """Contents of a row's cells; numbers with all digits."""
    out = []
    for attributes, content in re.findall(r"<t[dh]([^>]*)>(.*?)</t[dh]>", row):
        title = re.search(r'title="([^"]*)"', attributes)
        out.append(title[1] if title else html.unescape(re.sub("<[^>]*>", "", content)))
    return out


def rows(part):
    return [cells(r) for r in re.findall(r"<tr>(.*?)</tr>", part, re.S)]


def test_a_page_is_written_and_told(table):
    said = table["said"]
    assert (said.code, said.out + said.err) == (0, f"{PAGE}: open it in a browser, or print it")


def test_every_tag_is_closed():
    assert tool("report.py", PAGE, "whole") == "whole"


def test_the_page_needs_no_other_file():
    assert not re.search(r'(src|href)="(?!data:)', text()) and "http" not in text().replace("http://www.w3.org/2000/svg", "")


def test_failures_are_grouped_by_cause():
    part = section("Runs that failed")
    heads = [" ".join(html.unescape(re.sub("<[^>]*>", "", h)).split()) for h in re.findall("<h3>(.*?)</h3>", part, re.S)]
    assert heads == ["4 × not_started line #: length is #", "4 × no_convergence joint 'hinge2'"]


def test_a_failure_has_the_command_that_repeats_it(table):
    commands = html.unescape(section("Runs that failed")).split("<pre>")[1].split("</pre>")[0].strip().split("\n")
    wind, stiffness = table["wind"][392], table["E"][392]
    assert commands[0] == f"limber run model.yaml --set 'let.wind={wind!r} m/s' --set 'let.E={stiffness!r} Pa'"
    assert len(commands) == 3


def extremes(table):
    """Of each channel, max and min: run and value, by numpy, of the runs that finished."""
    good = table["status"] == 0
    out = []
    for channel in ("tip.z", "root.M"):
        for side, pick in (("max", np.argmax), ("min", np.argmin)):
            values = table["statistics"][f"{channel} {side}"][1][good]
            out.append((channel, side, int(pick(values)), values[pick(values)]))
    return out


def test_the_page_has_the_extremes(table):
    found = [r for r in rows(section("Extreme loads").split("<h3>")[0]) if r[1] in ("max", "min")]
    assert [(r[0], r[1], int(r[6]), float(r[2])) for r in found] == extremes(table)
    assert [float(r[5]) for r in found] == [1.35 * v if c == "tip.z" else v for c, _, _, v in extremes(table)]


def test_the_page_has_all_channels_at_the_instant(table):
    found = [r for r in rows(section("Extreme loads").split("<h3>")[1]) if r[1] in ("max", "min")]
    for r, (channel, side, run, value) in zip(found, extremes(table)):
        expected = [value, run + 0.5] if channel == "tip.z" else [run + 0.5, value]
        assert [float(x) for x in r[2:4]] == expected and int(r[4]) == run


def test_extremes_as_csv_are_those_of_the_page(table):
    assert limber("export", "study.h5", "--extremes", "-o", "extremes.csv").code == 0
    assert limber("export", "study.h5", "--extremes", "-o", "extremes.csv").code == 0  # Limber wrote it, and may again
    lines = list(csv.DictReader(open("extremes.csv")))
    assert [(r["channel [1]"], r["extreme [1]"], int(r["run [1]"]), float(r["value [1]"])) for r in lines] == extremes(table)
    assert [float(r["let.wind [m/s]"]) for r in lines] == [table["wind"][run] for _, _, run, _ in extremes(table)]


def test_the_lifetime_load_is_the_mean_of_damages(table):
    good = table["status"] == 0
    row = next(r for r in rows(section("Damage-equivalent loads")) if r[0] == "tip.z")
    expected = np.mean(table["wind"][good] ** 4) ** 0.25
    assert float(row[7]) == pytest.approx(expected, rel=1e-13) and float(row[3]) == table["wind"][good].max()


def test_weights_of_the_plan_are_used(table):
    speed = np.array([4.0, 8.0, 12.0] * 20)
    weights = np.array([0.01, 0.03, 0.01])
    study_tables.write("weighted.h5", {"let.wind": ("m/s", speed)}, {"root del 3": ("N", 2 * speed)},
                       attributes={"weights_of": "let.wind", "weight_values": np.array([4.0, 8.0, 12.0]), "weights": weights})
    assert limber("report", "weighted.h5").code == 0
    page = pathlib.Path("weighted.report.html").read_text()
    row = next(r for r in rows(page.split("<h2>Damage-equivalent loads</h2>")[1]) if r[0] == "root")
    expected = (np.sum(weights * np.array([8.0, 16.0, 24.0]) ** 3) / weights.sum()) ** (1 / 3)
    assert float(row[7]) == pytest.approx(expected, rel=1e-13)


def test_words_of_a_parameter_are_shown(table):
    study_tables.write("words.h5", {"run.scheme": ("1", np.array([0.0, 1, 1]))}, {"tip max": ("m", np.array([1.0, 2, 3]))},
                       attributes={"words": study_tables.texts(["preserving\ndecaying"])})
    assert limber("report", "words.h5").code == 0
    page = pathlib.Path("words.report.html").read_text()
    assert [r[5] for r in rows(page.split("<h2>Worst runs</h2>")[1].split("<h2>")[0])[1:]] == ["decaying", "decaying", "preserving"]
    assert limber("export", "words.h5", "run.scheme").lines[1:] == ['0,"preserving"', '1,"decaying"', '2,"decaying"']


def test_numbers_over_all_runs_are_those_of_numpy(table):
    good = table["status"] == 0
    found = {r[0]: r for r in rows(section("Statistics over all runs"))}
    for name, values in (("let.wind", table["wind"][good]), ("tip.z max", table["top"][good])):
        low, mean, deviation, high = map(float, found[name][2:6])
        assert (low, high) == (values.min(), values.max())
        assert mean == pytest.approx(values.mean(), rel=1e-13) and deviation == pytest.approx(values.std(), rel=1e-12)
        assert float(found[name][8]) == pytest.approx(np.median(values), rel=0.01)


def ranks(x):
    return np.argsort(np.argsort(x)).astype(float)


def test_correlations_are_those_of_numpy(table):
    good = table["status"] == 0
    found = {r[0]: r for r in rows(section("Correlations of results with parameters"))}
    x, y = table["wind"][good], table["top"][good]
    expected = f"{np.corrcoef(ranks(x), ranks(y))[0, 1]:.2f} / {np.corrcoef(x, y)[0, 1]:.2f}"
    assert found["tip.z max"][1] == expected
    assert abs(float(found["tip.z max"][2].split(" / ")[0])) < 0.2  # nothing depends on the stiffness


def test_the_worst_runs_are_named_and_link_to_their_views(table):
    good = table["status"] == 0
    worst = np.argsort(-table["top"] * good)[:10]
    found = [r for r in rows(section("Worst runs")) if r[0].startswith("tip.z")]
    assert [int(r[4]) for r in found] == worst.tolist() and found[0][-1] == "–"
    os.makedirs("study.runs", exist_ok=True)
    for ending in (".h5", ".html"):
        pathlib.Path(f"study.runs/{worst[0]:06d}{ending}").write_text("")
    os.makedirs("elsewhere", exist_ok=True)
    assert limber("report", "study.h5", "-o", "elsewhere/page.html").code == 0
    assert f'<a href="../study.runs/{worst[0]:06d}.html">view</a>' in pathlib.Path("elsewhere/page.html").read_text()
    shutil.rmtree("study.runs")


def test_pictures_show_runs_that_failed_and_the_worst(table):
    parallel = section("Parallel coordinates")
    drawn = {int(n) for n in re.findall(r'<g data-run="(\d+)">', parallel)}
    assert set(range(392, 400)) <= drawn and int(np.argmax(table["top"] * (table["status"] == 0))) in drawn
    assert section("Results over parameters").count("<svg") == 1 and section("Histograms").count("<svg") == 5


def test_a_table_of_failures_alone_is_a_page(table):
    study_tables.example("lost.h5", runs=5, failed=5)
    assert limber("report", "lost.h5").code == 0
    assert "5 of 5 runs failed" in pathlib.Path("lost.report.html").read_text()


def test_one_run_is_a_page(table):
    study_tables.example("one.h5", runs=1, failed=0)
    assert limber("report", "one.h5").code == 0


def test_columns_are_drawn(table):
    said = limber("plot", "study.h5", "tip.z.max", "--over", "let.wind", "-o", "scatter.svg")
    assert (said.code, said.out) == (0, "scatter.svg")
    dots = pathlib.Path("scatter.svg").read_text().count("h0")
    assert dots == int(np.sum(table["status"] == 0))
    assert limber("plot", "study.h5", "tip.z.max", "root.M min", "-o", "histogram.svg").code == 0
    assert "runs" in pathlib.Path("histogram.svg").read_text()
    assert limber("plot", "study.h5", "let.E", "-o", "histogram.png").code == 0


def test_a_misspelt_column_is_told(table):
    said = limber("plot", "study.h5", "tip.y.max")
    assert said.code == 2 and "no column 'tip.y.max'" in said.err and "tip.z max" in said.err
    assert limber("plot", "study.h5", "tip.z.max", "--spectrum").err == "limber plot: --spectrum is for runs, and study.h5 is a study"


@pytest.mark.parametrize("words", [("compare", "study.h5", "study.h5"), ("view", "study.h5")])
def test_what_needs_a_run_says_what_the_file_is(table, words):
    said = limber(*words)
    assert said.code == 2 and "'study.h5' is the table of a study, not a run" in said.err


def test_nothing_of_a_table_is_taken_as_html(table):
    evil = "</pre><script>alert(1)</script>'\"&"
    n = 12
    study_tables.write("evil.h5", {evil: (evil, np.arange(n))}, {f"{evil.replace(' ', '')} max": (evil, np.arange(n))},
                       status=[1] * 3 + [0] * 9, cause=[evil.encode()] * n, plan=evil,
                       attributes={"title": evil, "model": "a'; rm -rf ~; '", "design": evil})
    assert limber("report", "evil.h5").code == 0
    page = pathlib.Path("evil.report.html").read_text()
    assert page.count("<script>") == 1 and tool("report.py", "evil.report.html", "whole") == "whole"
    assert "limber run 'a'\\''; rm -rf ~; '\\'''" in html.unescape(page)


def damaged(change):
    shutil.copy("study.h5", "damaged.h5")
    with h5py.File("damaged.h5", "r+") as f:
        change(f)
    return [limber(*words) for words in (("report", "damaged.h5"), ("export", "damaged.h5", "-o", "damaged.csv"),
                                         ("plot", "damaged.h5", "tip.z.max", "-o", "damaged.svg"))]


def shorter(f):
    data, attributes = f["statistics"][:10], dict(f["statistics"].attrs)
    del f["statistics"]
    f.create_dataset("statistics", data=data).attrs.update(attributes)


def without_status(f):
    del f["status"]


@pytest.mark.parametrize("change", [
    lambda f: f.attrs.modify("runs", 1e14),
    lambda f: f.attrs.modify("runs", float("nan")),
    without_status,
    shorter,
], ids=["runs", "nan", "status", "short"])
def test_a_damaged_table_is_told_at_once(table, change):
    report, export, plot = damaged(change)
    for said in (report, plot, *([export] if change is not without_status else [])):  # a table without status has the other columns
        assert said.code in (2, 3) and len(said.complaints) >= 1 and "Sanitizer" not in said.err
    assert not os.path.exists("damaged.svg")


def test_a_million_runs_take_little_memory(table):
    n = 1000000
    x = np.linspace(0, 1, n)
    study_tables.write("large.h5", {"let.a": ("1", x)}, {"tip max": ("m", x**2), "tip del 4": ("m", x)})
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", code, program, "report", "large.h5"], text=True, stdout=subprocess.PIPE, check=True)
    if "sanitize" not in program:
        assert int(done.stdout) < 150000  # kB; 51 MB were measured
    assert os.path.getsize("large.report.html") < 1000000


def test_the_page_in_a_browser(table):
    needs("chromium")
    from browser import Page
    with Page("file://" + os.path.abspath(PAGE), width=1060, height=1400, wait="document.readyState == 'complete'") as page:
        assert page.value("document.documentElement.scrollWidth <= 1060")
        order = "[...document.querySelectorAll('table.sort')[0].tBodies[0].rows].map(r => +r.cells[1].title)"
        page.value("document.querySelectorAll('table.sort')[0].tHead.rows[0].cells[1].click()")
        values = page.value(order)
        assert values == sorted(values, reverse=True)
        page.value("document.querySelectorAll('table.sort')[0].tHead.rows[0].cells[1].click()")
        assert page.value(order) == sorted(values)
        page.value("document.querySelector('b[data-run]').dispatchEvent(new MouseEvent('mousemove', {bubbles: true}))")
        run = page.value("document.querySelector('b[data-run]').dataset.run")
        assert page.value("[...document.querySelectorAll('.on')].every(e => e.dataset.run === '%s')" % run)
        assert page.value("document.querySelectorAll('g.on').length") >= 1
        assert page.errors == []
