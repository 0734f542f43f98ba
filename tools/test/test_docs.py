#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks what the documents show: commands run, code is that of the file it names, links lead somewhere.

Usage: test_docs.py BUILD_FOLDER
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.abspath(sys.argv.pop()) if len(sys.argv) > 1 else os.path.join(ROOT, "build")
LONG = {"llm-training-example"}  # stopped at once: the example tests run it to its end
ASKS = {"--help", "--list", "--attributes"}  # print something instead of a run


def documents():
    """Every Markdown file of the repository."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [f for f in folders if not f.startswith((".", "build", "out", "scratch"))]
        for name in files:
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def blocks(path, language):
    """The code blocks of one language in a document."""
    with open(path, encoding="utf-8") as document:
        return re.findall(r"^```" + language + r"\n(.*?)^```", document.read(), re.M | re.S)


def run_commands():
    """Every `./ns3 run` in a shell block: (document, words of the example's command line).

    After `cp examples/X.cc scratch/Y.cc` in the same block, Y stands for X, which is built.
    """
    for path in documents():
        for block in blocks(path, "sh"):
            copies = {}
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line, comments=True)
                copy = re.fullmatch(r"cp examples/(\S+)\.cc scratch/(\S+)\.cc", " ".join(words))
                if copy:
                    copies[copy.group(2)] = copy.group(1)
                if words[:2] != ["./ns3", "run"]:
                    continue
                example = shlex.split(words[2])
                example[0] = copies.get(example[0], example[0])
                yield path, example + [w for w in words[3:] if w != "--"]


def verbs():
    """Every other `./ns3 VERB` in a document: (document, verb)."""
    for path in documents():
        with open(path, encoding="utf-8") as document:
            for verb in re.findall(r"\./ns3 ([a-z]+)", document.read()):
                yield path, verb


def tests_with_a_case():
    """The case ids in the names of the tests: H01, ..."""
    found = set()
    for pattern in ("test/*.cc", "contrib/*/test/*.cc"):
        for path in glob.glob(os.path.join(ROOT, pattern)):
            with open(path, encoding="utf-8") as file:
                found |= set(re.findall(r"^TEST\w*\(\w+,\s*(H\d\d)", file.read(), re.M))
    return found


def tests_by_name():
    """The tests in C++ as Suite.Name."""
    found = set()
    for pattern in ("test/*.cc", "contrib/*/test/*.cc"):
        for path in glob.glob(os.path.join(ROOT, pattern)):
            with open(path, encoding="utf-8") as file:
                for suite, name in re.findall(r"^TEST\w*\(\s*(\w+),\s*(\w+)", file.read(), re.M):
                    found.add(suite + "." + name)
    return found


def executable(name):
    """Where the build put an example, or None."""
    for folder in ("examples", "bin"):
        path = os.path.join(BUILD, folder, name)
        if os.access(path, os.X_OK):
            return path
    return None


class Documents(unittest.TestCase):
    def test_commands_run(self):
        commands = list(run_commands())
        self.assertTrue(commands)
        for path, words in commands:
            with self.subTest(document=os.path.relpath(path, ROOT), command=words):
                program = executable(words[0])
                self.assertIsNotNone(program, "no such example in the build")
                if any("FILE" in w for w in words):
                    continue
                stops = words[0] in LONG and not ASKS & {w.partition("=")[0] for w in words}
                words = words + (["--stop=10us"] if stops else [])
                with tempfile.TemporaryDirectory() as folder:
                    done = subprocess.run([program] + words[1:], cwd=folder, timeout=120,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 1 if stops else 0, done.stderr.decode())

    def test_own_scenario_is_the_file(self):
        with open(os.path.join(ROOT, "examples", "own-scenario-example.cc"), encoding="utf-8") as file:
            code = file.read()
        shown = blocks(os.path.join(ROOT, "README.md"), "cpp")
        self.assertEqual(len(shown), 1)
        self.assertEqual(shown[0], code[code.index("#include"):])

    def test_verbs_exist(self):
        with open(os.path.join(ROOT, "tools", "front_end.py"), encoding="utf-8") as file:
            known = set(re.findall(r"verb\((\w+), ", file.read()))
        for path, verb in verbs():
            with self.subTest(document=os.path.relpath(path, ROOT)):
                self.assertIn(verb, known)

    def test_cases_are_explained(self):
        with open(os.path.join(ROOT, "doc", "cases.md"), encoding="utf-8") as file:
            cases = dict(re.findall(r"^\| (H\d\d) \| (.+) \|$", file.read(), re.M))
        tested = tests_with_a_case()
        self.assertTrue(tested)
        self.assertEqual(sorted(tested - set(cases)), [], "not in doc/cases.md")
        untested = {case for case, text in cases.items() if text.endswith("(no test yet)")}
        self.assertEqual(sorted(set(cases) - tested), sorted(untested))

    def test_faults_have_tests(self):
        with open(os.path.join(ROOT, "doc", "faults.md"), encoding="utf-8") as file:
            rows = re.findall(r"^\| (F\d\d) \|[^|]*\| ([^|]*) \| ([^|]*)\|$", file.read(), re.M)
        self.assertEqual([row[0] for row in rows], ["F%02d" % i for i in range(1, 36)])
        known = tests_by_name()
        named = {}
        for fault, holds, cell in rows:
            tests = re.findall(r"`(\w+\.\w+)`", cell)
            self.assertTrue(tests or holds.startswith("does not apply: "), fault)
            self.assertEqual([test for test in tests if test not in known], [], fault)
            named.update((test, fault) for test in tests)
        numbered = {test: test.partition(".")[2][:3] for test in known
                    if re.match(r"\w+\.F\d\d[A-Z]", test)}
        self.assertTrue(numbered)
        for test, fault in numbered.items():
            self.assertEqual(named.get(test), fault, test + " is not in doc/faults.md")

    def test_links(self):
        for path in documents():
            with open(path, encoding="utf-8") as document:
                text = re.sub(r"```.*?```", "", document.read(), flags=re.S)
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if "://" not in target:
                    with self.subTest(document=os.path.relpath(path, ROOT), link=target):
                        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), target)))


if __name__ == "__main__":
    unittest.main()
