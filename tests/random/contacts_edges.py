#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scenes of contacts.py, with points along the edges of boxes and more points along beams, which meet themselves.

    contacts_edges.py --count 60 --jobs 2
"""
import sys

import contacts

plain = contacts.scene


def scene(seed, hard=False):
    lines, row = plain(seed, hard)
    return [s.replace("rounding: 0.04}", "rounding: 0.04, points: 5}").replace("radius: 0.03}", "radius: 0.03, points: 6, self_contact: 0.15}")
            for s in lines], row


contacts.scene = scene
if __name__ == "__main__":
    sys.exit(contacts.main())
