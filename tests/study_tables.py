# SPDX-License-Identifier: Apache-2.0
"""Tables of studies as `limber study` writes them, with any numbers: no runs are needed to try what reads them."""
import h5py
import numpy

STATUSES = ["finished", "no_convergence", "singular", "contradiction", "balance_error", "loss", "inverted_element", "large_rotation", "control_failure",
            "library_failure", "not_started", "crashed", "timeout", "interrupted", "running"]
TEXT = h5py.string_dtype()


def texts(values):
    return numpy.array(list(values), dtype=TEXT)


def write(path, parameters, statistics, concurrent=None, status=None, cause=None, attributes=None, plan="study: {}\n", time=None):
    """parameters, statistics, concurrent: {name: (unit, array)}."""
    runs = len(next(iter({**parameters, **statistics}.values()))[1])
    status = numpy.zeros(runs, "u1") if status is None else numpy.asarray(status, "u1")
    with h5py.File(path, "w") as f:
        f.attrs["limber"] = "0.2.0"
        f.attrs["analysis"] = "study"
        f.attrs["identity"] = "0" * 32
        f.attrs["first"], f.attrs["runs"] = 0.0, float(runs)
        f.attrs["format"] = numpy.int32(1)
        f.attrs["title"], f.attrs["plan"], f.attrs["model"] = "A study", "plan.yaml", "model.yaml"
        for name, value in (attributes or {}).items():
            f.attrs[name] = value
        for part, columns in (("parameters", parameters), ("statistics", statistics), ("concurrent", concurrent or {})):
            if not columns:
                continue
            set_ = f.create_dataset(part, data=numpy.column_stack([x for _, x in columns.values()]).astype("f8"),
                                    chunks=(min(runs, 8192), 1))
            set_.attrs["columns"] = texts(columns)
            set_.attrs["units"] = texts(unit for unit, _ in columns.values())
        set_ = f.create_dataset("status", data=status, chunks=(min(runs, 8192),), compression=4)
        set_.attrs["names"], set_.attrs["units"] = texts(STATUSES), ""
        for name, unit, value in (("steps", "1", numpy.full(runs, 50)), ("time", "s", numpy.ones(runs) if time is None else time),
                                  ("balance_error", "J", numpy.zeros(runs)), ("constraint", "1", numpy.zeros(runs))):
            f.create_dataset(name, data=value).attrs["units"] = unit
        f.create_dataset("cause", data=numpy.asarray(cause if cause is not None else [b""] * runs, "S96"),
                         chunks=(min(runs, 8192),), compression=4).attrs["units"] = ""
        f.create_dataset("plan", data=plan, dtype=TEXT)
        f.create_dataset("model", data="limber: 1\n", dtype=TEXT)


def example(path, runs=400, failed=8, seed=3, **more):
    """Two parameters, two channels: tip.z = wind^2 + noise, root.M = 3 wind. The last runs failed, from two causes."""
    rng = numpy.random.default_rng(seed)
    wind, stiffness = rng.uniform(4, 20, runs), rng.normal(70e9, 2e9, runs)
    top = wind**2 + rng.normal(0, 5, runs)
    status, cause = numpy.zeros(runs, "u1"), [b""] * runs
    for i in range(runs - failed, runs):
        status[i] = STATUSES.index("no_convergence" if i % 2 else "not_started")
        cause[i] = b"joint 'hinge2'" if i % 2 else f"line 3: length is -0.{i}".encode()
    statistics = {
        "tip.z min": ("m", -top / 3), "tip.z min time": ("s", numpy.full(runs, 0.25)),
        "tip.z max": ("m", top), "tip.z max time": ("s", numpy.full(runs, 0.5)),
        "tip.z del 4": ("m", wind),
        "root.M min": ("N m", -3 * wind), "root.M min time": ("s", numpy.full(runs, 0.75)),
        "root.M max": ("N m", wind), "root.M max time": ("s", numpy.full(runs, 1.0)),
    }
    concurrent = {}
    for k, of in enumerate(("tip.z", "root.M")):
        for side in ("max", "min"):
            for j, name in enumerate(("tip.z", "root.M")):
                own = statistics[f"{of} {side}"][1]
                concurrent[f"{name} at {side} of {of}"] = ("m" if j == 0 else "N m", own if j == k else numpy.arange(runs) + 0.5)
    write(path, {"let.wind": ("m/s", wind), "let.E": ("Pa", stiffness)}, statistics, concurrent, status, cause, **more)
    return {"wind": wind, "E": stiffness, "top": top, "status": status, "statistics": statistics, "concurrent": concurrent}
