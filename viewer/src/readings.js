// SPDX-License-Identifier: Apache-2.0
// Numbers beside the model: the angles of joints that probes record, such as azimuth and pitch, and the speed of the air.
import {number} from './data.js';
import {linesOf, quantities} from './plots.js';

const MOST = 6;

export class Readings {
  constructor(run, plots, winds, host) {
    this.plots = plots, this.rows = [];
    const angles = run.modes || run.axis ? [] : quantities(run).filter(q => q.quantity === 'angle' && q.units === 'rad' && q.columns.length === 1);
    for (const q of angles.slice(0, MOST)) {
      const {values} = linesOf(run, q)[0], turns = values.some(x => Math.abs(x) > 2 * Math.PI);
      this.add(host, q.group, t => this.degrees(plots.value(values, t), turns));
    }
    if (winds.most > 0) this.add(host, 'wind', () => `${winds.speed.toFixed(1)} m/s`);
    host.hidden = !this.rows.length;
  }

  add(host, name, text) {
    const value = document.createElement('dd');
    host.append(Object.assign(document.createElement('dt'), {textContent: name}), value);
    this.rows.push({value, text});
  }

  // Of a shaft that turns, from 0 to 360 degrees.
  degrees(x, turns) {
    if (x == null) return number(NaN);
    const a = x * 180 / Math.PI, shown = turns ? (a % 360 + 360) % 360 : a;
    return `${shown.toFixed(1).replace(/^-0\.0$/, '0.0').replace('-', '\u2212')}°`;
  }

  show(t) { for (const r of this.rows) r.value.textContent = r.text(t); }
}
