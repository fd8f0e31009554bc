// SPDX-License-Identifier: Apache-2.0
// Joints, supports and loads as symbols of a size that follows the model's.
import {BoxGeometry, ConeGeometry, CylinderGeometry, DoubleSide, Group, Mesh, MeshBasicMaterial, MeshStandardMaterial, OctahedronGeometry, PlaneGeometry, Quaternion, SphereGeometry, TorusGeometry, Vector3} from 'three';

const Y = new Vector3(0, 1, 0), X = new Vector3(1, 0, 0);
const p = new Vector3(), q = new Vector3(), d = new Vector3(), e = new Vector3(), turn = new Quaternion();

// The axis of a cylinder of three.js is y.
export function along(object, direction) {
  object.quaternion.setFromUnitVectors(Y, direction.clone().normalize());
  return object;
}

export function rod(a, b, mesh) {
  d.subVectors(b, a);
  const l = d.length();
  mesh.visible = l > 1e-9;
  if (!mesh.visible) return;
  mesh.position.addVectors(a, b).multiplyScalar(0.5);
  mesh.scale.set(1, l, 1);
  along(mesh, d);
}

export class Marks {
  // hanging: joints whose ground is above them
  constructor(run, motion, size, up, hanging) {
    this.run = run, this.motion = motion, this.S = 0.026 * size, this.up = up, this.hanging = hanging;
    this.group = new Group();
    this.steel = new MeshStandardMaterial({color: 0xd9a441, roughness: 0.45, metalness: 0.25});
    this.dark = new MeshStandardMaterial({color: 0x7a5a1e, roughness: 0.5, metalness: 0.3});
    this.stone = new MeshStandardMaterial({color: 0x8d97a5, roughness: 0.9});
    this.moves = run.joints.map(j => this.joint(j));
    this.fixed();
  }

  add(parent, geometry, material = this.steel) {
    const mesh = new Mesh(geometry, material);
    mesh.castShadow = true;
    parent.add(mesh);
    return mesh;
  }

  // The ground under a mark, or above it: a cone on a plate.
  stand(parent, above = false) {
    const g = new Group(), S = this.S;
    const cone = this.add(g, new ConeGeometry(0.75 * S, 1.3 * S, 4, 1), this.stone), plate = this.add(g, new BoxGeometry(2 * S, 0.22 * S, 2 * S), this.stone);
    cone.position.y = -0.65 * S, cone.rotation.y = Math.PI / 4, plate.position.y = -1.4 * S;
    along(g, above ? this.up.clone().negate() : this.up);
    parent.add(g);
    return g;
  }

  joint(j) {
    const g = new Group(), S = this.S, s = {};
    this.group.add(g);
    const link = j.mark === 'link' || j.mark === 'strut';
    if (link) return this.link(j, g);
    const turned = new Group();
    g.add(turned);
    switch (j.mark) {
    case 'hinge':
      this.add(turned, new CylinderGeometry(0.5 * S, 0.5 * S, 1.3 * S, 28));
      this.add(turned, new CylinderGeometry(0.2 * S, 0.2 * S, 2.1 * S, 16), this.dark);
      break;
    case 'cylinder':
      this.add(turned, new CylinderGeometry(0.48 * S, 0.48 * S, 1.6 * S, 28));
      this.add(turned, new CylinderGeometry(0.2 * S, 0.2 * S, 5 * S, 16), this.dark);
      break;
    case 'slider':
      this.add(turned, new BoxGeometry(0.9 * S, 1.6 * S, 0.9 * S));
      this.add(turned, new BoxGeometry(0.3 * S, 5 * S, 0.3 * S), this.dark);
      break;
    case 'plane': {
      const sheet = this.add(turned, new PlaneGeometry(3 * S, 3 * S), new MeshStandardMaterial({color: 0xd9a441, transparent: true, opacity: 0.25, side: DoubleSide, depthWrite: false}));
      sheet.rotation.x = Math.PI / 2, sheet.castShadow = false;
      this.add(turned, new SphereGeometry(0.35 * S, 20, 16));
      break;
    }
    case 'cross':
      for (let i = 0; i < 2; i++) {
        const bar = this.add(turned, new CylinderGeometry(0.22 * S, 0.22 * S, 2 * S, 16), i ? this.dark : this.steel);
        if (i) bar.rotation.z = Math.PI / 2;
      }
      this.add(turned, new SphereGeometry(0.36 * S, 20, 16));
      break;
    case 'ball': this.add(turned, new SphereGeometry(0.5 * S, 28, 20)); break;
    case 'clamp': this.add(turned, new BoxGeometry(1.5 * S, 1.5 * S, 1.5 * S), this.stone); break;
    case 'weld': this.add(turned, new BoxGeometry(0.55 * S, 0.55 * S, 0.55 * S), this.dark); break;
    case 'guide': this.add(turned, new BoxGeometry(0.9 * S, 0.9 * S, 0.9 * S)); break;
    default: this.add(turned, new OctahedronGeometry(0.5 * S));
    }
    if (j.grounded && j.mark !== 'clamp') s.stand = this.stand(g, this.hanging.has(j));
    return () => {
      const m = this.motion;
      m.get(j.at[0], p), m.get(j.at[1], q);
      turned.position.copy(p);
      if (s.stand) s.stand.position.copy(p);
      if (j.axis < 0) return;
      m.get(j.axis, d).normalize();
      turned.quaternion.setFromUnitVectors(Y, d);
      if (j.mark !== 'cross' && j.mark !== 'slider') return;
      m.get(j.axis + 1, e).normalize(); // and turned so that x is along the second direction
      q.copy(X).applyQuaternion(turned.quaternion);
      const angle = Math.atan2(p.crossVectors(q, e).dot(d), q.dot(e));
      turned.quaternion.premultiply(turn.setFromAxisAngle(d, angle));
    };
  }

  link(j, g) {
    const S = this.S, ends = [0, 1].map(() => this.add(g, new SphereGeometry(0.34 * S, 20, 16), this.dark));
    const thin = this.add(g, new CylinderGeometry(0.14 * S, 0.14 * S, 1, 12)), thick = j.mark === 'strut' ? this.add(g, new CylinderGeometry(0.3 * S, 0.3 * S, 1, 16)) : null;
    const stands = j.nodes.map(n => n === 0 ? this.stand(g) : null), mid = new Vector3();
    return () => {
      this.motion.get(j.at[0], p), this.motion.get(j.at[1], q);
      ends[0].position.copy(p), ends[1].position.copy(q);
      stands.forEach((s, i) => s && s.position.copy(i ? q : p));
      const a = p.clone(), b = q.clone();
      rod(a, b, thin);
      if (thick) rod(a, mid.lerpVectors(a, b, 0.55), thick);
    };
  }

  fixed() {
    const fixed = this.run.nodes.filter(n => n.fixed), S = this.S, many = fixed.length > 12 || this.run.arrays.triangle.length > 0;
    for (const n of fixed) {
      const g = many ? this.add(this.group, new BoxGeometry(0.5 * S, 0.5 * S, 0.5 * S), this.stone) : this.stand(this.group);
      if (!many) this.add(g, new SphereGeometry(0.3 * S, 20, 16), this.dark);
      this.motion.get(n.at, g.position);
    }
  }

  update() { for (const move of this.moves) move(); }
}

// ---- the air ----

// Arrows that end at the sections of blades and wings. The longest is as long as the air is fast at most.
export class Winds {
  constructor(run, motion, size) {
    this.motion = motion, this.at = run.winds ?? [], this.n = this.at.length;
    this.group = new Group(), this.most = 0; // m/s
    if (!this.n) return;
    this.wind = [run.arrays.wind0, run.arrays.wind1, run.arrays.wind2];
    const speeds = this.wind[0].map((x, i) => Math.hypot(x, this.wind[1][i], this.wind[2][i]));
    this.most = Math.max(...speeds), this.L = 0.11 * size;
    if (!(this.most > 0)) this.at = []; // still air
    this.arrows = this.at.map(() => arrow(0x1f9db0, 0.016 * size));
    for (const w of this.arrows) this.group.add(w.g);
  }

  // m/s, the mean of all arrows.
  get speed() {
    return this.at.reduce((sum, _, i) => sum + this.velocity(i).length(), 0) / this.n;
  }

  velocity(i) { return d.set(...this.wind.map(w => this.motion.cell(w, this.n, i))); }

  update() {
    this.at.forEach((at, i) => {
      const v = this.velocity(i), length = this.L * v.length() / this.most;
      this.motion.get(at, p).addScaledVector(v, -length / (v.length() || 1));
      this.arrows[i].set(p, v, length);
    });
  }
}

// ---- loads ----

function arrow(colour, S) {
  const g = new Group(), material = new MeshBasicMaterial({color: colour});
  const shaft = new Mesh(new CylinderGeometry(0.1 * S, 0.1 * S, 1, 12), material), head = new Mesh(new ConeGeometry(0.32 * S, 0.9 * S, 20), material);
  g.add(shaft, head);
  return {g, set(at, way, length) {
    g.visible = length > 0.3 * S;
    if (!g.visible) return;
    along(g, way), g.position.copy(at);
    shaft.scale.y = Math.max(1e-6, length - 0.8 * S), shaft.position.y = shaft.scale.y / 2, head.position.y = length - 0.45 * S;
  }};
}

// Three quarters of a turn about y, with a head.
function spin(colour, S) {
  const g = new Group(), material = new MeshBasicMaterial({color: colour});
  const arc = new Mesh(new TorusGeometry(1.7 * S, 0.1 * S, 10, 48, 1.5 * Math.PI), material), head = new Mesh(new ConeGeometry(0.32 * S, 0.9 * S, 20), material);
  arc.rotation.x = -Math.PI / 2;
  head.position.set(0, 0, 1.7 * S), head.rotation.z = -Math.PI / 2;
  g.add(arc, head);
  return {g, set(at, way, length) {
    g.visible = length > 0.02 * S;
    if (!g.visible) return;
    along(g, way), g.position.copy(at);
    g.scale.setScalar(0.45 + 0.55 * Math.min(1, length));
  }};
}

export class Loads {
  constructor(run, motion, size) {
    this.run = run, this.motion = motion, this.S = 0.026 * size, this.L = (run.loads.filter(l => l.force !== undefined).length > 3 ? 0.12 : 0.2) * size;
    this.group = new Group();
    this.n = run.loads.length;
    this.most = run.loads.map((_, l) => {
      let most = 0;
      for (let i = l; i < run.arrays.amplitude.length; i += this.n) most = Math.max(most, Math.abs(run.arrays.amplitude[i]));
      return most;
    });
    this.moves = run.loads.flatMap((load, l) => this.make(load, l));
  }

  amplitude(l) {
    const a = this.motion.cell(this.run.arrays.amplitude, this.n, l);
    return this.most[l] ? a / this.most[l] : 0;
  }

  make(load, l) {
    const m = this.motion, out = [], red = 0xe0402f, violet = 0x8e5bd9;
    const put = thing => (this.group.add(thing.g), thing);
    for (const [name, make] of [['force', arrow], ['moment', spin]]) {
      if (load[name] === undefined) continue;
      const many = load.at.length > 1;
      for (const at of load.at) {
        const thing = put(make(red, many ? 0.6 * this.S : this.S));
        out.push(() => {
          const a = this.amplitude(l);
          m.get(at, p), m.get(load[name], d).multiplyScalar(Math.sign(a) || 1);
          thing.set(p, d, Math.abs(a) * (name === 'moment' ? 1 : many ? 0.5 * this.L : this.L));
        });
      }
    }
    if (load.drive !== undefined) {
      const j = this.run.joints[load.drive], thing = put(load.turns ? spin(violet, this.S) : arrow(violet, this.S));
      out.push(() => {
        m.get(j.at[0], p);
        if (j.mark === 'strut') m.get(j.at[1], d).sub(p);
        else if (j.axis >= 0) m.get(j.axis, d);
        else d.set(0, 0, 1);
        const f = load.forced ? this.amplitude(l) : 1;
        thing.set(p, d.multiplyScalar(Math.sign(f) || 1), Math.abs(f) * (load.turns ? 1 : 0.6 * this.L));
      });
    }
    return out;
  }

  update() { for (const move of this.moves) move(); }
}
