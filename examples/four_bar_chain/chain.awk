# SPDX-License-Identifier: Apache-2.0
# The model of a chain of N four-bars: awk -v N=40 -v pin=hinge -f chain.awk. With pin=point_on_line the closing joints hold
# only what a plane asks for.
BEGIN {
  bar = pin == "" ? "hinge" : pin
  printf "# %d windows of unit links, hinged in a row; the first joint at the top starts with 1 m/s.\n", N
  printf "limber: 1\ntitle: Chain of %d four-bars\nlet: {m: 1 kg, L: 1 m, v: 1 m/s, I: m*L^2/12}\nnodes:\n", N
  for (i = 0; i <= N; i++) printf "  post%d: {at: [%d*L, L/2, 0], velocity: [v/2, 0, 0], angular_velocity: [0, 0, -v/L]}\n", i, i
  for (i = 1; i <= N; i++) printf "  bar%d: {at: [%g*L, L, 0], velocity: [v, 0, 0]}\n", i, i - 0.5
  print "elements:"
  for (i = 0; i <= N; i++) printf "  - rigid_body: {name: post%d, node: post%d, mass: m, inertia: [I, 0, I]}\n", i, i
  for (i = 1; i <= N; i++) printf "  - rigid_body: {name: bar%d, node: bar%d, mass: m, inertia: [0, I, I]}\n", i, i
  print "joints:"
  for (i = 0; i <= N; i++)
    printf "  - hinge: {name: A%d, nodes: [ground, post%d], axis: [0, 0, 1], at: [%d*L, 0, 0]}\n", i, i, i
  for (i = 1; i <= N; i++) {
    printf "  - hinge: {name: B%d, nodes: [post%d, bar%d], axis: [0, 0, 1], at: [%d*L, L, 0]}\n", i - 1, i - 1, i, i - 1
    printf "  - %s: {name: C%d, nodes: [post%d, bar%d], axis: [0, 0, 1], at: [%d*L, L, 0]}\n", bar, i, i, i, i
  }
  print "loads:\n  - gravity: {acceleration: [0, -9.81, 0]}\nprobes:"
  print "  - {name: first, joint: A0}"
  printf "  - {name: last, joint: A%d}\n", N
  print "  - {name: x, formula: -sin(first.angle), unit: m}\n  - {name: y, formula: cos(first.angle), unit: m}"
  print "  - {name: fold, formula: last.angle - first.angle, unit: rad}"
  print "  - {name: energy, formula: ledger.kinetic + ledger.potential, unit: J}"
  print "run: {scheme: decaying_c, rho_inf: 0.5, step: 5 ms, end: 10 s}"
}
