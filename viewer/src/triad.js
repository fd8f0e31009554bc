// SPDX-License-Identifier: Apache-2.0
// The axes of the ground, in a corner.
import {ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, OrthographicCamera, Scene, Vector3} from 'three';
import {along} from './marks.js';

const axes = [['x', 0xd64533], ['y', 0x2f9e4f], ['z', 0x3a6fe0]];

export class Triad {
  constructor(host) {
    this.scene = new Scene();
    this.camera = new OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
    this.names = axes.map(([name, colour], k) => {
      const g = new Group(), material = new MeshBasicMaterial({color: colour}), way = new Vector3().setComponent(k, 1);
      const shaft = new Mesh(new CylinderGeometry(0.045, 0.045, 0.8, 12), material), head = new Mesh(new ConeGeometry(0.13, 0.3, 16), material);
      shaft.position.y = 0.4, head.position.y = 0.9;
      g.add(shaft, head), along(g, way);
      this.scene.add(g);
      const span = Object.assign(document.createElement('span'), {textContent: name});
      span.style.color = '#' + colour.toString(16).padStart(6, '0');
      host.append(span);
      return {span, way};
    });
  }

  turn(camera, size) {
    this.camera.quaternion.copy(camera.quaternion);
    this.camera.position.set(0, 0, 5).applyQuaternion(camera.quaternion);
    this.camera.updateMatrixWorld();
    for (const {span, way} of this.names) {
      const p = way.clone().multiplyScalar(1.28).project(this.camera);
      span.style.transform = `translate(${((p.x + 1) / 2 * size).toFixed(1)}px, ${((1 - p.y) / 2 * size).toFixed(1)}px) translate(-50%, -50%)`;
    }
  }
}
