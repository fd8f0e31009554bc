# SPDX-License-Identifier: Apache-2.0
"""What the pages of a folder take from elsewhere: scripts, styles, pictures, fonts, frames. Links that a reader follows do not count."""
import os
import re
import sys
from html.parser import HTMLParser

STYLE = re.compile(r"""(?:@import\s+(?:url\()?|url\()\s*["']?((?:https?:)?//[^"')\s;]+)""")


class Requests(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            taken = name in ("src", "srcset", "poster", "data") or name == "href" and tag in ("link", "use", "image")
            if taken and re.match(r"(https?:)?//", value or ""):
                self.found.append(value)


def main():
    for folder, _, names in sorted(os.walk(sys.argv[1])):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith((".html", ".css")):
                continue
            with open(path) as f:
                text = f.read()
            page = Requests()
            if name.endswith(".html"):
                page.feed(text)
            for address in page.found + STYLE.findall(text):
                print(f"{path}: {address}")


main()
