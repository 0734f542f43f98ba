#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every source file is built, and waf (ns-3 up to 3.35) builds what CMake builds.

usage: test_build_lists.py BUILD_FOLDER
"""

import glob
import importlib.util
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "cmake"))
import railyard_waf  # noqa: E402

NESTED = railyard_waf.nested_modules(ROOT) + railyard_waf.optional_modules(ROOT)
FOLDERS = dict({"railyard": ROOT}, **{m: os.path.join(ROOT, "contrib", m) for m in NESTED})
BUILD = ""


class Record:
    """Stands for any waf object: remembers what a wscript sets."""

    def __init__(self, **attributes):
        self.__dict__.update(attributes)


class FakeEnv(dict):
    """waf's environment: absent names are empty lists."""

    def __missing__(self, key):
        return self.setdefault(key, [])

    def append_value(self, key, values):
        self[key] = self[key] + list(values)


class FakeNode:
    """waf's node of a folder."""

    def __init__(self, path):
        self.path = path

    def abspath(self):
        return self.path

    def find_dir(self, name):
        return FakeNode(os.path.join(self.path, name))


class FakeBuild:
    """The part of ns-3.35's build context that a module's wscript sees."""

    def __init__(self, path, siblings=()):
        self.path = FakeNode(path)
        self.env = FakeEnv(LIB_RAILYARD_GTEST=["gtest"], ENABLE_EXAMPLES=True)
        self.env["NS3_CONTRIBUTED_MODULES"] = ["ns3-" + name for name in siblings]
        self.modules, self.tests, self.programs, self.generators = {}, {}, [], []

    def create_ns3_module(self, name, dependencies=()):
        self.modules[name] = Record(
            dependencies=list(dependencies),
            use=["ns3-" + name for name in dependencies],
            env=FakeEnv(),
        )
        return self.modules[name]

    def create_ns3_module_test_library(self, name):
        self.tests[name] = Record(use=["ns3-" + name], env=FakeEnv())
        return self.tests[name]

    def create_ns3_program(self, name, dependencies=("core",)):
        self.programs.append(
            Record(name=name, use=["ns3-" + d for d in dependencies], env=FakeEnv())
        )
        return self.programs[-1]

    def recurse(self, folder):
        here = self.path
        self.path = here.find_dir(folder)
        load_wscript(self.path.abspath()).build(self)
        self.path = here

    def __call__(self, **attributes):
        self.generators.append(Record(**attributes))
        return self.generators[-1]

    def headers(self, module):
        return [
            g.source
            for g in self.generators
            if g.features == "ns3header" and g.module == module
        ][0]


def load_wscript(folder):
    """A wscript as a Python module."""
    path = os.path.join(folder, "wscript")
    loader = importlib.machinery.SourceFileLoader("wscript", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("wscript", loader))
    loader.exec_module(module)
    return module


def cmake_lists(name):
    """What CMake itself passed to build_lib: {key: [values]}."""
    lists = {}
    with open(os.path.join(BUILD, "modules", name + ".txt")) as file:
        for line in file:
            key, _, values = line.rstrip("\n").partition("=")
            lists[key] = [v for v in values.split(";") if v]
    return lists


def module_names(libraries):
    """Names of ns-3 modules among CMake's libraries: ns3::core, ns3::libcore, libfabric."""
    found = (re.match(r"(?:ns3::(?:lib)?|lib)([a-z][a-z0-9-]*)$", word) for word in libraries)
    return [match.group(1) for match in found if match]


def example_calls(folder):
    path = os.path.join(folder, "examples", "CMakeLists.txt")
    return railyard_waf.list_calls(path, "build_lib_example") if os.path.exists(path) else []


def examples_to_run(folder):
    """The commands that ns-3's test.py and CTest run."""
    lists = {"cpp_examples": []}
    path = os.path.join(folder, "test", "examples-to-run.py")
    if os.path.exists(path):
        with open(path) as file:
            exec(file.read(), lists)
    return [command for command, _, _ in lists["cpp_examples"]]


def result_folder(command):
    """Where a command of an example writes its results; empty for a program without any."""
    name, *options = command.split()
    program = os.path.join(BUILD, "examples", name)
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, check=True, text=True).stdout
    default = re.search(r"^ *--out:.*\[(.*)\]$", text, re.MULTILINE)
    given = [option[6:] for option in options if option.startswith("--out=")]
    return (given or [default.group(1)])[-1] if default else ""


def files(folder, *patterns):
    found = []
    for pattern in patterns:
        found += glob.glob(os.path.join(folder, pattern), recursive=True)
    return sorted(os.path.relpath(path, folder) for path in found)


def difference(on_disk, listed):
    """In words, which files lack a line and which lines lack a file; empty when all is well."""
    said = [path + " is not listed" for path in sorted(set(on_disk) - set(listed))]
    said += [path + " is listed and absent" for path in sorted(set(listed) - set(on_disk))]
    return said + [path + " is listed twice" for path in set(listed) if listed.count(path) > 1]


class BuildLists(unittest.TestCase):
    maxDiff = None

    def assert_listed(self, key, *patterns):
        for name, folder in FOLDERS.items():
            with self.subTest(module=name):
                listed = cmake_lists(name)[key]
                self.assertEqual(difference(files(folder, *patterns), listed), [])

    def test_every_source_file_is_listed(self):
        self.assert_listed("SOURCE_FILES", "model/**/*.cc", "helper/**/*.cc")

    def test_every_header_is_listed(self):
        self.assert_listed("HEADER_FILES", "model/**/*.h", "helper/**/*.h")

    def test_a_class_has_one_line(self):
        for name, folder in FOLDERS.items():
            path = os.path.join(folder, "CMakeLists.txt")
            (call,) = railyard_waf.list_calls(path, "railyard_module_files")
            implied = [source[:-3] + ".h" for source in call[""] if source.endswith(".cc")]
            with self.subTest(module=name):
                self.assertEqual([h for h in call[""] if h in implied], [], "the .cc will do")

    def test_every_test_is_listed(self):
        self.assert_listed("TEST_SOURCES", "test/**/*.cc")

    def test_headers_have_different_names(self):
        names = [os.path.basename(h) for m in FOLDERS for h in cmake_lists(m)["HEADER_FILES"]]
        self.assertEqual([n for n in set(names) if names.count(n) > 1], [], "all are ns3/<name>")

    def test_every_example_is_listed_and_run(self):
        for name, folder in FOLDERS.items():
            with self.subTest(module=name):
                calls = example_calls(folder)
                sources = [source for call in calls for source in call["SOURCE_FILES"]]
                on_disk = files(os.path.join(folder, "examples"), "**/*.cc")
                self.assertEqual(difference(on_disk, sources), [])
                names = {call["NAME"][0] for call in calls}
                hint = "every example has an entry in test/examples-to-run.py"
                self.assertEqual(names, {run.split()[0] for run in examples_to_run(folder)}, hint)

    def test_examples_write_to_folders_of_their_own(self):
        """test.py runs them at once in one place, and a run refuses a folder in use."""
        commands = [command for folder in FOLDERS.values() for command in examples_to_run(folder)]
        folders = [folder for folder in map(result_folder, commands) if folder]
        self.assertIn("railyard-out", folders)
        self.assertEqual([f for f in set(folders) if folders.count(f) > 1], [])


class Skips(unittest.TestCase):
    """GTEST_SKIP() leaves only the function that it stands in: in a helper it skips nothing."""

    SKIP = re.compile(r"\b(?:GTEST_SKIP|RAILYARD_NEED_\w+)\(\)")

    def misplaced(self, text):
        """The lines that skip outside the body of a test or of SetUp()."""
        wrong, function = [], ""
        for number, line in enumerate(text.splitlines(), 1):
            if re.match(r"(?:    )?(?!if|for|while|switch|return)\w[^;=]*\(.*[^;]$", line):
                function = line.strip()
            in_test = re.match(r"TEST(?:_F|_P)?\(|(?:void )?(?:\w+::)?SetUp\(\)", function)
            if self.SKIP.search(line) and not in_test:
                wrong.append(number)
        return wrong

    def test_finds_a_skip_in_a_helper(self):
        helper = "class A\n{\n    void Need()\n    {\n        if (x)\n        {\n"
        self.assertEqual(self.misplaced(helper + "            GTEST_SKIP();\n"), [7])
        test = "TEST_F(A, B)\n{\n    if (F(x))\n    {\n        GTEST_SKIP() << 1;\n    }\n}\n"
        self.assertEqual(self.misplaced(test), [])
        self.assertEqual(self.misplaced(test + "int\nF(int x)\n{\n    GTEST_SKIP();\n}\n"), [11])

    def test_tests_skip_themselves(self):
        for folder in FOLDERS.values():
            for path in files(folder, "test/**/*.cc", "test/**/*.h"):
                with self.subTest(file=path), open(os.path.join(folder, path)) as file:
                    text = re.sub(r"^(?: \*|#define(?:.*\\\n)*).*$", "", file.read(), flags=re.M)
                    self.assertEqual(self.misplaced(text), [])


class Dependencies(unittest.TestCase):
    def links(self, name):
        """The modules of ours that a module may include: itself and what it links."""
        found = {name}
        for other in module_names(cmake_lists(name)["LIBRARIES_TO_LINK"]):
            if other in FOLDERS:
                found |= self.links(other)
        return found

    def test_modules_include_only_what_they_link(self):
        owner = {}
        for name in FOLDERS:
            for header in cmake_lists(name)["HEADER_FILES"]:
                owner[os.path.basename(header)] = name
        wrong = []
        for name, folder in FOLDERS.items():
            allowed = self.links(name)
            for path in files(folder, "model/**/*.*", "helper/**/*.*", "test/**/*.*"):
                if not path.endswith((".cc", ".h")):
                    continue
                with open(os.path.join(folder, path)) as file:
                    included = re.findall(r'^#include [<"]ns3/([^>"]+)', file.read(), re.MULTILINE)
                wrong += [
                    "%s/%s includes %s of %s" % (name, path, header, owner[header])
                    for header in included
                    if owner.get(header, name) not in allowed
                ]
        self.assertEqual(wrong, [])


class Waf(unittest.TestCase):
    maxDiff = None

    def assert_same(self, build, name):
        lists = cmake_lists(name)
        module = build.modules[name]
        self.assertEqual(module.source, lists["SOURCE_FILES"])
        self.assertEqual(build.headers(name), lists["HEADER_FILES"])
        self.assertEqual(build.tests[name].source, lists["TEST_SOURCES"])
        self.assertEqual(module.dependencies, module_names(lists["LIBRARIES_TO_LINK"]))
        sqlite = any("libsqlite3" in word for word in lists["LIBRARIES_TO_LINK"])
        self.assertEqual(sqlite, "RAILYARD_SQLITE3" in module.use)
        self.assertEqual(name == "fabric", "RAILYARD_LIBXML2" in module.use)

    def test_clone_builds_all_modules_alike(self):
        build = FakeBuild(ROOT)
        load_wscript(ROOT).build(build)
        self.assertEqual(sorted(build.modules), sorted(FOLDERS))
        for name in FOLDERS:
            with self.subTest(module=name):
                self.assert_same(build, name)

    def test_linked_modules_are_left_to_waf(self):
        build = FakeBuild(ROOT, siblings=NESTED)
        load_wscript(ROOT).build(build)
        self.assertEqual(list(build.modules), ["railyard"])

    def test_examples_alike(self):
        build = FakeBuild(ROOT)
        load_wscript(ROOT).build(build)
        with open(os.path.join(BUILD, "examples.txt")) as file:
            self.assertEqual(sorted(p.name for p in build.programs), file.read().split())

    def test_unknown_library_is_refused(self):
        with self.assertRaises(ValueError):
            railyard_waf.dependencies(ROOT, ["${ZLIB_LIBRARIES}"])


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main()
