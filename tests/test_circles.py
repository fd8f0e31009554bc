# SPDX-License-Identifier: Apache-2.0
"""Circles of files that include each other; x.c and x.h are one. A circle can only be understood as a whole."""
import re

from support import source

MOST = 6


def includes(folder):
    """The files that each file of a tree includes, all without their endings."""
    found = {}
    for path in sorted([*folder.rglob("*.c"), *folder.rglob("*.h")]):
        names = re.findall(r'^\s*#\s*include "([^"]+)\.h"', path.read_text(), re.MULTILINE)
        found.setdefault(str(path.relative_to(folder).with_suffix("")), set()).update(names)
    return {name: {other for other in others if other in found and other != name} for name, others in found.items()}


def reached(graph, start):
    """All that can be reached from the files that a file includes."""
    seen, waiting = set(), list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(graph[name])
    return seen


def circles(folder):
    """Circles as sorted lists of names, the largest first."""
    graph = includes(folder)
    below = {name: reached(graph, name) for name in graph}
    found = {tuple(sorted(other for other in below[name] if name in below[other])) for name in graph}
    return sorted((list(circle) for circle in found if circle), key=len, reverse=True)


def test_no_circle_of_files_that_include_each_other_is_large():
    assert [circle for circle in circles(source / "src") if len(circle) > MOST] == []


def test_a_circle_is_found_through_headers_and_sources(tmp_path):
    texts = {"a/one.h": "", "a/one.c": '#include "a/one.h"\n#include "a/two.h"\n', "a/two.h": '#include "b/three.h"\n',
             "b/three.h": "#include <stdio.h>\n", "b/three.c": '  # include "a/one.h"\n',
             "b/four.c": '#include "a/one.h"\n'}
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert circles(tmp_path) == [["a/one", "a/two", "b/three"]]
