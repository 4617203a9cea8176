#!/usr/bin/env python3
"""The GitHub action, the GitLab template and the container recipe: read, and the shell of their steps run here.

Usage: ci.py ATTEST_PROGRAM SOURCE_FOLDER. Exit 77 without PyYAML and NumPy.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import numpy  # noqa: F401
    import yaml
except ImportError:
    print("skipped: python3-yaml and python3-numpy are not installed")
    sys.exit(77)

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
CI = SOURCE / "packaging" / "ci"
KERNEL = """
import numpy


def wrong(q, k, v):
    weights = numpy.exp(q @ numpy.swapaxes(k, -1, -2))
    return weights / weights.sum(-1, keepdims=True) @ v
"""


class Steps(unittest.TestCase):
    """Steps run in a folder with a kernel and a paper; `sudo` and `apt-get` note what they are asked for."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="attest-ci-"))
        self.addCleanup(shutil.rmtree, self.folder)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "attest").symlink_to(PROGRAM)
        for name, text in (("sudo", 'exec "$@"'), ("apt-get", f'echo "$@" >> "{self.folder}/asked"')):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        (self.folder / "kernels.py").write_text(KERNEL)
        shutil.copy(SOURCE / "tests" / "data" / "note.attest", self.folder)
        (self.folder / "attest_0.1.0_amd64.deb").write_text("")
        self.environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")

    def shell(self, text, shell, **environment):
        return subprocess.run([shell, "-eo" if shell == "bash" else "-e", *(["pipefail"] if shell == "bash" else []), "-c", text],
                              cwd=self.folder, env={**self.environment, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def expect_results(self, folder):
        self.assertTrue(json.loads((folder / "judge.json").read_text())["findings"])
        self.assertTrue(json.loads((folder / "judge.sarif").read_text())["runs"][0]["results"])
        self.assertIsNotNone(xml.etree.ElementTree.parse(folder / "judge.xml").find(".//failure"))

    def test_github(self):
        action = yaml.safe_load((CI / "github" / "action.yml").read_text())
        self.assertEqual(action["runs"]["using"], "composite")
        given = {"target": "python:kernels.py:wrong", "python": sys.executable, "paper": "note.attest",
                 "package": "attest_0.1.0_amd64.deb", "settings": "masked_nan=spreads"}
        inputs = {name: given.get(name, each["default"]) for name, each in action["inputs"].items()}
        codes = []
        for step in action["runs"]["steps"]:
            if "run" not in step:
                self.assertRegex(step["uses"], r"^[\w.-]+/[\w./-]+@v\d+$")
                continue
            # An expression inside a script would run what an input holds.
            self.assertNotIn("${{", step["run"])
            self.assertEqual(step["shell"], "bash")
            environment = {name: inputs[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]]
                           for name, value in step.get("env", {}).items()}
            done = self.shell(step["run"], "bash", **environment)
            codes.append(done.returncode)
            print(f"{step['name']}: exit {done.returncode}\n{done.stdout}")
        self.assertEqual(codes, [0, 1, 0])
        self.expect_results(self.folder / "attest-results")
        self.assertTrue((self.folder / "attest-results" / "paper" / "report.html").exists())
        paper = json.loads((self.folder / "attest-results" / "paper.sarif").read_text())
        self.assertEqual(paper["runs"][0]["results"], [], "every verdict is the expected one")
        self.assertIn("attest_0.1.0_amd64.deb", (self.folder / "asked").read_text())

    def test_gitlab(self):
        jobs = yaml.safe_load((CI / "attest.gitlab-ci.yml").read_text())
        self.assertEqual(set(jobs), {".attest", ".attest-judge", ".attest-paper"})
        base = jobs[".attest"]
        for job, code, given in ((".attest-judge", 1, {"ATTEST_TARGET": "python:kernels.py:wrong", "ATTEST_PYTHON": sys.executable}),
                                 (".attest-paper", 0, {"ATTEST_PAPER": "note.attest"})):
            self.assertEqual(jobs[job]["extends"], ".attest")
            variables = {**base["variables"], **jobs[job]["variables"], "ATTEST_PACKAGE": "attest_0.1.0_amd64.deb", **given}
            # GitLab hands a job's lines to one shell, dash in Debian's image.
            done = self.shell("\n".join(base["before_script"] + jobs[job]["script"]), "sh", **variables)
            self.assertEqual(done.returncode, code, done.stdout)
            junit = jobs[job]["artifacts"]["reports"]["junit"].replace("$ATTEST_OUT", variables["ATTEST_OUT"])
            self.assertTrue((self.folder / junit).exists(), junit)
        self.expect_results(self.folder / "attest-results")

    def test_the_container_takes_the_package_that_cpack_makes(self):
        recipe = (SOURCE / "packaging" / "oci" / "Containerfile").read_text()
        copied = re.findall(r"^COPY (\S+) (\S+)$", recipe, re.MULTILINE)
        self.assertEqual(copied, [("attest_*.deb", "/tmp/")])
        self.assertTrue(list(self.folder.glob(copied[0][0])))
        steps = re.search(r"^RUN (.*?)^WORKDIR", recipe, re.MULTILINE | re.DOTALL)[1].replace("\\\n", "")
        done = self.shell(steps.replace("rm -rf /var/lib/apt/lists/*", "true"), "sh", REPORT="yes")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("gnuplot-nox", (self.folder / "asked").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
