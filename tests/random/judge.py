# SPDX-License-Identifier: Apache-2.0
"""Runs a model under a limit of CPU time and judges what comes of it by the exit code, the messages and the ledger."""
import os
import resource
import signal
import subprocess

import h5py
import numpy as np

ENERGY = 1e-10  # of the energy exchanged: growth of energy less work, or an account left open
GAP = 1e-10     # of the model's size, of a joint
MOMENTUM = 1e-12  # of the momentum exchanged: momentum balance error of a step
TINY = 1e-12    # J: below it no energy is judged
ROUND_OFF = 2e-15
EPSILON = 2.2e-16  # relative round-off of one number

# Models that are refused with good reason before they run: what the message says.
JUSTIFIED = ["contradict each other", "no length", "coincide", "cannot all move as prescribed", "stretch it by half its length"]


def run(limber, model, results, cpu, wall=None):
    """The exit code ('time': the limit was met), what was printed, and CPU time in seconds."""
    for end in (".h5", ".xdmf", ".checkpoint"):
        if os.path.exists(results[:-3] + end):
            os.remove(results[:-3] + end)
    env = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
               HDF5_USE_FILE_LOCKING="FALSE")
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 2))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.Popen([limber, "run", model, "-o", results, "-q", "--checkpoint", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, errors="replace", env=env, preexec_fn=limit)
    try:
        said, _ = p.communicate(timeout=wall or 20 * cpu)
        code = p.returncode
    except subprocess.TimeoutExpired:
        p.kill()
        said, _ = p.communicate()
        code = "time"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return "time" if code == -signal.SIGXCPU else code, said, used


def read(results):
    """Columns of the ledger and of the steps, and how the run ended."""
    with h5py.File(results) as f:
        c = {name: np.asarray(d) for name, d in f["history/ledger"].items() if d.ndim == 1}
        c.update({"steps." + name: np.asarray(d) for name, d in f["history/steps"].items()})
        ended = f.attrs["status"]
    return c, ended if isinstance(ended, str) else ended.decode()


def measure(c, floor):
    """What the ledger says, each over the energy that was exchanged by then, less what round-off may leave: `floor` times the root of that
    energy. Growth of energy, with what the scheme remembers, less work beyond its least so far, and of energy alone beyond all that is stored at its start; account
    left open, losses that are negative; and the largest gap of a joint."""
    kinds = ("kinetic", "strain", "potential", "work", "damping", "dissipated", "residual", "constraint")
    if not all(np.all(np.isfinite(c[k])) for k in kinds):
        return {"nan": 1.0}
    if len(c["kinetic"]) < 2:
        return {}
    energy = c["kinetic"] + c["strain"] + c["potential"]
    stored = energy + c.get("scheme_energy", 0)
    size = np.maximum.accumulate(np.abs(c["kinetic"]) + np.abs(c["strain"]) + np.abs(c["potential"] - c["potential"][0]))
    size = np.maximum(np.maximum(size, c["exchanged"]), TINY)
    net, bare = stored - c["work"], energy - c["work"]
    held = np.diff(c["joints"])  # multipliers that are found step by step leave a strain, and work on it
    least = 2 * ROUND_OFF * np.abs(c["potential"]).max()  # a change of potential energy is a difference, over some hundred steps
    over = lambda x: float(((x - floor * np.sqrt(size[1:]) - least) / size[1:]).max())
    return {
        "energy": over(np.maximum(net[1:] - np.minimum.accumulate(net)[:-1], bare[1:] - net[0]) - np.abs(held)),
        "account": over(np.abs(c["residual"][1:])),
        "books": over(np.abs(np.diff(net + c["damping"] + c["dissipated"]) - c["residual"][1:]) - np.abs(held)),
        "loss": over(-np.diff(c["dissipated"])),
        "damping": over(-np.diff(c["damping"])),
        "gap": float(c["constraint"].max()),
        "size": float(size[-1]),
    }


def axial_stiffness(section):
    """Of a section of a beam at most, in N."""
    if "stiffness" in section:
        return np.abs(section["stiffness"]).max()
    for size in section.values():
        if isinstance(size, dict):
            return section["E"] * size.get("width", size.get("diameter", 0)) * size.get("height", size.get("diameter", 0))
    return section["E"] * np.prod(section["rectangle"]) if "rectangle" in section else 0


def tied_force(elements, nodes, sections, step):
    """The least force that elements tied to the ground can change by: their stiffness times the round-off of a place, EPSILON times the distance
    of its node from the origin. The nodes have no other places, so that no solution balances the momentum better than by this force times the
    step. A damping of tau seconds adds 2 tau/step of the stiffness. Forces between nodes have no resultant and do not count."""
    fixed = {"ground"} | {name for name, node in nodes.items() if node.get("kind") == "fixed"}
    force = 0.0
    for kind, d in elements:
        ends = d.get("nodes") or [d.get("from"), d.get("to")]
        if not any(end in fixed for end in ends):
            continue
        at = [np.asarray(nodes[end]["at"]) if end in nodes else np.zeros(3) for end in ends]
        length = d.get("length", np.linalg.norm(at[1] - at[0])) / (d.get("elements", 1) * d.get("order", 1))
        if kind in ("spring", "bushing"):
            stiffness = np.abs(d.get("stiffness", 0)).max()
        elif kind in ("bar", "cable"):
            stiffness = d.get("stiffness", 0) / length * (1 + 2 * d.get("damping", 0) / step)
        elif kind == "beam":
            stiffness = axial_stiffness(sections[d["section"]]) / length * (1 + 2 * d.get("damping", 0) / step)
        else:
            continue
        force += stiffness * EPSILON * max(np.linalg.norm(x) for x in at)
    return force


def momentum(c, reach, mass, step, tied=0.0):
    """The largest momentum balance error over what is exchanged, less what round-off may leave. Places have the relative error ROUND_OFF, so
    that a velocity has that of `reach` over the step, and an angular momentum `reach` times as much. `reach` grows as the model flies away: its
    mass centre moves by at most sqrt(2 T/m) per second, T the kinetic energy. `tied`: of tied_force."""
    if "momentum_error" not in c or len(c["kinetic"]) < 2:
        return 0.0
    away = reach + (step * np.sqrt(2 * c["kinetic"] / mass).sum() if mass > 0 else 0)
    floor = 10 * ROUND_OFF * away / step * mass + step * tied
    over = lambda name, least: float((c[name + "_error"].max() - least) / max(c[name + "_scale"].max(), TINY))
    return max(over("momentum", floor), over("angular_momentum", floor * away))


def judge(limber, model, results, cpu, reach=1.0, mass=0.0, step=1.0, exact=False, tied=0.0):
    """A row: `verdict` is good, refused (with good reason), slow, or the kind of a failure. Velocities are differences of places over a
    step, so that the size of the model, its mass and the step tell what round-off is."""
    code, said, used = run(limber, model, results, cpu)
    row = {"code": code, "cpu": round(used, 2), "said": " ".join(said.split())[:300]}
    if code == 2:
        row["verdict"] = "refused" if any(w in said for w in JUSTIFIED) else "false refusal"
        return row
    if code not in (0, 1, "time"):
        row["verdict"] = "crash"
        return row
    try:
        c, ended = read(results)
    except (OSError, KeyError) as wrong:
        row["verdict"] = "slow" if code == "time" else "no results"
        row["said"] = row["said"] or str(wrong)
        return row
    row.update(measure(c, ROUND_OFF * reach / step * np.sqrt(2 * mass)))
    row["momentum"] = momentum(c, reach, mass, step, tied)
    row.update(ended=ended, rows=len(c["kinetic"]), iterations=int(c["steps.iterations"].sum()), rejected=int(c["steps.rejected"].sum()))
    limits = {"nan": 0, "energy": ENERGY, "account": ENERGY, "books": ENERGY, "loss": ENERGY, "damping": ENERGY, "gap": GAP * reach}
    if exact:
        limits["momentum"] = MOMENTUM
    wrong = [k for k, most in limits.items() if row.get(k, 0) > most and (k in ("nan", "gap") or row["size"] > TINY)]
    row["verdict"] = wrong[0] if wrong and code != 1 else ended if code == 1 else "slow" if code == "time" else "good"
    return row
