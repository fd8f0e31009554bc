// SPDX-License-Identifier: Apache-2.0
// The mechanism in space.
import {AmbientLight, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight, DoubleSide, FrontSide, Group, HemisphereLight, Line as Curve, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Scene, ShadowMaterial, Vector3, WebGLRenderer} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {extent, Line} from './lines.js';
import {body, Coil, sidesOf, Surface} from './solids.js';
import {Loads, Marks, rod, Winds} from './marks.js';
import {Triad} from './triad.js';
import {ramp, scaleOf, toLinear} from './colours.js';

const palette = ['#5b8fd6', '#e08a4f', '#58a579', '#b57bc9', '#d06a7c', '#4fa9b8', '#a8973f', '#8a8fa8'];
const MANY_LINES = 40; // more have the colour of their kind
const a = new Vector3(), b = new Vector3();

function box(cloud) {
  const lo = new Vector3(Infinity, Infinity, Infinity), hi = new Vector3(-Infinity, -Infinity, -Infinity);
  for (let i = 0; i < cloud.length; i += 3) lo.min(a.set(cloud[i], cloud[i + 1], cloud[i + 2])), hi.max(a);
  return cloud.length ? [lo, hi] : [new Vector3(), new Vector3(1, 1, 1)];
}

// Lines of a plane across z, `half` cells to each side, which fade towards the edge.
function gridLines(cell, half) {
  const position = [], colour = [];
  const put = (i, k, turned) => {
    const x = i * cell, y = k * cell, far = Math.hypot(i, k) / half;
    position.push(turned ? y : x, turned ? x : y, 0);
    colour.push(1, 1, 1, Math.max(0, 1 - far * far));
  };
  for (let i = -half; i <= half; i++)
    for (let k = -half; k < half; k++)
      for (const turned of [false, true]) put(i, k, turned), put(i, k + 1, turned);
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  return g.setAttribute('color', new BufferAttribute(new Float32Array(colour), 4));
}

export class Stage {
  constructor(run, motion, canvas) {
    this.run = run, this.motion = motion, this.canvas = canvas;
    const field = run.loads.find(l => l.field && Math.hypot(...l.field) > 0);
    // a free body, or one that only turns about a place, is as large as its inertia says
    this.free = !run.joints.length && run.items.every(i => i.visual === 'body');
    const corners = out => {
      for (const item of run.items.filter(i => i.visual === 'body'))
        for (let k = 1; k < 4; k++) for (const f of [-0.4, 0.4]) {
          const side = Math.max(...sidesOf(item));
          for (let d = 0; d < 3; d++) out.push(motion.values[3 * item.centre + d] + f * side * motion.values[3 * (item.centre + k) + d]);
        }
    };
    const [least, most] = box(motion.cloud(motion.spread(40))), bodies = run.items.filter(i => i.visual === 'body').map(i => Math.max(...sidesOf(i)));
    const extra = most.distanceTo(least) < (this.free ? 1 : 1e-6) * Math.max(0, ...bodies) ? corners : null;
    this.corners = extra;
    this.cloud = motion.cloud(motion.spread(120), extra);
    [this.lo, this.hi] = box(this.cloud);
    const start = motion.cloud(motion.spread(1), extra), [lo, hi] = box(start);
    this.falls = !!field;
    this.centre = this.lo.clone().add(this.hi).multiplyScalar(0.5);
    this.size = Math.max(1e-9, this.hi.distanceTo(this.lo)); // of all of the motion ...
    this.part = Math.min(this.size, Math.max(1.15 * hi.distanceTo(lo), 0.3 * this.size)); // ... and of the mechanism
    this.part = Math.min(this.part, 12 * this.spacing());
    this.up = field ? new Vector3(...field.field).negate().normalize() : new Vector3(0, 0, 1);
    this.hanging = new Set(run.joints.filter(j => j.grounded && this.hangs(j, start)));
    this.renderer = new WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(32, 1, this.size / 500, this.size * 50);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.lights();
    this.ghost = new Group(), this.real = new Group(), this.paths = new Group();
    this.scene.add(this.real, this.ghost, this.paths);
    this.build();
    this.holdBodies();
    this.marks = new Marks(run, motion, this.part, this.up, this.hanging), this.loads = new Loads(run, motion, this.part);
    this.winds = new Winds(run, motion, this.size);
    this.scene.add(this.marks.group, this.loads.group, this.winds.group);
    this.tracePaths();
    this.colouring = null;
    this.triad = new Triad(document.getElementById('triad'));
    this.show(motion.first);
    this.look();
  }

  // All of the bodies is to be seen, not only their centres.
  holdBodies() {
    const plain = this.bodies.filter(b => !b.visual);
    if (!plain.length) return;
    const times = this.motion.spread(Math.max(4, Math.min(120, Math.floor(5e4 / plain.length))));
    for (const time of times) this.motion.at(time), this.addCorners(plain, this.cloud);
    this.motion.at(this.motion.first);
    [this.lo, this.hi] = box(this.cloud);
    this.centre.addVectors(this.lo, this.hi).multiplyScalar(0.5);
    this.size = Math.max(1e-9, this.hi.distanceTo(this.lo));
    Object.assign(this.camera, {near: this.size / 500, far: this.size * 50});
    this.placeLight(), this.placeFloor();
  }

  addCorners(bodies, out) {
    for (const {mesh, move} of bodies) {
      const g = mesh.geometry;
      move();
      if (!g.boundingBox) g.computeBoundingBox();
      const ends = [g.boundingBox.min, g.boundingBox.max];
      for (let c = 0; c < 8; c++) {
        a.set(ends[c & 1].x, ends[c >> 1 & 1].y, ends[c >> 2].z).applyMatrix4(mesh.matrix);
        out.push(a.x, a.y, a.z);
      }
    }
  }

  // The usual distance from one joint to the next, and the length of short bars, where there are many: symbols must not
  // cover each other, nor bars the gaps between them. Positions are rounded to 1.5e-5 of the size.
  spacing() {
    const {station} = this.run.arrays, bars = this.run.items.filter(i => i.stations > 1).slice(0, 2000);
    const place = (item, k, v) => this.motion.get(station[4 * (item.station + k)], v);
    const length = bars.map(i => place(i, 0, a).distanceTo(place(i, i.stations - 1, b))).filter(l => l > 1e-4 * this.size).sort((p, q) => p - q);
    return Math.min(this.jointSpacing(), length.length > 12 ? length[length.length >> 2] : Infinity);
  }

  jointSpacing() {
    const at = this.run.joints.slice(0, 400).map(j => this.motion.get(j.at[0], new Vector3()));
    if (at.length < 6) return Infinity;
    const near = at.map(p => Math.min(...at.map(q => p.distanceTo(q)).filter(d => d > 1e-4 * this.size))).sort((p, q) => p - q);
    return near[near.length >> 1];
  }

  lights() {
    const lamp = new DirectionalLight(0xffffff, 1.5); // beside the camera
    lamp.position.set(0.3, 0.4, 1);
    this.camera.add(lamp), this.scene.add(this.camera);
    this.scene.add(new HemisphereLight(0xffffff, 0xb4bcc8, 2.1), new AmbientLight(0xffffff, 0.5));
    const key = this.key = new DirectionalLight(0xffffff, 1.7);
    key.castShadow = true;
    key.shadow.mapSize.set(2048, 2048);
    key.shadow.bias = -0.0005, key.shadow.radius = 4;
    this.scene.add(key, key.target);
    this.floor = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({opacity: 0.16}));
    this.floor.receiveShadow = true;
    this.grid = new LineSegments(new BufferGeometry(), new LineBasicMaterial({vertexColors: true, transparent: true, depthWrite: false}));
    this.scene.add(this.floor, this.grid);
    this.placeLight(), this.placeFloor();
  }

  // The light that throws shadows, from above and aside.
  placeLight() {
    const s = this.size, {key, up: u} = this, side = new Vector3(0.45, -0.75, 0).addScaledVector(u, -0.45 * u.x + 0.75 * u.y);
    key.position.copy(this.centre).addScaledVector(u, 1.3 * s).addScaledVector(side, s);
    key.target.position.copy(this.centre);
    Object.assign(key.shadow.camera, {left: -0.8 * s, right: 0.8 * s, top: 0.8 * s, bottom: -0.8 * s, near: 0.05 * s, far: 4 * s});
    key.shadow.camera.updateProjectionMatrix();
    key.shadow.normalBias = 0.002 * s;
  }

  // Whether the nearest place right below a joint is nearer than that above it: its ground is above.
  hangs(joint, places) {
    const at = this.motion.get(joint.at[0], a), u = this.up, least = 0.008 * this.part, nearest = [Infinity, Infinity];
    for (let i = 0; i < places.length; i += 3) {
      const x = places[i] - at.x, y = places[i + 1] - at.y, z = places[i + 2] - at.z;
      const far = Math.hypot(x, y, z), height = x * u.x + y * u.y + z * u.z, side = height < 0 ? 0 : 1;
      if (far > least && Math.abs(height) > 0.8 * far) nearest[side] = Math.min(nearest[side], far);
    }
    return nearest[0] < nearest[1];
  }

  // The foot of the lowest support, with the plate under it.
  ground() {
    const plate = 1.51 * 0.026 * this.part, height = at => this.motion.get(at, a).dot(this.up); // as marks.js draws it
    return Math.min(...this.run.joints.filter(j => j.grounded).map(j => height(j.at[0]) - (j.mark === 'clamp' || this.hanging.has(j) ? 0 : plate)),
                    ...this.run.nodes.filter(n => n.fixed).map(n => height(n.at) - plate));
  }

  // The floor is the ground if the model stands on it, otherwise it is below the whole motion.
  placeFloor() {
    const s = this.size, u = this.up;
    let low = Infinity;
    for (let i = 0; i < 8; i++) low = Math.min(low, a.set(i & 1 ? this.lo.x : this.hi.x, i & 2 ? this.lo.y : this.hi.y, i & 4 ? this.lo.z : this.hi.z).dot(u));
    const ground = this.ground(), level = ground < low + 0.02 * s && ground > low - 0.2 * s ? ground : low - 0.07 * s;
    const foot = this.centre.clone().addScaledVector(u, level - this.centre.dot(u)), step = 10 ** Math.floor(Math.log10(s / 3));
    const cell = [1, 2, 5, 10].map(f => f * step).find(x => x * 14 >= 2.4 * s) || step;
    this.cell = cell;
    this.grid.geometry.dispose();
    this.grid.geometry = gridLines(cell, 12);
    this.floor.scale.setScalar(60 * s);
    for (const object of [this.grid, this.floor]) {
      object.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), u);
      object.position.copy(foot);
    }
    this.grid.position.addScaledVector(u, 0.001 * s);
  }

  material(colour, ghost) {
    return ghost ? new MeshStandardMaterial({color: 0x8b95a3, transparent: true, opacity: this.bare ? 0.38 : 0.22, depthWrite: false, roughness: 1, polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 6})
                 : new MeshStandardMaterial({color: colour, vertexColors: true, roughness: 0.5, metalness: 0.08});
  }

  build() {
    const {run, motion, part: size} = this, heaviest = Math.max(0, ...run.items.map(i => i.mass || 0));
    this.lines = [], this.bodies = [], this.ties = [];
    this.stills = []; // of each part, a copy that stays where the part is now
    const thick = Math.max(0, ...run.items.filter(i => i.visual === 'beam').map(extent));
    this.auto = thick > 0 ? Math.max(Math.min(1, 0.12 * size / thick), Math.min(12, 0.011 * size / thick)) : 1; // thin sections are drawn thicker, those as thick as the model thinner
    const lines = run.items.filter(i => i.stations).length, kinds = [...new Set(run.items.map(i => i.kind))];
    const visuals = run.visuals ?? [];
    let n = 0;
    for (const visual of visuals) this.addVisual(visual);
    for (const item of run.items) {
      const colour = item.colour ?? palette[(lines > MANY_LINES ? kinds.indexOf(item.kind) : n) % palette.length];
      if (item.visual === 'beam' || item.visual === 'bar' || item.visual === 'cable') {
        n++;
        const options = {scale: this.auto, radius: (item.visual === 'cable' ? 0.004 : 0.0045) * size};
        const line = new Line(run, item, this.material(item.visual === 'cable' ? '#6b7480' : colour), options);
        line.base = new Color(line.mesh.material.color);
        this.real.add(line.mesh), this.lines.push(line);
        this.stills.push(material => {
          const still = new Line(run, item, material, options);
          still.update(motion.values);
          return [still.mesh];
        });
      } else if (item.visual === 'body') {
        if (!visuals.some(l => l.node === item.node && !l.beside)) this.addBody(item, heaviest);
      }
      else if (item.visual === 'spring' || item.visual === 'bushing') this.addTie(item);
    }
    if (run.arrays.triangle.length) {
      const material = this.material(palette[n % palette.length]);
      material.side = DoubleSide;
      this.surface = new Surface(run, material, true);
      this.surface.base = new Color(material.color);
      this.real.add(this.surface.mesh);
      this.stills.push(material => {
        const still = new Surface(run, material, false);
        still.update(motion.vectors);
        return [still.mesh];
      });
    }
    this.addGhost();
  }

  // Lines, bodies and surfaces as they are at the time of the motion, as shadows.
  addGhost() {
    for (const still of this.stills)
      for (const mesh of still(this.material(0, true))) mesh.castShadow = false, this.ghost.add(mesh);
  }

  ghosts(times) {
    this.ghost.clear();
    for (const t of times) this.motion.at(t), this.addGhost();
  }

  addBody(item, heaviest) {
    const centre = this.motion.get(item.centre, new Vector3()), held = this.run.joints.flatMap(j => j.at.filter((_, i) => j.nodes[i] === item.node));
    const reach = Math.max(0, ...held.map(at => this.motion.get(at, b).distanceTo(centre)));
    const {geometry, vectors} = body(item, heaviest, this.part, reach, this.free || this.corners), material = new MeshStandardMaterial({color: item.colour ?? 0xb9a988, roughness: 0.55, metalness: 0.15});
    const mesh = new Mesh(geometry, material), arms = [];
    mesh.castShadow = true;
    mesh.base = new Color(material.color);
    this.real.add(mesh);
    const turn = new Matrix4().set(vectors[0][0], vectors[0][1], vectors[0][2], 0, vectors[1][0], vectors[1][1], vectors[1][2], 0, vectors[2][0], vectors[2][1], vectors[2][2], 0, 0, 0, 0, 1);
    if (turn.determinant() < 0) turn.multiply(new Matrix4().makeScale(1, 1, -1));
    for (const j of this.run.joints) // rigid arms to the joints that it carries
      j.nodes.forEach((node, i) => {
        if (node !== item.node) return;
        const arm = new Mesh(new CylinderGeometry(0.006 * this.part, 0.006 * this.part, 1, 14), material);
        arm.castShadow = true;
        this.real.add(arm), arms.push([arm, j.at[i]]);
      });
    const move = (target, arms) => {
      const x = [0, 1, 2, 3].map(k => this.motion.get(item.centre + k, new Vector3()));
      target.matrixAutoUpdate = false;
      target.matrix.makeBasis(x[1], x[2], x[3]).multiply(turn).setPosition(x[0]);
      for (const [arm, at] of arms) rod(x[0], this.motion.get(at, b), arm);
    };
    this.stills.push(material => {
      const still = new Mesh(geometry, material), rods = arms.map(([arm, at]) => [new Mesh(arm.geometry, material), at]);
      move(still, rods);
      return [still, ...rods.map(([arm]) => arm)];
    });
    this.bodies.push({item, mesh, move: () => move(mesh, arms)});
  }

  // A piece of a plane, by its middle and sides, becomes as wide as all of the motion over it.
  widen([middle, ...side]) {
    const range = [0, 1].map(k => {
      let low = -0.5, high = 0.5;
      for (let i = 0; i < this.cloud.length; i += 3) {
        const t = a.set(this.cloud[i], this.cloud[i + 1], this.cloud[i + 2]).sub(middle).dot(side[k]) / side[k].lengthSq();
        low = Math.min(low, t), high = Math.max(high, t);
      }
      return [low, high];
    });
    range.forEach(([low, high], k) => middle.addScaledVector(side[k], (low + high) / 2));
    range.forEach(([low, high], k) => side[k].multiplyScalar(high - low));
  }

  // A shape that the model gives a node, in place of the box of its inertia.
  addVisual(visual) {
    const geometry = (this.shapes ??= new Map()).get(visual.first) ?? new BufferGeometry();
    if (!this.shapes.has(visual.first)) {
      geometry.setAttribute('position', new BufferAttribute(this.run.arrays.visual.slice(3 * visual.first, 3 * (visual.first + visual.count)), 3));
      geometry.computeVertexNormals();
      this.shapes.set(visual.first, geometry);
    }
    const material = new MeshStandardMaterial({color: visual.colour, roughness: 0.55, metalness: 0.15, side: visual.plane ? FrontSide : DoubleSide}), mesh = new Mesh(geometry, material);
    mesh.castShadow = !visual.plane, mesh.receiveShadow = !!visual.surface;
    mesh.frustumCulled = false;
    mesh.base = new Color(visual.colour);
    this.real.add(mesh);
    const place = () => [0, 1, 2, 3].map(k => this.motion.get(visual.at + k, new Vector3())), wide = visual.plane && visual.fixed && place();
    if (wide) this.widen(wide);
    const move = target => {
      const x = wide || place();
      target.matrixAutoUpdate = false;
      target.matrix.makeBasis(x[1], x[2], x[3]).setPosition(x[0]);
    };
    if (!visual.fixed)
      this.stills.push(material => {
        const still = new Mesh(geometry, material);
        move(still);
        return [still];
      });
    this.bodies.push({item: {centre: visual.at}, mesh, visual, move: () => move(mesh)});
  }

  addTie(item) {
    const s = this.part, coil = item.visual === 'spring', colour = item.colour ?? '#3f9b54', material = new MeshStandardMaterial({color: colour, roughness: 0.4, metalness: 0.3});
    const helix = coil ? new Coil(0.016 * s, 0.0032 * s) : null;
    const mesh = new Mesh(coil ? helix.geometry : new CylinderGeometry(0.014 * s, 0.014 * s, 1, 20), material);
    mesh.frustumCulled = false;
    mesh.castShadow = true;
    this.real.add(mesh);
    mesh.base = new Color(colour);
    this.ties.push({item, mesh, move: () => {
      this.motion.get(item.ends[0], a), this.motion.get(item.ends[1], b);
      rod(a, b, mesh);
      if (coil) mesh.scale.y = 1, helix.stretch(a.distanceTo(b));
      else if (!mesh.visible) mesh.visible = true, mesh.scale.y = 0.03 * s, mesh.position.copy(a);
    }});
  }

  // The ways of the nodes that the user named.
  tracePaths() {
    const moving = this.run.nodes.filter(n => !n.fixed), times = [], t = this.motion.times, fine = Math.max(1, Math.min(6, Math.floor(1200 / t.length)));
    if (moving.length > 40) return;
    for (let i = 0; i + 1 < t.length; i++) for (let k = 0; k < fine; k++) times.push(t[i] + (t[i + 1] - t[i]) * k / fine);
    times.push(this.motion.last);
    const points = moving.map(() => new Float32Array(3 * times.length));
    times.forEach((time, k) => {
      this.motion.at(time);
      moving.forEach((n, i) => { for (let d = 0; d < 3; d++) points[i][3 * k + d] = this.motion.values[3 * n.at + d]; });
    });
    points.forEach((p, i) => {
      const g = new BufferGeometry();
      g.setAttribute('position', new BufferAttribute(p, 3));
      this.paths.add(new Curve(g, new LineBasicMaterial({color: palette[i % palette.length], transparent: true, opacity: 0.65})));
    });
  }

  // ---- colours ----

  setColour(choice) {
    this.colouring = choice;
    this.scale = choice && scaleOf(choice);
    for (const x of [...this.lines.map(l => l.mesh), this.surface && this.surface.mesh]) if (x) x.material.color.set(choice ? 0xffffff : (x === (this.surface && this.surface.mesh) ? this.surface.base : this.lines.find(l => l.mesh === x).base));
    this.paint();
  }

  rgb(value, out) {
    if (value === null || !isFinite(value)) return out.fill(0.45);
    return toLinear(ramp(this.scale.kind, (value - this.scale.lo) / (this.scale.hi - this.scale.lo || 1), out));
  }

  paint() {
    const c = this.colouring, {station, cell, combination_end: end, combination_vector: vector} = this.run.arrays;
    for (const line of this.lines)
      line.paint((k, out) => {
        if (!c) return out.fill(1);
        const s = 4 * (line.item.station + k);
        if (c.node) {
          let sum = 0, weight = 0; // of the nodes that the place hangs on
          const q = station[s], F = this.run.arrays.combination_factor;
          for (let i = q ? end[q - 1] : 0; i < end[q]; i++) if (vector[i] % 4 === 0) sum += F[i] * c.node(vector[i] >> 2), weight += F[i];
          return this.rgb(weight ? Math.max(0, sum / weight) : 0, out);
        }
        if (line.item.kind !== c.kind || station[s + 1] < 0) return this.rgb(null, out);
        const part = this.parts[line.item.station + k], x = c.cell(cell[station[s + 1]]), y = c.cell(cell[station[s + 2]]);
        return this.rgb(x + part * (y - x), out);
      });
    if (this.surface) {
      const items = this.run.items.filter(i => i.visual === 'surface'), kindOf = x => items.find(i => x >= i.cells[0] && x < i.cells[0] + i.cells[1])?.kind;
      this.surface.paint(c && c.node, c && c.cell ? x => kindOf(x) === c.kind && cell[x] >= 0 ? c.cell(cell[x]) : null : null, (x, out) => c ? this.rgb(x, out) : out.fill(1));
    }
    const out = [1, 1, 1];
    for (const t of this.ties) {
      if (c && c.kind === t.item.kind && cell[t.item.cell] >= 0) t.mesh.material.color.setRGB(...this.rgb(c.cell(cell[t.item.cell]), out));
      else t.mesh.material.color.set(t.mesh.base);
    }
  }

  get parts() {
    const s = this.run.arrays.station;
    return this.partsOf ??= new Float32Array(new Float32Array(s.buffer, s.byteOffset, s.length).filter((_, i) => i % 4 === 3));
  }

  // ---- time and camera ----

  show(t) {
    this.motion.at(t);
    for (const line of this.lines) line.update(this.motion.values);
    for (const x of [...this.bodies, ...this.ties]) x.move();
    if (this.surface) this.surface.update(this.motion.vectors);
    this.marks.update(), this.loads.update(), this.winds.update();
    if (this.colouring) this.paint();
  }

  // From aslant; a motion in a plane is seen across it. direction: 'x', 'y', 'z', three numbers that point at the reader, or none
  look(direction) {
    const span = this.hi.clone().sub(this.lo), flat = ['x', 'y', 'z'].reduce((m, d) => span[d] < span[m] ? d : m, 'y');
    const way = new Vector3(0.62, -1, 0.42), planar = !(this.winds.most > 0) && span[flat] < 0.12 * Math.max(span.x, span.y, span.z) && !(this.falls && Math.abs(this.up[flat]) > 0.5);
    if (Array.isArray(direction)) way.set(...direction);
    else if (direction) way.set(0, 0, 0)[direction] = direction === 'y' ? -1 : 1;
    else if (planar) {
      if (flat === 'x') way.set(1, -0.28, 0.24);
      else if (flat === 'y') way.set(0.28, -1, 0.24);
      else way.set(0.12, -0.5, 1);
    }
    if (Math.abs(way.clone().normalize().dot(this.up)) > 0.999) way.add(new Vector3(0.001, -0.002, 0.001));
    this.fit(way);
  }

  // Only these times are to be seen, and nothing but the mechanism.
  frame(times) {
    this.bare = true;
    this.cloud = this.motion.cloud(times, out => this.addCorners(this.bodies.filter(b => !b.visual), out)); // corners of visuals are among the places
    [this.lo, this.hi] = box(this.cloud);
    this.centre.addVectors(this.lo, this.hi).multiplyScalar(0.5);
    this.size = Math.max(this.hi.distanceTo(this.lo), 0.5 * this.part);
    this.placeLight(), this.placeFloor();
  }

  fit(way = this.camera.position.clone().sub(this.controls.target)) {
    way.normalize();
    const right = new Vector3().crossVectors(this.up, way).normalize(), up = new Vector3().crossVectors(way, right);
    const tan = Math.tan(this.camera.fov * Math.PI / 360), aspect = this.camera.aspect || 1, pad = 0.06 * this.part;
    const target = this.centre.clone(), tall = (this.bare ? 0.86 : 0.78) * tan, wide = 0.9 * tan * aspect;
    let distance = 0;
    for (let round = 0; round < 3; round++) { // the middle of what is seen depends on the distance
      const seen = [Infinity, -Infinity, Infinity, -Infinity];
      distance = 0;
      for (let i = 0; i < this.cloud.length; i += 3) {
        a.set(this.cloud[i], this.cloud[i + 1], this.cloud[i + 2]).sub(target);
        distance = Math.max(distance, a.dot(way) + (Math.abs(a.dot(up)) + pad) / tall, a.dot(way) + (Math.abs(a.dot(right)) + pad) / wide);
      }
      for (let i = 0; i < this.cloud.length; i += 3) {
        a.set(this.cloud[i], this.cloud[i + 1], this.cloud[i + 2]).sub(target);
        const f = distance / Math.max(1e-9, distance - a.dot(way)), x = f * a.dot(right), y = f * a.dot(up);
        seen[0] = Math.min(seen[0], x), seen[1] = Math.max(seen[1], x), seen[2] = Math.min(seen[2], y), seen[3] = Math.max(seen[3], y);
      }
      if (round < 2) target.addScaledVector(right, (seen[0] + seen[1]) / 2).addScaledVector(up, (seen[2] + seen[3]) / 2);
    }
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(way, distance);
    this.controls.update();
  }

  theme(dark) {
    this.grid.material.color.set(dark ? 0x5a6678 : 0xb9c3d1), this.grid.material.opacity = dark ? 0.4 : 0.6;
    this.floor.material.opacity = dark ? 0.35 : 0.16;
  }

  resize() {
    const {clientWidth: w, clientHeight: h} = this.canvas.parentElement;
    if (!w || !h) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
  }

  render() {
    const r = this.renderer, s = 92;
    r.setScissorTest(false);
    r.setViewport(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    r.autoClear = true;
    r.render(this.scene, this.camera);
    if (this.bare) return;
    r.autoClear = false;
    r.clearDepth();
    r.setViewport(6, 6, s, s);
    this.triad.turn(this.camera, s);
    r.render(this.triad.scene, this.triad.camera);
  }
}
