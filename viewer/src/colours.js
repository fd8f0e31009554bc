// SPDX-License-Identifier: Apache-2.0
// What can be shown in colour, and the colours.
const sequential = ['#440154', '#482878', '#3e4a89', '#31688e', '#26828e', '#1f9e89', '#35b779', '#6ece58', '#b5de2b', '#fde725'];
const diverging = ['#2347a5', '#4a78cf', '#8fb0e6', '#cfdcf0', '#eeeae6', '#f3cdb8', '#e89372', '#cf553f', '#9c1c2e'];
const parse = list => list.map(c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16) / 255));
const maps = {sequential: parse(sequential), diverging: parse(diverging)};

export function ramp(kind, s, out) {
  const m = maps[kind], x = Math.min(0.999999, Math.max(0, s)) * (m.length - 1), i = Math.floor(x), f = x - i;
  for (let d = 0; d < 3; d++) out[d] = (1 - f) * m[i][d] + f * m[i + 1][d];
  return out;
}
const linear = c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
export const toLinear = rgb => { for (let d = 0; d < 3; d++) rgb[d] = linear(rgb[d]); return rgb; };

const words = {N: 'axial force N', V2: 'shear force V2', V3: 'shear force V3', M1: 'torque M1', M2: 'bending moment M2', M3: 'bending moment M3',
               F1: 'force F1', F2: 'force F2', F3: 'force F3'};
const strains = {N: 'axial strain', V2: 'shear strain 2', V3: 'shear strain 3', M1: 'twist', M2: 'curvature 2', M3: 'curvature 3'};

// Each choice: {label, unit, group, node(i) or cell(kind, c), lo, hi}. Values of cells are those between two frames.
export function choices(run, motion) {
  const a = run.arrays, out = [], start = Float32Array.from(motion.vectors);
  const kinds = new Map(), count = {};
  for (const f of run.fields) {
    if (!kinds.has(f.kind)) kinds.set(f.kind, {force: {}, strain: {}});
    kinds.get(f.kind)[f.what][f.name] = f;
    count[f.kind] = a[f.array].length / a.frame.length;
  }
  const range = list => list.reduce(([lo, hi], x) => [Math.min(lo, x), Math.max(hi, x)], [Infinity, -Infinity]);
  const nodal = (label, unit, node) => {
    let hi = 0;
    for (const t of a.frame) { motion.at(t); for (let i = 1; i < motion.speed.length; i++) hi = Math.max(hi, node(i)); }
    if (hi > 0) out.push({group: 'Nodes', label, unit, node, lo: 0, hi});
  };
  nodal('speed', 'm s-1', i => motion.speed[i]);
  nodal('displacement', 'm', i => Math.hypot(...[0, 1, 2].map(d => motion.vectors[12 * i + d] - start[12 * i + d])));
  nodal('angular speed', 'rad s-1', i => motion.spin[i]);
  motion.at(motion.first);
  for (const [kind, sets] of kinds) {
    const S = sets.force;
    if (S.S11 && S.S22) {
      const get = (name, c) => S[name] ? motion.cell(a[S[name].array], count[kind], c) : 0;
      const mises = c => {
        const x = get('S11', c), y = get('S22', c), z = get('S33', c), p = get('S12', c), q = get('S23', c), r = get('S13', c);
        return Math.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3 * (p * p + q * q + r * r));
      };
      let hi = 0;
      for (const t of a.frame) { motion.now = motion.frame(t); for (let c = 0; c < count[kind]; c++) hi = Math.max(hi, mises(c)); }
      motion.at(motion.first);
      out.push({group: kind, label: 'von Mises stress', unit: 'Pa', kind, cell: mises, lo: 0, hi});
    }
    for (const what of ['force', 'strain'])
      for (const f of Object.values(sets[what])) {
        const [lo, hi] = range(a[f.array]), array = a[f.array], n = count[kind];
        const label = what === 'strain' ? (strains[f.name] && kind !== 'spring' ? strains[f.name] : `strain ${f.name.replace('S', 'E')}`) : words[f.name] || `stress ${f.name}`;
        out.push({group: kind, label, unit: f.unit, kind, cell: c => motion.cell(array, n, c), lo, hi});
      }
  }
  return out;
}

// Signed values have a scale that is even about zero.
export function scaleOf(choice) {
  const signed = choice.lo < -1e-9 * Math.max(1e-300, Math.abs(choice.hi));
  const most = Math.max(Math.abs(choice.lo), Math.abs(choice.hi)) || 1;
  return signed ? {kind: 'diverging', lo: -most, hi: most} : {kind: 'sequential', lo: 0, hi: most};
}
