"""A headless Chromium, driven over its debugging pipe: nothing but Python's standard library is needed."""
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--remote-debugging-pipe", "about:blank"]


def program():
    """The browser's path, or None."""
    return next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)


class Browser:
    """One page of one browser. Messages of the console and errors of scripts gather in `messages`."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="attest-chromium-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def connect():
            # The browser reads its commands from descriptor 3 and answers on 4. The pipes may have these numbers.
            high_in, high_out = os.dup(to_browser), os.dup(from_browser)
            while high_in < 10:
                high_in = os.dup(high_in)
            while high_out < 10:
                high_out = os.dup(high_out)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen([program(), f"--user-data-dir={self.profile}", *FLAGS], preexec_fn=connect,
                                        close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.messages, self.events = b"", 0, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    session = None

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.next_message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def next_message(self):
        while b"\0" not in self.buffer:
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        method, parameters = message.get("method", ""), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.messages.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])
        elif method:
            self.events.append(method)
        return message

    def open(self, address, width=1400, height=1000, dark=False, media=""):
        """Shows the page and waits until it is loaded and its formulas in sight are set."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=address)
        self.settle()

    def settle(self):
        deadline = time.monotonic() + 60
        loaded = "document.readyState == 'complete' && location.href != 'about:blank'"
        rest = "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 150)))"
        # A page that is left while it is asked answers with an error: then the next one is asked.
        while not (self.answer(loaded) and self.answer(rest)):
            if time.monotonic() > deadline:
                raise RuntimeError("the page is not loaded after 60 s")
            time.sleep(0.02)

    def answer(self, expression):
        """What `evaluate` gives; None where the page went away meanwhile."""
        try:
            return self.evaluate(expression)
        except RuntimeError as failure:
            if "context" not in str(failure) and "navigated" not in str(failure):
                raise
            return None

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", "an error"))
        return result["result"].get("value")

    def picture(self, file, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def printed(self):
        """The page as a PDF file's bytes."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
