// SPDX-License-Identifier: Apache-2.0
import {load, number, unit, withUnit} from './data.js';
import {Motion} from './motion.js';
import {Stage} from './stage.js';
import {Labels} from './labels.js';
import {choices, ramp, scaleOf} from './colours.js';
import {eventsOf, ticks} from './events.js';
import {Readings} from './readings.js';
import {ledger, linesOf, moves, Plots, quantities} from './plots.js';

const $ = id => document.getElementById(id);
const run = load(), motion = new Motion(run), stage = new Stage(run, motion, $('view')), labels = new Labels(stage, $('labels'));
const first = motion.first, last = Math.max(motion.last, run.arrays.time[run.arrays.time.length - 1] ?? 0);
const wanted = new URLSearchParams(location.hash.slice(1)), filming = wanted.has('film'), picturing = wanted.has('picture'); // #t=0.3&theme=dark&pause&film&picture
let time = first, playing = false, stale = true, before = 0, speed = 1, mode = 0; // the mode that is shown, from 1 on; 0: this is a run

// ---- time ----

// The time; for another analysis than a run in time, the quantity that its rows vary.
const inUnits = t => run.axis ? [run.axis, t, run.axis_units].filter(Boolean).join(' ') : `${t} s`;

function setTime(t) {
  time = Math.min(last, Math.max(first, t));
  $('time').value = time;
  if (mode) mode = Math.min(run.modes.length, Math.floor(time + 1e-9)), $('mode').value = mode;
  if (mode) $('clock').replaceChildren(`mode ${mode} `, Object.assign(document.createElement('small'), {textContent: `of ${run.modes.length}`}));
  else $('clock').replaceChildren(`${inUnits(time.toFixed(digits))} `, Object.assign(document.createElement('small'), {textContent: `of ${run.axis ? number(last) : `${number(last)} s`}`}));
  if (filming) $('subtitle').textContent = inUnits(time.toFixed(digits));
  stage.show(time);
  plots.setTime(mode || time);
  readings.show(mode || time);
  stale = true;
}
const digits = Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(Math.max(1e-9, last - first)))));

function setPlaying(on) {
  playing = on && last > first;
  $('play').classList.toggle('on', playing);
  $('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  if (playing && time >= last) setTime(first);
  before = performance.now();
}

function tick(now) {
  if (playing) {
    const t = time + speed * Math.min(0.1, (now - before) / 1000);
    if (mode) setTime(t >= mode + 1 - 1e-6 ? mode : t); // the same mode again
    else setTime(t > last ? first : t);
  }
  before = now;
  if (stale) stage.render(), labels.update(), stale = false;
  requestAnimationFrame(tick);
}

function modes() {
  if (!run.modes?.length || run.arrays.frame.length < 2) return;
  mode = 1;
  $('mode').parentElement.hidden = false;
  run.modes.forEach((name, i) => $('mode').append(new Option(`${i + 1}  ${name}`, i + 1)));
  $('mode').onchange = () => { mode = Number($('mode').value), setTime(mode), setPlaying(true); };
  for (const s of [0.5, 1, 2, 4]) $('speed').append(new Option(`a period in ${s} s`, 1 / s));
  speed = 0.5, $('speed').value = speed;
  $('speed').onchange = () => { speed = Number($('speed').value); };
}

function speeds() {
  if (mode) return;
  const span = last - first || 1, whole = [4, 6, 10, 20, 60].map(s => [span / s, `whole run in ${s} s`]);
  const real = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10].filter(f => !run.axis && span / f > 1.5 && span / f < 400).map(f => [f, f === 1 ? 'real time' : f < 1 ? `${f} × real time` : `${f} × real time`]);
  for (const [value, text] of [...real, ...whole]) $('speed').append(new Option(text, value));
  speed = !run.axis && span >= 3 && span <= 25 ? 1 : span / 10;
  const pick = [...$('speed').options].find(o => Math.abs(o.value / speed - 1) < 1e-9);
  if (pick) pick.selected = true;
  $('speed').onchange = () => { speed = Number($('speed').value); };
}

// ---- what is shown ----

const toggles = [
  ['Ghost', 'the initial state, as a shadow', true, on => { stage.ghost.visible = on; }],
  ['Paths', 'paths of the nodes', false, on => { stage.paths.visible = on; }],
  ['Joints', 'joints and supports', true, on => { stage.marks.group.visible = on; }],
  ['Loads', 'forces, moments and drives', true, on => { stage.loads.group.visible = on; }],
  ...stage.winds.most > 0 ? [['Wind', 'velocity of the air at blades and wings', true, on => { stage.winds.group.visible = on; }]] : [],
  ['Labels', 'names', false, on => { labels.on = on; }],
  ['Floor', 'grid and shadows', true, on => { stage.grid.visible = stage.floor.visible = on; }],
];

function controls() {
  for (const [name, title, start, set] of toggles) {
    const b = Object.assign(document.createElement('button'), {textContent: name, title});
    const put = on => { b.setAttribute('aria-pressed', on), set(on), stale = true; };
    b.onclick = () => put(b.getAttribute('aria-pressed') !== 'true');
    put(start);
    $('toggles').append(b);
  }
  const list = choices(run, motion), groups = new Map();
  $('colour').append(new Option('by part', ''));
  list.forEach((c, i) => {
    if (!groups.has(c.group)) groups.set(c.group, $('colour').appendChild(Object.assign(document.createElement('optgroup'), {label: c.group})));
    groups.get(c.group).append(new Option(withUnit(c.label, c.unit), i));
  });
  $('colour').onchange = () => setColour(list[$('colour').value] ?? null);
  $('fit').onclick = () => { stage.fit(), stale = true; };
  for (const b of document.querySelectorAll('[data-view]')) b.onclick = () => { stage.look(b.dataset.view), stale = true; };
  $('play').onclick = () => setPlaying(!playing);
  $('time').min = first, $('time').max = last;
  ticks($('ticks'), eventsOf(run), first, last, t => { setPlaying(false), setTime(t); });
  $('time').oninput = () => { setPlaying(false), setTime(Number($('time').value)); };
  stage.controls.addEventListener('change', () => { stale = true; });
  addEventListener('keydown', e => {
    if (e.target.matches('input[type=search], select')) return;
    if (e.key === ' ') setPlaying(!playing), e.preventDefault();
    else if (e.key === 'f') stage.fit(), stale = true;
    else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft') setPlaying(false), setTime(time + (e.key === 'ArrowRight' ? 1 : -1) * (last - first) / 200), e.preventDefault();
  });
}

function setColour(c) {
  stage.setColour(c);
  $('legend').hidden = !c;
  stale = true;
  if (!c) return;
  const s = scaleOf(c), canvas = $('legend').querySelector('canvas'), ctx = canvas.getContext('2d'), rgb = [0, 0, 0];
  for (let i = 0; i < 256; i++) ctx.fillStyle = `rgb(${ramp(s.kind, i / 255, rgb).map(x => Math.round(255 * x)).join()})`, ctx.fillRect(i, 0, 1, 1);
  $('legend').querySelector('.name').textContent = withUnit(c.label, c.unit);
  const ends = $('legend').querySelectorAll('.ends span');
  ends[0].textContent = number(s.lo), ends[1].textContent = number(s.hi);
}

// ---- the side ----

const plots = new Plots(run, t => { setPlaying(false), setTime(t); }), readings = new Readings(run, plots, stage.winds, $('readings'));

function histories() {
  const all = quantities(run).sort((a, b) => +/^(ledger|steps)$/.test(a.group) - +/^(ledger|steps)$/.test(b.group)), shown = new Map(), buttons = new Map();
  const toggle = q => {
    if (shown.has(q)) shown.get(q).remove(), shown.delete(q);
    else shown.set(q, plots.add($('charts'), {title: q.title, units: q.units, lines: linesOf(run, q), close: () => toggle(q)}));
    buttons.get(q)?.setAttribute('aria-pressed', shown.has(q));
  };
  const fill = () => {
    const word = $('filter').value.trim().toLowerCase();
    $('choices').replaceChildren(), buttons.clear();
    let group = null;
    for (const q of all) {
      if (word && !`${q.group} ${q.quantity} ${q.description}`.toLowerCase().includes(word)) continue;
      if (q.group !== group) $('choices').append(Object.assign(document.createElement('b'), {textContent: group = q.group}));
      const b = Object.assign(document.createElement('button'), {textContent: q.chip, title: q.description});
      b.setAttribute('aria-pressed', shown.has(q)), b.onclick = () => toggle(q);
      buttons.set(q, b), $('choices').append(b);
    }
  };
  $('filter').oninput = fill;
  fill();
  const own = all.filter(q => q.group !== 'ledger' && q.group !== 'steps'), groups = [...new Set(own.map(q => q.group))];
  // The first plots: of each probe a displacement, of modes the frequency, or else its first quantity, if it is neither constant nor a straight line.
  const firsts = list => groups.map(g => list.find(q => q.group === g && /^(displacement|frequency)$/.test(q.quantity)) || list.find(q => q.group === g)).filter(Boolean).slice(0, 4);
  const moving = firsts(own.filter(q => linesOf(run, q).some(l => moves(plots.x, l.values, !run.axis)))), start = moving.length ? moving : firsts(own);
  for (const q of start.length ? start : all.slice(0, 2)) toggle(q);
}

function notes() {
  const dl = document.createElement('dl'), host = $('notes');
  for (const [name, text] of run.notes) {
    dl.append(Object.assign(document.createElement('dt'), {textContent: name}), Object.assign(document.createElement('dd'), {textContent: text.trim(), className: name === 'Warning' ? 'warn' : ''}));
  }
  const details = document.createElement('details');
  details.append(Object.assign(document.createElement('summary'), {textContent: 'The model file'}), Object.assign(document.createElement('pre'), {textContent: run.model}));
  host.append(dl, details);
  if (Math.abs(stage.auto - 1) > 0.01) host.insertBefore(Object.assign(document.createElement('p'), {className: 'say', textContent: `Sections are drawn ${number(stage.auto)} times as thick as they are.`}), details);
}

function tabs() {
  let energy = false;
  const show = name => {
    for (const b of document.querySelectorAll('[data-tab]')) b.setAttribute('aria-selected', b.dataset.tab === name), $(b.dataset.tab).hidden = b.dataset.tab !== name;
    if (name === 'energy' && !energy) energy = true, ledger(run, plots, $('energy'));
    plots.setTime(mode || time);
  };
  document.querySelector('[data-tab=energy]').hidden = !run.columns.some(c => c.name.startsWith('ledger.'));
  for (const b of document.querySelectorAll('[data-tab]')) b.onclick = () => show(b.dataset.tab);
  show('plots');
}

// ---- theme ----

const wish = matchMedia('(prefers-color-scheme: dark)');
let theme = null; // the user's; null: the system's
function applyTheme() {
  const dark = theme === null ? wish.matches : theme === 'dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  stage.theme(dark), plots.repaint(), stale = true;
}
wish.addEventListener('change', applyTheme);
$('theme').onclick = () => { theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark', applyTheme(); };

// ---- begin ----

document.title = run.title;
$('title').textContent = run.title;
const fact = name => run.notes.find(n => n[0] === name)?.[1];
const field = run.loads.find(l => l.field);
$('subtitle').textContent = [run.axis ? null : fact('Scheme'), run.axis ? null : fact('Step') && `step ${fact('Step')}`, field && `${field.kind.replace('_', ' ')} ${number(Math.hypot(...field.field))} ${unit('m s-2')}`, `grid ${number(stage.cell)} m`].filter(Boolean).join(' · ');
if (run.arrays.frame.length < 2) {
  $('message').hidden = false;
  $('message').textContent = run.axis ? 'This analysis saves no shapes: the model is shown at rest.'
    : 'This run saved no snapshots, so the model does not move. Take `snapshots: 0` out of the part `run` of the model and run it again.';
}
applyTheme();
stage.resize(), stage.look();
modes(), speeds(), controls(), histories(), notes(), tabs();
new ResizeObserver(() => { stage.resize(), stale = true; }).observe($('stage'));
if (filming) $('subtitle').style.fontSize = '16px';
setTime(first);
if (wanted.has('theme')) theme = wanted.get('theme'), applyTheme();
if (wanted.has('t')) setTime(Number(wanted.get('t')));
if (filming) document.documentElement.classList.add('film'), stage.resize(), stage.look();
if (picturing) document.documentElement.classList.add('film', 'picture'), theme = 'light', applyTheme(), stage.resize();
// A picture of the mechanism alone, at the last of some times; the others are shadows.
function picture(times, direction) {
  stage.frame(times), stage.ghosts(times.slice(0, -1)), stage.look(direction);
  setTime(times[times.length - 1]), window.limber.draw();
  return true;
}
window.limber = {setTime, picture, first, last, stage, ready: true, draw() { stage.render(), labels.update(), stale = false; },
                 colour(name) { const o = [...$('colour').options].find(x => x.text.startsWith(name)); if (o) o.selected = true, $('colour').onchange(); return !!o; }};
setPlaying(!wanted.has('t') && !wanted.has('pause') && !filming && !picturing && run.arrays.frame.length > 1);
requestAnimationFrame(tick);
