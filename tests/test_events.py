# SPDX-License-Identifier: Apache-2.0
"""Events: joints that lock, break and engage, loads and drives that begin and end, against solutions by hand."""
import math

import numpy as np
import pytest

from support import h5, limber, run, settings, write

SCHEMES = ["preserving", "decaying"]

# Two links in a plane, the second at an angle that latches. The first hinge is free: the angular momentum about it stays.
TWO_LINKS = """
limber: 1
nodes: {a: [0.5, 0, 0], b: [1.5, 0, 0]}
elements:
  - rigid_body: {node: a, mass: 2, inertia: [0.1, 0.2, 0.3]}
  - rigid_body: {node: b, mass: 1, inertia: [0.05, 0.1, 0.15]}
joints:
  - revolute: {name: root, nodes: [ground, a], axis: [0, 0, 1], at: [0, 0, 0], angle: {initial_rate: 0.3}}
  - revolute: {name: elbow, nodes: [a, b], axis: [0, 0, 1], at: [1, 0, 0], angle: {initial_rate: 6}}
events:
  - coordinate: {name: latch, joint: elbow, angle: 60 deg, do: {lock: elbow}}
probes: [{name: root, joint: root}, {name: elbow, joint: elbow}]
run: {step: 10 ms, end: 0.5 s, scheme: preserving, snapshots: 0}
"""


def columns(path, *names):
    with h5(path) as f:
        return [f["history/" + n][:] for n in names]


def happened(path):
    """Names, times and losses."""
    with h5(path) as f:
        return [n.decode() for n in f["events/name"][:]], f["events/time"][:], f["events/loss"][:]


def balance(path):
    """The largest error of the energy balance since the start, and the energy exchanged."""
    with h5(path) as f:
        c = {n: f["history/ledger/" + n][:] for n in f["history/ledger"] if f["history/ledger/" + n].ndim == 1}
    sum_ = c["kinetic"] + c["strain"] + c["potential"] + c["scheme_energy"] - c["work"] + c["damping"] + c["dissipated"] + c["events"]
    return np.abs(sum_ - sum_[0]).max(), c["exchanged"][-1]


def links(angle):
    """Mass matrix of the rates of both angles at an angle of the elbow, by hand."""
    c = math.cos(angle)
    second = 0.25 + 0.15
    return np.array([[2 * 0.25 + 0.3 + 1 + c + second, second + 0.5 * c], [second + 0.5 * c, second]])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_latch_keeps_angular_momentum_and_books_the_energy_by_hand(scheme):
    model = write("links.yaml", TWO_LINKS)
    run(model, "links.h5", *settings(f"run.scheme={scheme}", "run.step=1 ms", "run.start_increments=zero"))  # momenta as they are given
    t, elbow, rate, root, angular, kinetic = columns("links.h5", "time", "probes/elbow/angle", "probes/elbow/rate", "probes/root/rate",
                                                     "ledger/angular_momentum", "ledger/kinetic")
    (name,), (when,), (loss,) = happened("links.h5")
    after = t > when
    assert name == "latch" and after.any() and (~after).any()
    assert np.abs(elbow[after] - math.pi / 3).max() <= 1.1e-12  # the tolerance of the event, of a threshold of 1.05
    assert np.abs(rate[after]).max() <= 1e-11  # 4e-12: round-off, which alternates
    # the angular momentum about the hinge, and by hand; decaying loses 4.8e-6 of 6.36 before it
    drift = np.abs(angular[:, 2] - angular[0, 2]).max()
    assert drift <= (1e-12 if scheme == "preserving" else 2e-6) * angular[0, 2]
    assert np.ptp(angular[t > when - 0.0011, 2]) <= (1e-11 if scheme == "preserving" else 5e-6)  # 2.1e-6
    m, whole = links(0), links(math.pi / 3)[0, 0]
    # momenta are those of the tangent; the rate is a difference of angles: its round-off alternates from step to step, 2e-11 in size, 9e-13 in the mean of two
    assert abs(2e3 * np.tan(root[after][-2:].mean() / 2e3) * whole - (m @ [0.3, 6])[0]) <= 1e-11 + 1.1 * drift
    # 2 T = H^2/J after it; before it no energy was lost but by the scheme
    with h5("links.h5") as f:
        lost = f["history/ledger/dissipated"][-1] + f["history/ledger/scheme_energy"][-1]
    by_hand = 0.5 * np.array([0.3, 6]) @ m @ [0.3, 6] - 0.5 * (m @ [0.3, 6])[0] ** 2 / whole
    assert abs(loss + lost - by_hand) <= (1e-12 if scheme == "preserving" else 1e-5) * kinetic[0]  # 1e-6 of decaying
    error, exchanged = balance("links.h5")
    assert error <= 1e-12 * exchanged


def test_the_time_of_a_latch_is_of_second_order_in_the_step():
    model = write("links.yaml", TWO_LINKS)
    times = []
    for step in (8, 4, 2):
        run(model, "order.h5", *settings(f"run.step={step} ms", "run.end=0.4"))
        times.append(happened("order.h5")[1][0])
    assert 3.5 < (times[0] - times[1]) / (times[1] - times[2]) < 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_two_ranks_find_the_same_events(scheme):
    model = write("links.yaml", TWO_LINKS)
    run(model, "one.h5", *settings(f"run.scheme={scheme}"))
    run(model, "two.h5", *settings(f"run.scheme={scheme}"), ranks=2)
    one, two = happened("one.h5"), happened("two.h5")
    assert one[0] == two[0] and np.abs(one[1] - two[1]).max() <= 1e-11 and np.abs(one[2] - two[2]).max() <= 1e-11
    for a, b in zip(columns("one.h5", "probes/root/angle", "ledger/kinetic"), columns("two.h5", "probes/root/angle", "ledger/kinetic")):
        assert np.abs(a - b).max() <= 1e-11 * np.abs(a).max()


# A mass on a link that a growing force pulls, in free fall after the link breaks.
LINK = """
limber: 1
nodes: {m: [0, 0, -1]}
elements:
  - rigid_body: {node: m, mass: 2, inertia: [1, 1, 1]}
joints:
  - spherical: {name: link, nodes: [ground, m], at: [0, 0, -1]}
loads:
  - gravity: {acceleration: [0, 0, -10]}
  - force: {name: pull, node: m, direction: [1, 0, 0], amplitude: {ramp: {to: 100, end: 10 s}}}
events:
  - joint_force: {name: break, joint: link, force: 25 N, do: [{release: link}, {end: pull}]}
probes: [{name: m, node: m, record: [position, velocity]}, {name: link, joint: link}]
run: {step: 10 ms, end: 3 s, snapshots: 0}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_link_breaks_at_its_force_and_what_hung_on_it_flies_on_a_parabola(scheme):
    run(write("link.yaml", LINK), "link.h5", *settings(f"run.scheme={scheme}"))
    (name,), (when,), (loss,) = happened("link.h5")
    assert name == "break" and abs(when - 1.5) <= 5e-5  # 20^2 + 15^2 = 25^2 at 1.5 s; measured 1.6e-5: h^2 of the curvature
    assert loss == 0
    t, x, link = columns("link.h5", "time", "probes/m/position", "probes/link/force")
    after = t > when
    assert np.abs(x[after, 2] + 1 + 5 * (t[after] - when) ** 2).max() <= (2e-10 if scheme == "preserving" else 2e-4)
    assert np.abs(x[after, 0]).max() <= 1e-10
    assert np.abs(link[t > when + 0.02]).max() == 0
    error, exchanged = balance("link.h5")
    assert error <= 1e-12 * exchanged


def test_what_is_too_heavy_from_the_start_breaks_in_the_first_step():
    run(write("heavy.yaml", LINK.replace("25 N", "19 N")), "heavy.h5")
    assert happened("heavy.h5")[1][0] <= 1e-4


# A mass on a slide with a spring: it is held from the start, let go, held again by its velocity, and moved by a motor.
SLIDER = """
limber: 1
nodes: {m: [0, 0, 0]}
elements:
  - rigid_body: {node: m, mass: 2, inertia: [1, 1, 1]}
joints:
  - prismatic: {name: rail, nodes: [ground, m], axis: [1, 0, 0], slide: {stiffness: 8, rest: 0.5}}
loads:
  - drive: {name: motor, joint: rail, motion: {ramp: {to: 0.3, end: 0.5}}}
events:
  - time: {name: go, at: 0.255, do: {unlock: rail}}
  - rate: {name: stop, joint: rail, velocity: 0 m/s, direction: falling, do: {lock: rail}}
  - after: {name: work, event: stop, delay: 0.1, do: [{unlock: rail}, {begin: motor}]}
  - coordinate: {name: free, joint: rail, slide: 1.2, direction: rising, do: {end: motor}}
probes: [{name: rail, joint: rail}]
run: {step: 10 ms, end: 3 s, snapshots: 0}
"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_slider_is_let_go_stops_is_driven_and_let_go_again(scheme):
    run(write("slider.yaml", SLIDER), "slider.h5", *settings(f"run.scheme={scheme}", "run.step=2 ms"))
    names, times, losses = happened("slider.h5")
    assert names == ["go", "stop", "work", "free"]
    t, z, v, work = columns("slider.h5", "time", "probes/rail/slide", "probes/rail/rate", "ledger/work")
    # sqrt(8/2) = 2 rad/s: half a period after 0.255 s it stands still at 1, in a turning point
    assert times[0] == 0.255 and np.all(z[t <= 0.255] == 0)
    assert abs(times[1] - 0.255 - math.pi / 2) <= 5e-6  # 2.1e-6 of preserving, (2 h)^2/12 of the frequency; 3.5e-6 of decaying
    hold = (t > times[1]) & (t <= times[2])
    assert np.abs(z[hold] - 1).max() <= 1e-5 and np.ptp(z[hold]) <= 1e-13
    assert abs(times[2] - times[1] - 0.1) <= 1e-12
    # 0.6 m/s from there on: 0.2 m take 1/3 s; it starts with the velocity of the drive
    assert abs(times[3] - times[2] - 1 / 3) <= 1e-5
    moving = (t > times[2] + 0.004) & (t < times[3])
    assert np.abs(z[moving] - z[hold][-1] - 0.6 * (t[moving] - times[2])).max() <= 1e-9
    assert abs(losses[2] + 0.5 * 2 * 0.6 ** 2) <= 1e-5  # the start of the motor gives what it takes to set off
    # free again: 2 rad/s about 0.5 from 1.2 m and 0.6 m/s
    end = t > times[3]
    s = t[end] - times[3]
    assert np.abs(z[end] - 0.5 - 0.7 * np.cos(2 * s) - 0.3 * np.sin(2 * s)).max() <= 1e-4
    error, exchanged = balance("slider.h5")
    assert error <= 1e-11 * exchanged


# A body that flies by is caught by a weld, and turns with the other from then on.
CATCH = """
limber: 1
nodes: {a: [0, 0, 0], b: [-1, 1, 0]}
elements:
  - rigid_body: {node: a, mass: 3, inertia: [1, 1, 1]}
  - rigid_body: {node: b, mass: 1, inertia: [0.5, 0.5, 0.5]}
motion: {}
joints:
  - weld: {name: grip, nodes: [a, b]}
events:
  - position: {name: catch, node: b, along: [1, 0, 0], value: 0, do: {engage: grip}}
probes: [{name: a, node: a}, {name: b, node: b}]
run: {step: 10 ms, end: 1.5 s, snapshots: 0, scheme: preserving}
"""


def test_a_joint_that_is_engaged_holds_what_it_finds():
    text = CATCH.replace("motion: {}\n", "").replace("b: [-1, 1, 0]", "b: {at: [-1, 1, 0], velocity: [2, 0, 0]}")
    run(write("catch.yaml", text), "catch.h5")
    (name,), (when,), (loss,) = happened("catch.h5")
    assert name == "catch" and abs(when - 0.5) <= 1e-12
    # inelastic: momentum 2, angular momentum about the common centre, reduced mass 3/4 at a distance of 1
    inertia = 1.5 + 0.75
    spin = -0.75 * 2 / inertia
    assert abs(loss - (2 - 0.5 * 4 * 0.5 ** 2 - 0.5 * inertia * spin ** 2)) <= 1e-12
    t, momentum, w, a, b = columns("catch.h5", "time", "ledger/momentum", "probes/b/angular_velocity", "probes/a/position", "probes/b/position")
    after = t > when
    assert np.abs(momentum[:, 0] - 2).max() <= 1e-13
    assert np.abs(200 * np.tan(w[after, 2] / 200) - spin).max() <= 1e-12  # reported is the slope of the angle in steps of 10 ms
    assert np.abs(np.linalg.norm(b[after] - a[after], axis=1) - 1).max() <= 1e-12
    error, exchanged = balance("catch.h5")
    assert error <= 1e-12 * exchanged


# A mass on a spring, 2 rad/s: it passes a place on its way out once a period, which a load ends with the first pass.
def test_an_event_that_repeats_happens_at_every_pass():
    text = EVERY.replace("axis: [1, 0, 0]}", "axis: [1, 0, 0], slide: {stiffness: 8}}").replace("direction: [4, 0, 0]", "direction: [0, 4, 0]")
    text = text.replace("KIND", "coordinate: {name: pass, joint: rail, slide: 0.1, direction: rising, repeat: true, do: {end: push}}\n"
                        "  - after: {name: next, event: pass, delay: 50 ms, repeat: true, do: {begin: push}}")
    run(write("again.yaml", text), "again.h5", *settings("run.end=10 s", "run.step=2 ms", "run.scheme=preserving"))
    names, times, losses = happened("again.h5")
    passes, nexts = (times[[n == name for n in names]] for name in ("pass", "next"))
    assert len(passes) == 4 and abs(passes[0] - math.asin(0.2) / 2) <= 1e-6
    assert np.abs(np.diff(passes) - math.pi).max() <= 1e-5  # 4.2e-6: (2 h)^2/12 of the period
    assert np.abs(nexts - passes - 0.05).max() <= 1e-12
    error, exchanged = balance("again.h5")
    assert error <= 1e-12 * exchanged


def test_a_run_that_chooses_its_steps_stops_at_events():
    model = write("links.yaml", TWO_LINKS)
    run(model, "fine.h5", *settings("run.step=0.2 ms", "run.end=0.3"))
    run(model, "chosen.h5", *settings("run.control={loss: 1 W, largest: 2 ms}", "run.step=1 ms", "run.end=0.3"))
    assert abs(happened("fine.h5")[1][0] - happened("chosen.h5")[1][0]) <= 1e-5
    assert abs(columns("chosen.h5", "probes/elbow/angle")[0][-1] - math.pi / 3) <= 2e-12


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_run_that_is_taken_up_again_has_the_same_bits(scheme):
    model = write("slider.yaml", SLIDER)
    words = settings(f"run.scheme={scheme}", "run.snapshots=0.1")
    run(model, "whole.h5", *words)
    for end in (0.2, 1.0, 1.87, 2.2, 2.5):
        run(model, "part.h5", *words, *settings(f"run.end={end}"), "--force")
        assert limber("resume", "part.h5", "--end", "3s").code == 0
        with h5("whole.h5") as a, h5("part.h5") as b:
            for name in ("history/ledger/kinetic", "history/ledger/events", "history/probes/rail/slide", "history/probes/rail/force",
                         "events/time", "events/loss", "events/name"):
                assert np.array_equal(a[name][:], b[name][:]), (end, name)


def test_resumed_on_two_ranks_a_joint_is_as_it_was():
    model = write("link.yaml", LINK)
    run(model, "whole.h5")
    run(model, "part.h5", *settings("run.end=2 s"))
    assert limber("resume", "part.h5", "--end", "3s", ranks=2).code == 0
    a, b = columns("whole.h5", "probes/m/position")[0], columns("part.h5", "probes/m/position")[0]
    assert np.abs(a - b).max() <= 1e-11


@pytest.mark.parametrize("options, message", [
    ("run.scheme=decaying_a", "use `scheme: decaying` or `scheme: preserving`"),
    ("run.scheme=generalized_alpha", "use `scheme: decaying` or `scheme: preserving`"),
    ("run.scheme=exponential", "use `scheme: decaying` or `scheme: preserving`"),
    ("run.order=4", "leave out `order`"),
])
def test_schemes_that_cannot_say_what_to_write(options, message):
    model = write("links.yaml", TWO_LINKS)
    for words in (["check", model], ["run", model, "-o", "refused.h5"]):
        said = limber(*words, *settings(options))
        assert said.code == 2 and "links.yaml:11:24: error: event 'latch': " in said.err + said.out and message in said.err + said.out


def test_statics_and_modes_are_of_the_start():
    text = LINK.replace("joint_force: {name: break, joint: link, force: 25 N, do: [{release: link}, {end: pull}]}",
                        "time: {at: 1, do: {release: link}}") + "static: {}\n"
    assert limber("static", write("still.yaml", text), "-o", "still.h5").code == 0


def test_what_happens_is_printed_and_reported():
    said = limber("run", write("slider.yaml", SLIDER), "-o", "told.h5")
    assert "  event go at 0.255 s: unlock rail" in said.lines
    assert any(l.startswith("  event work at 1.92") and l.endswith(" s: unlock rail, begin motor; -0.36 J") for l in said.lines)
    assert limber("report", "told.h5", "-o", "told.html").code == 0
    with open("told.html") as page:
        text = page.read()
    assert "<h2>Events</h2>" in text.replace(' id="events"', "") and "removed by events" in text


# A mass of 2 kg on a rail along x with 1 m/s, and a beam that it pulls by a force of 3 t N, for each kind of condition.
EVERY = """
limber: 1
nodes: {m: {at: [0, 0, 0], velocity: [1, 0, 0]}, r: [0, 5, 0], s: [1, 5, 0]}
sections: {bar: {mass: 1, stiffness: [1e4, 1e4, 1e4, 10, 10, 10], inertia: [0.2, 0.1, 0.1]}}
elements:
  - rigid_body: {node: m, mass: 2, inertia: [1, 1, 1]}
  - beam: {name: bar, from: r, to: s, section: bar, elements: 1, damping: 0.1}
joints:
  - prismatic: {name: rail, nodes: [ground, m], axis: [1, 0, 0]}
  - clamp: {name: root, node: r}
loads:
  - force: {name: push, node: m, direction: [4, 0, 0]}
  - force: {name: pull, node: s, direction: [1, 0, 0], amplitude: {ramp: {to: 30, end: 10}}}
events:
  - time: {name: first, at: 0.3, do: {end: pull}}
  - KIND
probes: [node: m]
run: {step: 5 ms, end: 1 s, snapshots: 0}
"""

# kind: what is written, when it happens: x = t + t^2, v = 1 + 2 t
KINDS = {
    "time": ("at: 0.4321", 0.4321),
    "after": ("event: first, delay: 0.1234", 0.4234),
    "coordinate": ("joint: rail, slide: 0.75", 0.5),
    "rate": ("joint: rail, velocity: 2", 0.5),
    "joint_force": ("joint: root, force: 0.6", 0.2),
    "section_force": ("element: bar, component: N, value: 0.6", 0.2),
    "position": ("node: m, along: [2, 0, 0], value: 0.75", 0.5),
    "velocity": ("node: m, along: [-1, 0, 0], value: -2, direction: falling", 0.5),
    "probe": ("probe: m.velocity.x, value: 2", 0.5),
}


def kinds_of_the_list():
    from support import source
    import re
    return re.findall(r"^EVENT\((\w+),", (source / "src/events/events.def").read_text(), re.M)


@pytest.mark.parametrize("kind", kinds_of_the_list())
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_kind_of_condition_is_met_when_it_should_be(kind, scheme):
    fields, when = KINDS[kind]
    run(write("every.yaml", EVERY.replace("KIND", f"{kind}: {{name: it, {fields}, do: {{end: push}}}}")), "every.h5",
        *settings(f"run.scheme={scheme}"))
    names, times, losses = happened("every.h5")
    assert "it" in names and np.abs(losses).max() <= 1e-15
    near = 0.02 if "force" in kind else 1e-5 if kind in ("position", "coordinate") else 1e-9  # the bar swings at 100 rad/s
    assert abs(times[names.index("it")] - when) <= near
    error, exchanged = balance("every.h5")
    assert error <= 1e-12 * exchanged


def test_two_ranks_unfold_the_flexible_array_alike():
    from support import source
    model = source / "examples/solar_array/solar_array.yaml"
    words = settings("run.end=20 s", "run.snapshots=0", "run.step=50 ms")
    run(model, "one.h5", *words)
    run(model, "two.h5", *words, ranks=2)
    one, two = happened("one.h5"), happened("two.h5")
    assert one[0] == two[0] == ["latch-root", "open-a", "latch-a", "open-bc"]
    assert np.abs(one[1] - two[1]).max() <= 1e-10


def test_the_balance_error_of_an_array_that_latches_is_round_off():
    from support import source
    for model in "solar_array", "rigid":
        run(source / f"examples/solar_array/{model}.yaml", "array.h5", *settings("run.end=40 s", "run.snapshots=0"), "--force")
        error, exchanged = balance("array.h5")
        assert error <= 1e-11 * exchanged


def test_events_that_did_not_happen_are_named_at_the_end():
    late = "events:\n  - coordinate: {name: never, joint: elbow, angle: -90 deg, direction: falling, do: {lock: root}}\n"
    write("late.yaml", TWO_LINKS.replace("events:\n", late))
    said = limber("run", "late.yaml", "-o", "late.h5")
    assert said.code == 0 and "  events      1 of 2 did not happen: never" in said.out
    write("all.yaml", TWO_LINKS)
    assert "did not happen" not in limber("run", "all.yaml", "-o", "all.h5").out
