# SPDX-License-Identifier: Apache-2.0
"""Section forces beside joint forces: forces.py LIMBER SCHEME MODEL [path=value ...].

At every joint between the end of a beam and something else the section force at that end is that of the joint, but for the inertia of the
node between them and what the polynomial through the integration points leaves. Prints for each such joint the root mean square of the
difference of their sizes over that of the joint force. Joint forces belong to the middle of a step; section forces of schemes with one
interval to its end, so that the mean of two rows stands beside them."""
import os
import subprocess
import sys
import tempfile

import h5py
import numpy
import yaml

limber, scheme, path = sys.argv[1:4]
model = yaml.safe_load(open(path, encoding="utf-8"))


def items(part):
    for i, entry in enumerate(model.get(part) or []):
        (kind, fields), = entry.items()
        yield i, kind, fields


ends, others = {}, set()
for _, kind, f in items("elements"):
    if kind != "beam":
        others.update(v for v in (f.get("node"), f.get("from"), f.get("to"), *(f.get("nodes") or [])) if isinstance(v, str))
        continue
    for at, named, own in ((0, f.get("from"), "start"), (1, f.get("to"), "end")):
        ends.setdefault(named or f"{f['name']}.{own}", []).append((f["name"], at))
loaded = {f.get("node") for _, _, f in items("loads")}
pairs, joints = [], {}
for i, kind, f in items("joints"):
    f.setdefault("name", f"joint_{i}")
    for n in f.get("nodes") or [f.get("node")]:
        joints.setdefault(n, []).append(f["name"])
for node, beams in ends.items():
    if len(beams) == 1 and len(joints.get(node, [])) == 1 and node not in others and node not in loaded:
        pairs.append((joints[node][0], *beams[0]))
if not pairs:
    sys.exit(f"{path}: no joint between a beam and something else")
model["probes"] = [{"name": f"j{k}", "joint": j} for k, (j, _, _) in enumerate(pairs)] + [
    {"name": f"s{k}", "element": e, "at": at, "record": "force"} for k, (_, e, at) in enumerate(pairs)]
with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, "model.yaml")
    with open(copy, "w", encoding="utf-8") as out:
        yaml.safe_dump(model, out, sort_keys=False)
    sets = [w for change in [f"run.scheme={scheme}", "run.snapshots=0", "run.every=1", *sys.argv[4:]] for w in ("--set", change)]
    done = subprocess.run([limber, "run", copy, "-q", "-o", copy[:-5] + ".h5", *sets], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    with h5py.File(copy[:-5] + ".h5") as f:
        for k, (joint, element, at) in enumerate(pairs):
            reaction = numpy.linalg.norm(f[f"history/probes/j{k}/force"][:], axis=1)[2:]
            section = f[f"history/probes/s{k}/force"][:, :3]
            middle = scheme in ("decaying", "preserving")
            section = numpy.linalg.norm((section[1:-1] + section[2:]) / 2 if middle else section[2:], axis=1)
            size = numpy.sqrt(numpy.mean(reaction**2))
            off = numpy.sqrt(numpy.mean((section - reaction) ** 2))
            print(f"{joint} {element}.{at} {off / size if size > 0 else 0:.4f}")
