# SPDX-License-Identifier: Apache-2.0
"""Chapters of the theory in a browser: python3 pages.py CHAPTER.html ... tells of each how many formulas it has and, on
further lines, what is wrong: a formula that is not drawn, an error of TeX, an equation wider than the page or over its
number, an error of a script, a request to a server."""
import os
import sys

from browser import Page

READY = """document.readyState == 'complete' && (!document.querySelector('.math') ||
  window.MathJax && MathJax.isReady && !MathJax.Hub.queue.pending && !MathJax.Hub.queue.running)"""
LOOK = """(() => {
  const wrong = [], all = [...document.querySelectorAll('.math')];
  for (const f of all) {
    const svg = f.querySelector('svg'), number = f.querySelector('.eqno'), name = f.id || f.textContent;
    if (!svg || svg.getBoundingClientRect().width == 0) wrong.push('not drawn: ' + name);
    if (f.querySelector('.noError, .MathJax_Error, [data-mathml*="merror"], [data-mathml*=\\'mathcolor="red"\\']'))
      wrong.push('error of TeX: ' + name);
    if (f.scrollWidth > f.clientWidth + 1 && f.tagName == 'DIV') wrong.push('too wide: ' + name);
    if (svg && number && svg.getBoundingClientRect().right > number.getBoundingClientRect().left) wrong.push('over its number: ' + name);
  }
  return {formulas: all.length, wrong};
})()"""


def main():
    address = ["file://" + os.path.abspath(path) for path in sys.argv[1:]]
    with Page(address[0], width=1200, height=1600, wait=READY) as page:
        for path, here in zip(sys.argv[1:], address):
            if here != address[0]:
                page.errors.clear()
                page.open(here, f"location.href == {here!r} && {READY}")
            found = page.value(LOOK)
            print(os.path.basename(path), found["formulas"], "formulas")
            for text in found["wrong"] + page.errors:
                print("  " + text)


main()
