# SPDX-License-Identifier: Apache-2.0
# report.py PAGE WORD...: what a page of `limber report` or `limber compare` holds, for the scripts.
#   whole        "whole" if every tag is closed in order; else what is wrong
#   outside      what the page would fetch from elsewhere
#   table WORD   the rows of tables whose first cell that is no verdict begins with WORD: numbers with all digits
#   charts       how many there are
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "path", "rect", "circle"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.outside, self.rows, self.charts = [], [], [], [], 0
        self.cell = None

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        for key in ("src", "href", "xlink:href", "data", "action"):
            if key in a and not a[key].startswith("data:"):
                self.outside.append(a[key])
        if tag in ("script", "iframe", "link", "object", "embed"):
            self.outside.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.cell = a.get("title")
            self.rows[-1].append("")
        self.charts += tag == "svg"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</%s> at %s closes nothing" % (tag, self.getpos()))
        if tag in ("td", "th"):
            if self.cell is not None:
                self.rows[-1][-1] = self.cell
            self.cell = None

    def handle_data(self, data):
        if self.rows and self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        if self.open and self.open[-1] == "style":
            self.outside += re.findall(r"url\(|@import", data)


p = Page()
p.feed(open(sys.argv[1], encoding="utf-8").read())
p.close()
word = sys.argv[2]
if word == "whole":
    print("; ".join(p.wrong) or ("open: " + " ".join(p.open) if p.open else "whole"))
elif word == "outside":
    print(" ".join(p.outside) or "nothing")
elif word == "charts":
    print(p.charts)
elif word == "table":
    for row in p.rows:
        if row and row[0].startswith(sys.argv[3]):
            print(",".join(row[1:]))
