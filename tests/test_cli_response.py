# SPDX-License-Identifier: Apache-2.0
"""limber response: transfer functions against closed forms, on several ranks, and their diagrams."""
import sys

import numpy as np
import pytest

from linear import response
from support import edited, h5, limber, models, settings, source, write

example = source / "examples/cantilever_response"
sys.path.insert(0, str(example))
from exact import bernoulli, timoshenko  # noqa: E402

TIP = "tip.displacement.y"


def respond(model, path, *words, **options):
    said = limber("response", model, "-o", path, "-q", *words, **options)
    assert said.code == 0, said.err
    return response(path)


@pytest.mark.parametrize("eta", (0, 2e-3, 0.05))
def test_a_cantilever_has_the_exact_receptance(eta, measured):
    at, value = respond(example / "cantilever.yaml", "c.h5", *settings(f"let.eta={eta}", "let.points=25"))
    exact = np.array([timoshenko(f, eta) for f in at])
    off = np.abs(value["push"][TIP] - exact) / np.abs(exact)
    bent = np.abs(value["push"][TIP] - np.array([bernoulli(f, eta) for f in at])) / np.abs(exact)
    measured(f"eta {eta:g} s: {off.max():.1e} from Timoshenko's beam up to 12 Hz, {bent[0]:.1e} from Bernoulli's at 0.1 Hz")
    assert off.max() < 3e-5 and bent[0] < 1e-5


def test_amplitude_and_phase_are_those_of_the_number():
    at, value = respond(example / "cantilever.yaml", "c.h5", *settings("let.points=40"))
    with h5("c.h5") as f:
        rows = f[f"history/push/{TIP}"]
        assert list(rows.attrs["columns"]) == ["amplitude", "phase", "real", "imaginary"]
        assert rows.attrs["units"] == "m, degree, m, m"
        assert f["history/time"].attrs["name"] == "frequency" and f["history/time"].attrs["units"] == "Hz"
        amplitude, phase = rows[:, 0], rows[:, 1]
    z = value["push"][TIP]
    assert np.allclose(amplitude * np.exp(1j * np.radians(phase)), z, rtol=1e-12, atol=1e-15)
    assert np.abs(np.diff(phase)).max() < 180  # it goes on from frequency to frequency


def test_velocities_are_rates_of_positions():
    at, value = respond(example / "cantilever.yaml", "c.h5", *settings("let.points=9", "response.outputs=tip"))
    ratio = value["push"]["tip.velocity.y"] / value["push"][TIP]
    assert np.allclose(ratio, 2j * np.pi * at, rtol=1e-9)


def test_masses_and_springs_have_their_matrix():
    """With a point without mass between the two, and a damper."""
    for c in (0, 4):
        at, value = respond(models / "linear/massless.yaml", "m.h5", *settings(f"let.c={c}"))
        for k, f in enumerate(at):
            s = 2j * np.pi * f
            d = 80 + c * s
            m = np.array([[2 * s * s + 120, -50, 0], [-50, 50 + d, -d], [0, -d, 3 * s * s + d]])
            exact = np.linalg.solve(m, np.array([[0, 0], [1, 0], [0, 1]]))
            found = np.array([[value[i][f"{o}.position.x"][k] for i in ("f", "g")] for o in ("one", "middle", "two")])
            assert np.allclose(found, exact, rtol=1e-9)


def test_two_ranks_give_the_same(measured):
    words = settings("response={from: 0.3 Hz, to: 60 Hz, points: 4}")
    model = models / "linear/arm.yaml"
    (at, one), (_, two) = respond(model, "one.h5", *words), respond(model, "two.h5", *words, ranks=2)
    worst = 0
    for i in one:
        scale = {o.rpartition(".")[0]: 0 for o in one[i]}
        for o in one[i]:
            scale[o.rpartition(".")[0]] = max(scale[o.rpartition(".")[0]], np.abs(one[i][o]).max())
        worst = max(worst, *(np.abs(one[i][o] - two[i][o]).max() / scale[o.rpartition(".")[0]] for o in one[i]))
    measured(f"{len(one)} inputs, {len(one[i])} outputs: they differ by {worst:.1e}")
    assert worst < 1e-6  # 7e-8: differences of outputs, axial forces


def test_a_rotating_blade_answers_as_its_linear_model_does(measured):
    from linear import linear_model, transfer
    model = models / "linear/rotor.yaml"
    at, direct = respond(model, "r.h5")
    assert limber("linearize", model, "-q", "-o", "l.h5").code == 0
    m = linear_model("l.h5")
    by_matrix = transfer(m, at)
    kept = [k for k, o in enumerate(m.outputs) if o.startswith(("tip.position", "tip.velocity", "tip.angular_velocity"))]
    worst = max(np.linalg.norm((by_matrix[s] - np.array([direct[s][o] for o in m.outputs]).T)[:, kept]) /
                np.linalg.norm(by_matrix[s][:, kept]) for s in direct)
    measured(f"they differ by {worst:.1e}")
    assert set(direct) == set(by_matrix) and worst < 1e-8


def test_a_diagram_is_drawn():
    respond(example / "cantilever.yaml", "c.h5", *settings("let.points=30"))
    said = limber("plot", "c.h5", "--bode", "-o", "bode.svg")
    assert said.code == 0 and said.out == "bode.svg"
    assert "phase [degrees]" in open("bode.svg").read()
    script = limber("plot", "c.h5", "--bode", f"push.{TIP}", "--script").out
    assert script.count("EOD") == 4 and "set logscale x" in script
    said = limber("plot", "c.h5", "--bode", "pull")
    assert said.code == 2 and "c.h5 has no transfer function of that name" in said.err


def test_what_has_no_response_is_told():
    said = limber("response", models / "linear/pendulum.yaml")
    assert said.code == 2 and "has no part `response`" in said.err
    said = limber("response", source / "examples/linear_model/cart.yaml", "-q",
                  *settings("response={from: 0, to: 1, points: 3, spacing: linear, inputs: force}"))
    assert said.code != 0 and "at 0 Hz the response to 'force' is unbounded: a part moves freely" in said.err
    path = write("bad.yaml", (models / "linear/massless.yaml").read_text().replace("from: 0.1 Hz", "from: 0"))
    said = limber("response", path)
    assert said.code == 2 and "'from' must be positive if frequencies have equal ratios" in said.err
    said = limber("response", edited(models / "linear/massless.yaml", r"points: 9", "points: 0", "none.yaml"))
    assert said.code == 2 and "'points' must be at least 1" in said.err
