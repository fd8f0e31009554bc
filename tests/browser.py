# SPDX-License-Identifier: Apache-2.0
"""A page in headless Chromium, through its debugging pipe: no package but Chromium itself is needed."""
import base64
import json
import os
import shutil
import subprocess
import tempfile


class Page:
    """with Page("file:///tmp/swing.html") as p: p.value("document.title")"""

    def __init__(self, address, width=800, height=500, wait="window.limber && limber.ready"):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        if not program:
            raise SystemExit("Chromium is missing: apt-get install chromium")
        self.folder = tempfile.mkdtemp()
        read, self.to = os.pipe()
        self.back, write = os.pipe()

        def wire():
            a, b = os.dup(read), os.dup(write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             "--disable-background-networking", f"--window-size={width},{height}",
             f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=wire, close_fds=False, env={**os.environ, "TMPDIR": self.folder}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self.rest, self.number, self.session, self.errors = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.open(address, wait)

    def open(self, address, wait):
        self.call("Page.navigate", url=address)
        for _ in range(600):
            if self.value(f"!!({wait})"):
                return
            self.value("new Promise(r => setTimeout(r, 100))")
        raise SystemExit(f"{address} was not ready; {self.errors}")

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.back, 1 << 20)
            if not part:
                raise SystemExit("Chromium ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]
            self.notice(answer)

    def notice(self, m):
        """Errors of the page, and what it asks the network for."""
        p = m.get("params", {})
        if m.get("method") == "Runtime.exceptionThrown":
            d = p["exceptionDetails"]
            self.errors.append(d.get("exception", {}).get("description") or d["text"])
        elif m.get("method") == "Runtime.consoleAPICalled" and p["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
        elif m.get("method") == "Log.entryAdded" and p["entry"]["level"] == "error":
            self.errors.append(p["entry"]["text"])
        elif m.get("method") == "Network.requestWillBeSent" and p["request"]["url"].startswith("http"):
            self.errors.append("network: " + p["request"]["url"])

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            d = result["exceptionDetails"]
            raise SystemExit(f"{expression}: {d.get('exception', {}).get('description', d['text'])}")
        return result["result"].get("value")

    def dark(self, on=True):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)  # it ends then
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
