// SPDX-License-Identifier: Apache-2.0
// Histories as plots, which share the time of the animation and the range that they show.
import uPlot from 'uplot';
import {column, number, unit, withUnit} from './data.js';
import {eventsOf, near} from './events.js';

const series = ['#2f6fd0', '#e0762f', '#2f9e63', '#a855c7', '#d6455d', '#1f9db0', '#9a8a1f', '#6b7280', '#7c5cff'];
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Values are known to 7 digits: what differs by less is shown as constant.
function span(lo, hi) {
  const size = Math.max(Math.abs(lo), Math.abs(hi)), room = hi - lo > 2e-6 * size ? 0.06 * (hi - lo) : 0.1 * size || 1;
  return [lo - room, hi + room];
}

// Histories that are zero get the scale of those of the same quantity that move.
const scaleOf = lines => lines.every(l => l.still) ? Math.max(0, ...lines.map(l => l.scale || 0)) : 0;

function ticks(values, step) {
  const most = Math.max(...values.map(Math.abs));
  const last = Math.floor(Math.log10(step) + 1e-9), power = most >= 1e5 || most < 1e-3 ? Math.floor(Math.log10(most || 1)) : 0;
  const text = x => x || !power ? (x / 10 ** power).toFixed(Math.max(0, power - last)) + (power ? `e${power}` : '') : '0';
  return values.map(x => text(x).replace(/-/g, '−'));
}

export class Plots {
  constructor(run, go) {
    this.run = run, this.go = go, this.plots = [], this.time = 0, this.events = eventsOf(run);
    this.x = Array.from(run.arrays.time), this.axis = run.axis ? withUnit(run.axis, run.axis_units) : withUnit('time', 's');
    this.observer = new ResizeObserver(entries => {
      for (const e of entries) {
        const p = this.plots.find(q => q.box === e.target);
        if (p && e.contentRect.width > 40) p.u.setSize({width: e.contentRect.width, height: p.height});
      }
    });
  }

  // lines: [{label, values, fill, stroke, width}], drawn in order
  add(parent, {title, units, lines, height = 183, bands = null, close = null, zero = false}) {
    const figure = document.createElement('figure'), caption = document.createElement('figcaption'), box = document.createElement('div'), keys = document.createElement('div');
    caption.append(title);
    if (unit(units)) caption.append(Object.assign(document.createElement('small'), {textContent: unit(units)}));
    if (close) {
      const button = Object.assign(document.createElement('button'), {textContent: '✕', title: 'Remove this plot'});
      button.onclick = close;
      caption.append(button);
    }
    keys.className = 'keys';
    figure.append(caption, box, keys);
    parent.append(figure);
    const spans = lines.map((l, i) => {
      const s = document.createElement('span');
      s.style.setProperty('--c', l.stroke || series[i % series.length]);
      keys.append(s);
      return s;
    });
    const axis = () => ({stroke: css('--soft'), font: '11px system-ui, sans-serif', grid: {stroke: css('--line'), width: 1}, ticks: {stroke: css('--line'), size: 4}});
    const self = this, reach = scaleOf(lines);
    let down = null;
    const u = new uPlot({
      width: Math.max(200, box.clientWidth || parent.clientWidth - 20), height,
      padding: [8, 18, 0, 0],
      legend: {show: false},
      cursor: {sync: {key: 'time'}, y: false, points: {size: 5}, drag: {x: true, y: false, uni: 12}},
      scales: {x: {time: false, range: (_, lo, hi) => this.run.modes ? [Math.ceil(lo) - 0.5, Math.floor(hi) + 0.5] : [lo, hi]}, y: {range: (_, lo, hi) => reach ? [-reach, reach] : zero ? span(Math.min(0, lo), Math.max(0, hi)) : span(lo, hi)}},
      axes: [{...axis(), ...(this.run.modes && {incrs: [1, 2, 5, 10, 20, 50, 100]}), size: 26, label: this.axis, labelSize: 15, labelGap: 0, labelFont: '11px system-ui, sans-serif'}, {...axis(), size: 58, values: (_, v, axis, space, step) => ticks(v, step)}],
      series: [{}, ...lines.map((l, i) => ({label: l.label, stroke: l.stroke || series[i % series.length], width: l.width ?? 1.4, fill: l.fill, dash: l.dash,
        ...(this.run.modes ? {paths: () => null, points: {show: true, size: 6}} : {points: {show: false}})}))],
      bands,
      hooks: {
        drawClear: [v => self.shadeErrors(v, lines), v => self.markEvents(v)],
        draw: [v => self.mark(v)],
        setCursor: [v => self.nameEvents(v)],
        setScale: [(v, key) => key === 'x' && self.share(v)],
        ready: [v => {
          v.over.addEventListener('mousedown', e => { down = e.clientX; });
          v.over.addEventListener('click', e => {
            if (down !== null && Math.abs(e.clientX - down) < 4) self.go(v.posToVal(e.clientX - v.over.getBoundingClientRect().left, 'x'));
          });
          v.over.addEventListener('touchend', e => self.go(v.posToVal(e.changedTouches[0].clientX - v.over.getBoundingClientRect().left, 'x')));
        }],
      },
    }, [this.x, ...lines.map(l => l.values)], box);
    const plot = {u, box, figure, lines, spans, height};
    this.plots.push(plot);
    this.observer.observe(box);
    this.showValues(plot);
    return {remove: () => {
      this.plots = this.plots.filter(p => p !== plot);
      this.observer.unobserve(box), u.destroy(), figure.remove();
    }};
  }

  // The time of the animation, as a line.
  mark(u) {
    const x = u.valToPos(this.time, 'x', true), {left, top, width, height} = u.bbox;
    if (x < left || x > left + width) return;
    u.ctx.save();
    u.ctx.setLineDash([]), u.ctx.strokeStyle = css('--accent'), u.ctx.lineWidth = 1.5 * devicePixelRatio;
    u.ctx.beginPath(), u.ctx.moveTo(x, top), u.ctx.lineTo(x, top + height), u.ctx.stroke();
    u.ctx.restore();
  }

  // Events, as broken lines behind the curves.
  markEvents(u) {
    const {left, top, width, height} = u.bbox;
    u.ctx.save();
    u.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]), u.ctx.strokeStyle = css('--event'), u.ctx.lineWidth = devicePixelRatio;
    for (const e of this.events) {
      const x = u.valToPos(e.time, 'x', true);
      if (x >= left && x <= left + width) u.ctx.beginPath(), u.ctx.moveTo(x, top), u.ctx.lineTo(x, top + height), u.ctx.stroke();
    }
    u.ctx.restore();
  }

  // The error bar of each curve, as a band behind it.
  shadeErrors(u, lines) {
    const {left, top, width, height} = u.bbox;
    u.ctx.save();
    u.ctx.beginPath(), u.ctx.rect(left, top, width, height), u.ctx.clip();
    lines.forEach((l, k) => {
      if (!(l.error > 0) || this.run.modes) return;
      const at = (i, sign) => [u.valToPos(this.x[i], 'x', true), u.valToPos(l.values[i] + sign * l.error, 'y', true)];
      const known = this.x.map((_, i) => i).filter(i => l.values[i] !== null);
      u.ctx.beginPath();
      for (const i of known) u.ctx.lineTo(...at(i, 1));
      for (const i of known.reverse()) u.ctx.lineTo(...at(i, -1));
      u.ctx.fillStyle = (l.stroke || series[k % series.length]) + '40', u.ctx.fill();
    });
    u.ctx.restore();
  }

  // The name of the event under the cursor.
  nameEvents(u) {
    const at = u.cursor.left, own = at >= 0 && u.over.matches(':hover');
    const text = own ? near(this.events, u.posToVal(at, 'x'), Math.abs(u.posToVal(at + 5, 'x') - u.posToVal(at, 'x'))) : '';
    let box = u.over.querySelector('.event');
    if (!box && text) box = u.over.appendChild(Object.assign(document.createElement('div'), {className: 'event'}));
    if (!box) return;
    box.hidden = !text, box.textContent = text;
    box.style.left = at > u.over.clientWidth / 2 ? 'auto' : `${at + 10}px`, box.style.right = at > u.over.clientWidth / 2 ? `${u.over.clientWidth - at + 10}px` : 'auto';
  }

  // All plots show the same range of time.
  share(from) {
    if (this.sharing) return;
    this.sharing = true;
    const {min, max} = from.scales.x;
    for (const p of this.plots) if (p.u !== from && min != null && (p.u.scales.x.min !== min || p.u.scales.x.max !== max)) p.u.setScale('x', {min, max});
    this.sharing = false;
  }

  // A value at a time, between rows as the line is drawn.
  value(values, t) {
    let lo = 0, hi = this.x.length - 1;
    while (hi - lo > 1) { const mid = (lo + hi) >> 1; if (this.x[mid] <= t) lo = mid; else hi = mid; }
    const a = values[lo], b = values[hi], part = (t - this.x[lo]) / (this.x[hi] - this.x[lo]);
    return !(part > 0) ? a : part >= 1 ? b : a == null || b == null ? part > 0.5 ? b : a : a + part * (b - a);
  }

  showValues(p) {
    p.lines.forEach((l, k) => { p.spans[k].textContent = `${l.label} ${l.still || number(this.value(l.shown || l.values, this.time) ?? NaN)}${l.error > 0 ? ` ± ${Number(l.error.toPrecision(2))}` : ''}`; });
  }

  setTime(t) {
    this.time = t;
    for (const p of this.plots) if (p.box.offsetParent) p.u.redraw(false, false), this.showValues(p);
  }

  repaint() {
    for (const p of this.plots) {
      for (const a of p.u.axes) a.stroke = () => css('--soft'), a.grid.stroke = () => css('--line'), a.ticks.stroke = () => css('--line');
      p.u.redraw(false, true);
    }
  }
}

// Columns of one quantity of one probe make one plot.
export function quantities(run) {
  const map = new Map();
  run.columns.forEach((c, i) => {
    if (c.name === 'time') return;
    const key = `${c.group}.${c.quantity}|${c.units}`;
    if (!map.has(key)) map.set(key, {group: c.group || c.name, quantity: c.quantity || c.name, title: c.title || c.name, units: c.units, description: c.description, columns: []});
    map.get(key).columns.push(i);
  });
  const all = [...map.values()];
  for (const q of all) q.chip = all.some(p => p !== q && p.group === q.group && p.quantity === q.quantity) ? withUnit(q.quantity, q.units) : q.quantity;
  return all;
}

// Whether values are neither constant nor, in a run in time, on a straight line.
export function moves(x, values, time) {
  const known = values.filter(v => v !== null), n = values.length - 1, range = Math.max(...known) - Math.min(...known);
  if (known.length < 2 || !(range > 1e-6 * Math.max(...known.map(Math.abs)))) return false;
  if (!time || values[0] === null || values[n] === null) return true;
  return values.some((v, i) => v !== null && Math.abs(v - values[0] - (values[n] - values[0]) * (x[i] - x[0]) / (x[n] - x[0])) > 1e-3 * range);
}

const finite = a => Array.from(a, x => isFinite(x) ? x : null);
export const linesOf = (run, q) => q.columns.map(i => ({label: q.columns.length > 1 ? run.columns[i].component || q.quantity : '', still: run.columns[i].still, scale: run.columns[i].scale, error: run.columns[i].error, values: finite(column(run, i))}));

// Energies on top of each other: their sum is the energy at the start plus the work since.
export function ledger(run, plots, parent) {
  const get = name => { const i = run.columns.findIndex(c => c.name === 'ledger.' + name); return i < 0 ? null : finite(column(run, i)); };
  const parts = [['kinetic', '#3b7dd8'], ['strain', '#e08a3c'], ['potential', '#3fa56b'], ['scheme_energy', '#c9b458', 'stored scheme energy'], ['damping', '#a06bc4'], ['dissipated', '#8b95a3'], ['events', '#4b5563']];
  const have = parts.map(([name, colour, label]) => ({name, colour, label: label || name, x: get(name)})).filter(p => p.x && p.x.some(v => v));
  const work = get('work');
  if (!have.length) return;
  let sum = new Array(plots.x.length).fill(0);
  const lines = [];
  for (const p of have) {
    const shift = p.name === 'potential' ? Math.min(...p.x) : 0;
    sum = sum.map((s, i) => s + p.x[i] - shift);
    lines.push({label: p.label, values: sum, shown: p.x, stroke: p.colour, fill: p.colour + '99', width: 1});
  }
  const total = work && work.map(w => sum[0] + w);
  lines.reverse();
  if (total) lines.push({label: 'start and work', values: total, stroke: '#d6304f', width: 1.6, dash: [6, 4]});
  const bands = [];
  for (let i = 1; i < have.length; i++) bands.push({series: [i, i + 1]});
  plots.add(parent, {title: 'Energy', units: 'J', lines, height: 315, bands, zero: true});
  parent.append(Object.assign(document.createElement('p'), {className: 'say', textContent:
    'The areas add up' + (have.some(p => p.name === 'potential') ? ', with the potential energy above its minimum' : '') +
    '. Their sum is the energy at the start plus the work done since: the dashed line.'}));
  for (const [title, names, units] of [['Work', ['work', 'drives'], 'J'], ['Dissipated by the scheme and by dampers', ['dissipated', 'damping'], 'J'], ['Energy balance error of a step', ['residual'], 'J'],
    ['Momentum balance error of a step', ['momentum_error'], 'N s'], ['Angular momentum balance error of a step', ['angular_momentum_error'], 'N m s'], ['Constraint violation', ['constraint'], '1']]) {
    const l = names.map(n => ({label: n, values: get(n)})).filter(q => q.values && q.values.some(v => v));
    if (l.length) plots.add(parent, {title, units, lines: l, height: 145});
  }
}
