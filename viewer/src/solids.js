// SPDX-License-Identifier: Apache-2.0
// Surfaces of meshes, and bodies as boxes of their inertia.
import {BoxGeometry, BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Mesh, SphereGeometry} from 'three';
import {RoundedBoxGeometry} from 'three/addons/geometries/RoundedBoxGeometry.js';

export class Surface {
  constructor(run, material, ink) {
    const {triangle, edge} = run.arrays, number = new Map(), index = [];
    const at = node => number.get(node) ?? (number.set(node, number.size), number.size - 1);
    this.cells = [];
    for (let i = 0; i < triangle.length; i += 4) {
      index.push(at(triangle[i]), at(triangle[i + 1]), at(triangle[i + 2]));
      this.cells.push(triangle[i + 3]);
    }
    this.nodes = [...number.keys()];
    const n = this.nodes.length, g = new BufferGeometry();
    this.position = new BufferAttribute(new Float32Array(3 * n), 3);
    this.colour = new BufferAttribute(new Float32Array(3 * n).fill(1), 3);
    g.setAttribute('position', this.position).setAttribute('color', this.colour).setIndex(index);
    this.index = index;
    this.mesh = new Mesh(g, material);
    this.mesh.castShadow = true;
    this.mesh.frustumCulled = false;
    if (ink) {
      const seen = new Set(), pairs = [];
      for (let i = 0; i < edge.length; i += 2) {
        const a = at(edge[i]), b = at(edge[i + 1]), key = Math.min(a, b) * n + Math.max(a, b);
        if (!seen.has(key)) seen.add(key), pairs.push(a, b);
      }
      const lines = new BufferGeometry();
      lines.setAttribute('position', this.position).setIndex(pairs);
      const mesh = new LineSegments(lines, new LineBasicMaterial({color: 0x101820, transparent: true, opacity: 0.28}));
      mesh.frustumCulled = false;
      this.mesh.add(mesh);
    }
  }

  update(vectors) {
    const P = this.position.array;
    this.nodes.forEach((node, i) => { for (let d = 0; d < 3; d++) P[3 * i + d] = vectors[12 * node + d]; });
    this.position.needsUpdate = true;
    this.mesh.geometry.computeVertexNormals();
  }

  // value: of a node, or null; ofCell: of a cell, which nodes have the mean of
  paint(value, ofCell, rgb) {
    const C = this.colour.array, n = this.nodes.length;
    let sum = null, count = null;
    if (ofCell) {
      sum = new Float32Array(n), count = new Float32Array(n);
      this.cells.forEach((cell, t) => {
        const x = ofCell(cell);
        if (x !== null) for (let k = 0; k < 3; k++) sum[this.index[3 * t + k]] += x, count[this.index[3 * t + k]]++;
      });
    }
    const out = [1, 1, 1];
    for (let i = 0; i < n; i++) {
      rgb(ofCell ? (count[i] ? sum[i] / count[i] : null) : value ? value(this.nodes[i]) : null, out);
      C[3 * i] = out[0], C[3 * i + 1] = out[1], C[3 * i + 2] = out[2];
    }
    this.colour.needsUpdate = true;
  }
}

// A spring along y, of any length.
export class Coil {
  constructor(radius, wire, turns = 8) {
    const n = 24 * turns + 1, m = 8, index = [], straight = 6;
    this.ring = [];
    for (let k = -straight; k < n + straight; k++) {
      const inside = k >= 0 && k < n, s = inside ? 0.12 + 0.76 * k / (n - 1) : k < 0 ? 0.12 * (k + straight) / straight : 0.88 + 0.12 * (k - n + 1) / straight;
      const rise = Math.min(1, Math.max(0, Math.min(k, n - 1 - k) / 8));
      for (let i = 0; i < m; i++) this.ring.push([s, 2 * Math.PI * turns * k / (n - 1), radius * rise, 2 * Math.PI * i / m]);
    }
    const rows = n + 2 * straight;
    for (let k = 0; k + 1 < rows; k++)
      for (let i = 0; i < m; i++) {
        const a = k * m + i, b = k * m + (i + 1) % m;
        index.push(a, b, a + m, b, b + m, a + m);
      }
    this.wire = wire;
    this.geometry = new BufferGeometry().setIndex(index);
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * rows * m), 3));
  }

  stretch(length) {
    const p = this.geometry.attributes.position, w = this.wire;
    this.ring.forEach(([s, turn, r, at], i) => {
      const out = r > 0 ? r + w * Math.cos(at) : w, angle = r > 0 ? turn : at;
      p.setXYZ(i, out * Math.cos(angle), (s - 0.5) * length + (r > 0 ? w * Math.sin(at) : 0), out * Math.sin(angle));
    });
    p.needsUpdate = true;
    this.geometry.computeVertexNormals();
  }
}

// Eigenvalues and vectors (columns) of a symmetric matrix, by Jacobi's rotations.
function principal(tensor) {
  const a = [0, 1, 2].map(i => tensor.slice(3 * i, 3 * i + 3)), v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 12; sweep++)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-14 * (Math.abs(a[p][p]) + Math.abs(a[q][q]))) continue;
      const theta = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]), c = Math.cos(theta), s = Math.sin(theta);
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  return {values: [a[0][0], a[1][1], a[2][2]], vectors: v};
}

// Sides of the box of the same mass and inertia.
export function sidesOf(item) {
  const {values: J} = principal(item.tensor);
  return [0, 1, 2].map(i => Math.sqrt(Math.max(0, 6 * (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i]) / (item.mass || 1))));
}

// That box; a body without inertia is a ball. One that is slender may be as long as it reaches, to its joints and back, and is
// not thick; one that is not is drawn small beside them, for its inertia seldom tells its form. `alone`: there is nothing else.
export function body(item, heaviest, size, reach, alone) {
  const {values: J, vectors} = principal(item.tensor), m = item.mass, least = 0.012 * size;
  if (!(J[0] + J[1] + J[2] > 1e-12 * m * size * size)) {
    const r = Math.max(0.01, 0.028 * Math.cbrt(m / (heaviest || 1))) * size;
    return {geometry: new SphereGeometry(r, 32, 24), vectors};
  }
  let sides = sidesOf(item);
  const order = [...sides].sort((a, b) => b - a), slender = order[1] < 0.35 * order[0];
  const most = reach > 0 ? (slender ? 2.1 * reach : Math.max(0.3 * reach, 0.05 * size)) : (alone ? 0.6 : 0.1) * size;
  const shrink = Math.min(1, most / order[0]), thick = slender && !alone ? 0.08 * shrink * order[0] : Infinity;
  sides = sides.map(s => s === order[0] ? Math.max(least, s * shrink) : Math.max(least, Math.min(s * shrink, thick)));
  const r = 0.12 * Math.min(...sides);
  return {geometry: Math.min(...sides) < 1e-6 * size ? new BoxGeometry(...sides) : new RoundedBoxGeometry(...sides, 3, r), vectors};
}
