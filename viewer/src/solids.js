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

// The box of the same mass and inertia; a body without inertia is a ball.
export function body(item, heaviest, size) {
  const {values: J, vectors} = principal(item.tensor), m = item.mass, least = 0.012 * size, most = 0.6 * size;
  if (!(J[0] + J[1] + J[2] > 1e-12 * m * size * size)) {
    const r = Math.max(0.01, 0.028 * Math.cbrt(m / (heaviest || 1))) * size;
    return {geometry: new SphereGeometry(r, 32, 24), vectors};
  }
  let sides = [0, 1, 2].map(i => Math.sqrt(Math.max(0, 6 * (J[(i + 1) % 3] + J[(i + 2) % 3] - J[i]) / m)));
  const shrink = Math.min(1, most / Math.max(...sides));
  sides = sides.map(s => Math.max(least, s * shrink));
  const r = 0.12 * Math.min(...sides);
  return {geometry: Math.min(...sides) < 1e-6 * size ? new BoxGeometry(...sides) : new RoundedBoxGeometry(...sides, 3, r), vectors};
}
