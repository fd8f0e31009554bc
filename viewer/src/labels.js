// SPDX-License-Identifier: Apache-2.0
// Names beside what they name, where there is room for them.
import {Vector3} from 'three';

const given = name => name && !name.includes('#') && !/\.\d+$/.test(name);

export class Labels {
  constructor(stage, host) {
    const {run, motion} = stage, list = [], middle = item => run.arrays.station[4 * (item.station + (item.stations >> 1))];
    this.stage = stage, this.host = host, this.on = false;
    const add = (name, kind, at) => { if (given(name) && list.length < 80) list.push({name, kind, at}); };
    for (const j of run.joints) add(j.name, 'joint', j.at[0]);
    for (const l of run.loads) if (l.at) add(l.name, 'load', l.at[0]);
    for (const i of run.items) add(i.name, 'item', i.centre ?? (i.stations ? middle(i) : i.ends ? i.ends[0] : -1));
    if (run.nodes.length < 60) for (const n of run.nodes) add(n.name, 'node', n.at);
    this.list = list.filter(l => l.at >= 0);
    for (const l of this.list) {
      l.span = Object.assign(document.createElement('span'), {textContent: l.name, className: l.kind});
      host.append(l.span);
    }
    this.motion = motion;
  }

  update() {
    this.host.hidden = !this.on;
    if (!this.on) return;
    const w = this.host.clientWidth, h = this.host.clientHeight, taken = [], x = new Vector3();
    for (const l of this.list) {
      this.motion.get(l.at, x).project(this.stage.camera);
      l.w ||= l.span.offsetWidth, l.h ||= l.span.offsetHeight;
      const px = (x.x + 1) / 2 * w, py = (1 - x.y) / 2 * h;
      let best = null;
      for (const [dx, dy] of [[12, -l.h - 6], [12, 8], [-l.w - 12, -l.h - 6], [-l.w - 12, 8], [-l.w / 2, -l.h - 16], [-l.w / 2, 18]]) {
        const box = [px + dx, py + dy, px + dx + l.w, py + dy + l.h];
        if (box[0] < 2 || box[1] < 56 || box[2] > w - 2 || box[3] > h - 2) continue;
        if (taken.every(t => box[2] < t[0] || box[0] > t[2] || box[3] < t[1] || box[1] > t[3])) { best = box; break; }
      }
      l.span.hidden = !best || x.z > 1;
      if (best) l.span.style.transform = `translate(${best[0].toFixed(0)}px, ${best[1].toFixed(0)}px)`, taken.push(best);
    }
  }
}
