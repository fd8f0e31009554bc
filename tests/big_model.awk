# SPDX-License-Identifier: Apache-2.0
# A model file of n parts: awk -v kind=beams -v n=100000 -f big_model.awk </dev/null >big.yaml
#   beam      one beam of n elements
#   beams     n beams, each with an entry of its own, between n + 1 named nodes
#   loads     n loads on the nodes along one beam
#   formulae  n nodes, their places formulae
#   units     n nodes with numbers in units, and velocities
#   let       n parameters
#   merge     n nodes merged with n others by <<
#   twice     n nodes of one name
#   unknown   n beams between nodes that are not there
#   short     n beams of no length
BEGIN {
  print "limber: 1"
  print "sections: {s: {E: 70 GPa, nu: 0.3, density: 2700, rectangle: [5 mm, 5 mm]}}"
  print "run: {step: 1 ms, end: 1 s}"
  if (kind == "beam" || kind == "loads") {
    print "nodes: {a: [0, 0, 0], b: [100, 0, 0]}"
    print "elements: [beam: {name: it, from: a, to: b, section: s, elements: " n ", order: 1}]"
    print "joints: [clamp: {node: a}]"
    if (kind == "loads") {
      print "loads:"
      for (i = 0; i < n; i++) print "  - force: {node: it." i ", direction: [0, 0, 1]}"
    }
  } else if (kind == "beams") {
    print "joints: [clamp: {node: n0}]\nnodes:"
    for (i = 0; i <= n; i++) print "  n" i ": [" i / 100 ", 0, 0]"
    print "elements:"
    for (i = 0; i < n; i++) print "  - beam: {from: n" i ", to: n" i + 1 ", section: s}"
  } else if (kind == "formulae" || kind == "units") {
    print "let: {dx: 1 mm}\nmotion: {angular_velocity: [0, 0, dx/dx]}\nnodes:"
    for (i = 0; i < n; i++) {
      if (kind == "formulae") print "  n" i ": [" i "*dx, " i " + dx, sin(dx)]"
      else print "  n" i ": {at: [" i " mm, 3 cm, 1 m], velocity: [1 m/s, 2 km/h, 3 cm/s]}"
    }
    print "elements:"
    for (i = 0; i < n; i++) print "  - mass: {node: n" i ", mass: 1}"
  } else if (kind == "let") {
    print "let:"
    for (i = 0; i < n; i++) print "  p" i ": p" i + 1 "/2"
    print "  p" n ": 3 m"
  } else if (kind == "merge") {
    print "loads: &base"
    for (i = 0; i < n; i++) print "  a" i ": [0, 0, 0]"
    print "nodes:\n  <<: *base"
    for (i = 0; i < n; i++) print "  b" i ": [0, 0, 0]"
  } else if (kind == "twice") {
    print "nodes:"
    for (i = 0; i < n; i++) print "  a: [0, 0, 0]"
  } else {
    if (kind == "short") print "nodes: {a0: [0, 0, 0], a1: [0, 0, 0]}"
    print "elements:"
    for (i = 0; i < n; i++)
      if (kind == "short") print "  - beam: {from: a0, to: a1, section: s}"
      else print "  - beam: {from: a" i ", to: b" i ", section: s}"
  }
}
