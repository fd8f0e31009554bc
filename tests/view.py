# SPDX-License-Identifier: Apache-2.0
"""Pages of `limber view`: what a browser makes of one (look), and whether its numbers are those of the results: view.py RESULTS PAGE ..."""
import base64
import json
import os
import re
import sys

kinds = {"u16": "<u2", "i32": "<i4", "f32": "<f4", "f64": "<f8"}


def numbers(results, page):
    import h5py
    import numpy as np

    text = open(page).read()
    run = json.loads(re.search(r'id="run">(.*?)</script>', text, re.S).group(1))
    data = base64.b64decode(re.search(r'id="bytes">(.*?)</script>', text, re.S).group(1))

    def array(name):
        kind, at, count, *ends = run["arrays"][name]
        x = np.frombuffer(data, kinds[kind], count, at)
        return x if not ends else ends[0] + x * (ends[1] - ends[0]) / 65535

    f = h5py.File(results)
    t, step = array("frame"), re.search(r"rounded to (\S+) m", str(run["notes"]))
    n = int(f["VTKHDF/NumberOfPoints"][0])
    points = f["VTKHDF/Points"][:].reshape(-1, n, 3)[np.searchsorted(f["VTKHDF/Steps/Values"][:], t)]
    worst, moving = 0, len(array("moving"))
    names = [x.decode() for x in f["names/nodes"][:]]
    for d in range(3):  # nodes that move, in the order of the model
        x = array(f"x{d}").reshape(len(t), moving)
        rows = [i for i in range(n) if np.ptp(points[:, i], axis=0).any() or moving == n]
        if len(rows) == moving:
            worst = max(worst, abs(x - points[:, rows, d]).max())
    places = worst <= float(step.group(1)) * 1.06  # two digits are told
    history, width = array("history"), len(array("time"))
    kept = True
    for i, c in enumerate(run["columns"]):
        if c["group"] in ("ledger", "steps", "time") or c["name"] == "time":
            continue
        base = f["history/probes"][c["group"]][c["quantity"]]
        columns = [x.decode() if isinstance(x, bytes) else x for x in base.attrs.get("columns", [])]
        x = base[:, columns.index(c["component"])] if columns else base[:]
        y = history[i * width:(i + 1) * width]
        if c["still"]:  # round-off is told, and shown as zero
            kept = kept and not y.any() and (c["still"] == "0") == (not x.any()) and abs(x).max() <= 1e-12 * max(1, c["scale"])
            continue
        kept = kept and np.float32(x.max()) == y.max() and np.float32(x.min()) == y.min()
    print(f"{os.path.basename(results)[:-3]}: places {'as stated' if places else worst}, extremes {'kept' if kept else 'lost'}")


def look(p):
    """What is found in a page that a browser has opened (browser.py)."""
    shot = "limber.draw(), limber.stage.canvas.toDataURL()"
    different = """(() => { limber.draw(); const g = limber.stage.renderer.getContext(), n = g.drawingBufferWidth*g.drawingBufferHeight;
      const x = new Uint8Array(4*n), seen = new Set(); g.readPixels(0, 0, g.drawingBufferWidth, g.drawingBufferHeight, g.RGBA, g.UNSIGNED_BYTE, x);
      for (let i = 0; i < n; i++) seen.add(x[4*i] << 16 | x[4*i + 1] << 8 | x[4*i + 2]); return seen.size; })()"""
    colours, before = p.value(different), p.value(shot)
    p.value("(t => { t.value = Number(t.min) + 0.4*(t.max - t.min); t.dispatchEvent(new Event('input')); })(document.getElementById('time'))")
    moved = p.value(shot) != before
    out = ["canvas shows " + ("something" if colours > 50 else f"{colours} colours"),
           f"slider {'moves' if moved else 'does not move'} the model"]
    p.value("""(o => { const r = o.getBoundingClientRect(), e = {clientX: r.left + 0.75*r.width, clientY: r.top + 9, bubbles: true};
      o.dispatchEvent(new MouseEvent('mousedown', e)); o.dispatchEvent(new MouseEvent('mouseup', e)); o.dispatchEvent(new MouseEvent('click', e)); })
      (document.querySelector('#charts .u-over'))""")
    at = p.value("(document.getElementById('time').value - limber.first)/(limber.last - limber.first)")
    out.append("click in a plot sets the time" if abs(at - 0.75) < 0.02 else f"click in a plot sets {at}")
    before = p.value(shot)
    p.value("limber.colour('speed')")
    out.append("colours change the picture" if p.value(shot) != before else "colours change nothing")
    p.value("document.querySelector('[data-tab=energy]').click()")
    out.append("energies are drawn" if p.value("document.querySelectorAll('#energy canvas').length") > 0 else "no energies")
    p.dark()
    for _ in range(100):  # the page learns of it with its next picture
        if p.value("document.documentElement.dataset.theme") == "dark":
            break
        p.value("new Promise(r => setTimeout(r, 100))")
    out.append("dark follows the system" if p.value("document.documentElement.dataset.theme") == "dark" else "stays light")
    p.dark(False)
    return ["no errors" if not p.errors else str(p.errors), *out]


if __name__ == "__main__":
    for results, page in zip(sys.argv[1::2], sys.argv[2::2]):
        numbers(results, page)
