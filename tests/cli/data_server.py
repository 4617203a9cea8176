"""Serves one folder on 127.0.0.1 with byte ranges and entity tags, and can break off, for tests of attest data fetch.

Usage: data_server.py FOLDER PORT_FILE; the port is written to PORT_FILE. GET /cut/FILE sends half of what is asked for
and closes the connection; /plain/FILE ignores ranges; /moved/FILE redirects; /FILE answers properly. Requests are
written to FOLDER/../requests.log: path, range, status.
"""
import hashlib
import http.server
import os
import sys

folder, port_file = sys.argv[1], sys.argv[2]
log = os.path.join(os.path.dirname(os.path.abspath(folder)), "requests.log")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        manner, _, name = self.path.lstrip("/").rpartition("/")
        path = os.path.join(folder, os.path.basename(name))
        if manner == "moved":
            self.send_response(302)
            self.send_header("Location", "/" + name)
            self.end_headers()
            return
        if not os.path.isfile(path):
            self.send_error(404)
            return
        with open(path, "rb") as file:
            content = file.read()
        tag = '"%s"' % hashlib.sha256(content).hexdigest()[:16]
        first, status = 0, 200
        asked = self.headers.get("Range")
        if asked and manner != "plain" and self.headers.get("If-Range", tag) == tag:
            first = int(asked.removeprefix("bytes=").split("-")[0])
            status = 206 if first < len(content) else 416
        with open(log, "a") as file:
            file.write("%s %s %d\n" % (self.path, asked, status))
        self.send_response(status)
        if status == 416:
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(content) - first))
        if status == 206:
            self.send_header("Content-Range", "bytes %d-%d/%d" % (first, len(content) - 1, len(content)))
        self.end_headers()
        rest = content[first:]
        try:
            self.wfile.write(rest[: len(rest) // 2] if manner == "cut" else rest)
        except ConnectionError:
            pass  # a client that gets no range hangs up and asks anew

    def log_message(self, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(port_file + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(port_file + ".new", port_file)
server.serve_forever()
