// SPDX-License-Identifier: Apache-2.0
// What happened in the run, as marks on the bar of time and in the plots.
import {number} from './data.js';

export const nameOf = e => `${e.name} at ${number(e.time)} s${e.loss ? `, ${number(e.loss)} J` : ''}`;
// Losses that are round-off beside the largest are none.
export function eventsOf(run) {
  const list = run.events || [], most = Math.max(0, ...list.map(e => Math.abs(e[2])));
  return list.map(([name, time, loss]) => ({name, time, loss: Math.abs(loss) > 1e-9 * most ? loss : 0}));
}

// The names of events nearer to a time than `reach`, the nearest first; '' if there are none.
export function near(events, time, reach) {
  const found = events.filter(e => Math.abs(e.time - time) <= reach).sort((a, b) => Math.abs(a.time - time) - Math.abs(b.time - time));
  return found.slice(0, 4).map(nameOf).join('\n') + (found.length > 4 ? `\nand ${found.length - 4} more` : '');
}

// Marks on the time bar; marks that would overlap are combined.
export function ticks(host, events, first, last, go) {
  const groups = [];
  for (const e of events) {
    const at = (e.time - first) / (last - first || 1);
    if (!(at >= 0 && at <= 1)) continue;
    const group = groups[groups.length - 1];
    if (group && at - group.at < 0.004) group.events.push(e);
    else groups.push({at, events: [e]});
  }
  for (const g of groups) {
    const tick = document.createElement('span'), names = g.events.slice(0, 6).map(nameOf);
    if (g.events.length > 6) names.push(`and ${g.events.length - 6} more`);
    tick.dataset.name = names.join('\n'), tick.style.setProperty('--at', g.at);
    tick.classList.toggle('right', g.at > 0.6);
    tick.onclick = () => go(g.events[0].time);
    host.append(tick);
  }
}
