# SPDX-License-Identifier: Apache-2.0
"""limber stability and limber floquet: outcomes, results files, ranks, and what they say of wrong files."""
import math

import numpy as np
import pytest

from support import h5, limber, settings, source

ziegler = source / "examples/ziegler/ziegler.yaml"
column = source / "examples/follower_column/column.yaml"
pendulum = source / "examples/shaken_pendulum/pendulum.yaml"
LOAD = 3.5 - math.sqrt(2)


def critical(path):
    with h5(path) as f:
        return f["history/critical/value"][0], f["history/critical/frequency"][0]


def stability(model, path, *words, **options):
    said = limber("stability", model, "-o", path, *words, **options)
    assert said.code == 0, said.err
    return said


def test_two_frequencies_meet(measured):
    said = stability(ziegler, "z.h5")
    value, frequency = critical("z.h5")
    measured(f"off by {value / LOAD - 1:.1e}")
    assert abs(value / LOAD - 1) < 1e-9 and abs(2 * math.pi * frequency * 2 ** 0.25 - 1) < 1e-7
    assert said.lines[1] == ("flutter at let.P = 2.085786438: two frequencies meet at 0.133832821 Hz (0.840896415 rad/s); "
                             "mode: second along y 1")


def test_damping_destabilises():
    for c in (0.3, 1e-3):
        said = stability(ziegler, "c.h5", *settings(f"let.c={c}"))
        assert abs(critical("c.h5")[0] - 41 / 28 - c * c / 2) < 3e-9
        assert said.lines[1].startswith("flutter at let.P = 1.") and "meet" not in said.out


def test_digits_are_those_asked_for():
    for digits in (3, 12):
        stability(ziegler, "d.h5", *settings(f"stability.digits={digits}"))
        assert abs(critical("d.h5")[0] / LOAD - 1) < 10 ** -digits


def test_rows_are_followed_eigenvalues():
    stability(ziegler, "r.h5")
    with h5("r.h5") as f:
        axis, e = f["history/time"], f["history/eigenvalue"]
        assert axis.attrs["name"] == "let.P" and axis.shape == (31,) and axis[-1] == 3
        re, im = e["real"][:], e["imaginary"][:]
        assert list(e["real"].attrs["columns"])[:2] == ["mode1", "mode2"]
        at = axis[:]
    stable = at < LOAD
    assert np.abs(re[stable, :2]).max() < 1e-9 and re[~stable, :2].max(axis=1).min() > 0.05
    assert (np.diff(im[stable, 0]) > 0).all() and (np.diff(im[stable, 1]) < 0).all()  # they approach each other
    assert np.allclose(im[~stable, 0], im[~stable, 1])


def test_a_column_buckles_or_flutters():
    words = settings("let.n=3", "stability.points=6", "let.eta=0", "stability.to=10")
    said = stability(column, "b.h5", *words)
    assert abs(critical("b.h5")[0] / (math.pi ** 2 / 4) - 1) < 3e-6
    assert said.lines[1].startswith("divergence (buckling) at let.P = 2.46740") and "column bending y 1" in said.out


def test_nothing_happens_in_a_range_without_crossing():
    said = stability(ziegler, "n.h5", "--to", "2")
    assert said.lines[1] == "stable from let.P = 0 to 2: no eigenvalue gets a positive real part"
    assert math.isnan(critical("n.h5")[0])


def test_a_range_that_begins_unstable_is_told():
    said = stability(ziegler, "u.h5", "--from", "2.5")
    assert said.lines[1].startswith("unstable at let.P = 2.5 already, where the range begins")


def test_two_ranks_give_the_same():
    stability(ziegler, "one.h5")
    stability(ziegler, "two.h5", ranks=2)
    assert abs(critical("one.h5")[0] / critical("two.h5")[0] - 1) < 1e-10


def test_any_number_of_the_file_is_varied():
    stability(ziegler, "k.h5", "--vary", "joints.knee.angle.stiffness", "--from", "0.2", "--to", "3", *settings("let.P=0"))
    assert math.isnan(critical("k.h5")[0])


@pytest.mark.parametrize("words, message", [
    (("stability.to=-1",), "'to' must be above 'from'"),
    (("stability.digits=20",), "'digits' must be from 1 to 15"),
    (("stability.from=much",), "'much' must begin with a number, such as 10 N"),
    (("stability.from=1 N",), "'from' and 'to' must have the same unit"),
])
def test_wrong_ranges_are_told_at_their_place(words, message):
    said = limber("stability", ziegler, "-o", "w.h5", *settings(*words))
    assert said.code == 2 and message in said.err and "--set:1:" in said.err


def test_a_parameter_that_is_not_there_is_told():
    said = limber("stability", ziegler, "-o", "p.h5", "--vary", "joints.elbow.angle.stiffness", "--to", "3")
    assert said.code == 1 and "'joints' has no entry 'elbow'" in said.err


def test_a_file_without_the_part_is_told():
    said = limber("stability", pendulum, "-o", "q.h5")
    assert said.code == 2 and "has no part `stability`" in said.err
    said = limber("floquet", ziegler, "-o", "q.h5")
    assert said.code == 2 and "has no part `floquet`" in said.err


# ---- floquet ----

def test_a_shaken_pendulum_is_unstable_in_the_tongue(measured):
    said = limber("floquet", pendulum, "-o", "f.h5", *settings("floquet.steps=100"))
    assert said.code == 0
    with h5("f.h5") as f:
        m = f["history/multiplier"]
        real, growth = m["real"][:].ravel(), m["growth"][:].ravel()
        assert f["history/time"].attrs["name"] == "multiplier" and list(f["history/time"]) == [1, 2]
    measured(f"{real}")
    assert np.abs(real - [-1.155868659, -0.865150198]).max() < 1e-4 and growth[0] > 0 > growth[1]
    assert said.lines[-2] == ("unstable: a disturbance grows by 1.15579 in each period, an oscillation of twice the period; "
                              "node 'bob' moves most")


def test_a_motion_that_does_not_repeat_is_told():
    said = limber("floquet", pendulum, "-o", "g.h5", *settings("floquet.steps=50", "floquet.period=0.4 s"))
    assert said.code == 0 and "warning: the motion does not repeat: it misses its start by" in said.out


def test_wrong_periods_are_told_at_their_place():
    for change, message in (("floquet.period=0 s", "'period' must be positive"), ("floquet.steps=1", "'steps' must be at least 2")):
        said = limber("floquet", pendulum, "-o", "h.h5", *settings(change))
        assert said.code == 2 and message in said.err
