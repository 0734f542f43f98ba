#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The ns3 front end: packages, command lines and filters. Nothing is built or installed."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools"))
import front_end as ns3  # noqa: E402
import packages  # noqa: E402


class Packages(unittest.TestCase):
    def ensure(self, missing, needed=(), apt=("apt-get",), answer=True, installs=True):
        """Runs ensure_packages on a machine that lacks `missing`; returns what was installed."""
        installed = []

        def install(_, wanted):
            if installs:
                installed.extend(wanted)
            return installs

        with contextlib.ExitStack() as stack:
            for name, value in {
                "missing_packages": lambda: [p for p in missing if p not in installed],
                "apt_command": lambda: list(apt) if apt else None,
                "may_install": lambda wanted: answer,
                "apt_install": install,
            }.items():
                stack.enter_context(mock.patch.object(packages, name, value))
            packages.ensure_packages(needed)
        return installed

    def test_nothing_missing(self):
        self.assertEqual(self.ensure([]), [])

    def test_installs_all_that_is_missing(self):
        self.assertEqual(self.ensure(["cmake", "ccache"]), ["cmake", "ccache"])

    def test_optional_packages_alone_are_no_reason(self):
        self.assertEqual(self.ensure(["ccache", "libgtest-dev"]), [])
        self.assertEqual(self.ensure(["libgtest-dev"], ["libgtest-dev"]), ["libgtest-dev"])

    def test_fuzzer_is_the_compiler_and_its_library(self):
        installed = []

        def missing():
            return [p for p in ("clang", "libclang-rt-14-dev") if p not in installed][:1]

        with contextlib.ExitStack() as stack:
            for name, value in {
                "missing_fuzzer": missing,
                "apt_command": lambda: ["apt-get"],
                "may_install": lambda wanted: True,
                "apt_install": lambda _, wanted: installed.extend(wanted) or True,
            }.items():
                stack.enter_context(mock.patch.object(packages, name, value))
            packages.ensure_fuzzer()
            self.assertEqual(installed, ["clang", "libclang-rt-14-dev"])
            installed.clear()
            stack.enter_context(mock.patch.object(packages, "may_install", lambda wanted: False))
            with self.assertRaisesRegex(packages.Failure, "apt-get install clang"):
                packages.ensure_fuzzer()

    def test_says_what_to_install_by_hand(self):
        for circumstances in ({"apt": None}, {"answer": False}, {"installs": False}):
            with self.assertRaises(packages.Failure) as raised:
                self.ensure(["cmake", "libns3-dev", "ccache"], **circumstances)
            self.assertIn("\n    apt-get install cmake libns3-dev", str(raised.exception))

    def test_asks_only_on_a_terminal(self):
        terminal = io.StringIO("n\n")
        terminal.isatty = lambda: True
        with mock.patch.object(sys, "stdin", terminal), contextlib.redirect_stderr(io.StringIO()):
            with mock.patch.dict(os.environ, {"CI": ""}):
                self.assertFalse(packages.may_install(["cmake"]))
            with mock.patch.dict(os.environ, {"CI": "true"}):
                self.assertTrue(packages.may_install(["cmake"]))
        with mock.patch.object(sys, "stdin", io.StringIO()):
            self.assertTrue(packages.may_install(["cmake"]))
            with mock.patch.dict(os.environ, {"CI": "true", "RAILYARD_INSTALL": "no"}):
                self.assertFalse(packages.may_install(["cmake"]))

    def test_without_root_and_sudo_there_is_no_apt(self):
        with mock.patch.object(os, "geteuid", lambda: 1000):
            with mock.patch.object(packages.shutil, "which", lambda p: p if p == "apt-get" else None):
                self.assertIsNone(packages.apt_command())


class CommandLine(unittest.TestCase):
    def run_words(self, *words, start=None):
        """The command that `./ns3 run ...` becomes, without building."""
        became = []
        lists = {
            "examples": ["a-example", "b-example"],
            "scratch": ["mine", "b-example", "sub/main"],
        }
        with contextlib.ExitStack() as stack:
            for owner, name, value in (
                (ns3, "ensure_packages", lambda needed=(): None),
                (ns3, "ensure_configured", lambda: "/nowhere"),
                (ns3, "active_folder", lambda: "/nowhere"),
                (ns3, "build_targets", lambda *args: self.built.extend(args[1])),
                (ns3, "listed", lambda folder, kind: lists[kind]),
                (ns3.os.path, "exists", lambda path: True),
                (ns3.os, "execv", start or (lambda program, words: became.extend(words))),
                (ns3.sys, "argv", ["ns3", "run"] + list(words)),
            ):
                stack.enter_context(mock.patch.object(owner, name, value))
            ns3.main()
        return became

    def setUp(self):
        self.built = []

    def refusal(self, *words, **options):
        """What `./ns3 run ...` says before it ends with status 1."""
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr), self.assertRaises(SystemExit) as status:
            self.run_words(*words, **options)
        self.assertEqual(status.exception.code, 1)
        return stderr.getvalue()

    def test_run_passes_arguments_in_every_form(self):
        expected = ["/nowhere/examples/a-example", "--x=1", "--y=2 3"]
        self.assertEqual(self.run_words("a-example --x=1 '--y=2 3'"), expected)
        self.assertEqual(self.run_words("a-example", "--", "--x=1", "--y=2 3"), expected)
        self.assertEqual(self.run_words("a-example", "--x=1", "--y=2 3"), expected)
        self.assertEqual(self.run_words("a-example --x=1", "--", "--y=2 3"), expected)

    def test_name_after_the_dashes(self):
        self.assertEqual(
            self.run_words("--no-build", "--", "a-example", "--x=1"),
            ["/nowhere/examples/a-example", "--x=1"],
        )
        self.assertIn("run what?", self.refusal("--no-build"))

    def test_unknown_example_is_one_line(self):
        self.assertEqual(
            self.refusal("c-example"),
            "ns3: no example or script 'c-example'; there are: a-example, b-example, "
            "scratch/mine, scratch/b-example, scratch/sub/main\n",
        )
        self.assertEqual(self.built, ["build.ninja"])

    def test_no_build_builds_nothing(self):
        self.run_words("--no-build", "a-example")
        self.refusal("--no-build", "c-example")
        self.assertEqual(self.built, [])

    def test_own_scripts(self):
        for word in ("mine", "mine.cc", "scratch/mine", "scratch/mine.cc", "./scratch/mine.cc"):
            self.assertEqual(self.run_words(word), ["/nowhere/scratch/mine"])
        self.assertEqual(set(self.built), {"scratch_mine"})
        for word in ("main", "sub", "sub/main", "scratch/sub", "scratch/sub/main.cc"):
            self.assertEqual(self.run_words(word), ["/nowhere/scratch/sub/main"])
        self.assertEqual(self.built[-1], "scratch_sub_main")

    def test_ambiguous_name_is_refused(self):
        self.assertEqual(
            self.refusal("b-example"),
            "ns3: 'b-example' may mean examples/b-example or scratch/b-example: say which\n",
        )
        for word in ("examples/b-example", "scratch/b-example"):
            self.assertEqual(self.run_words(word), ["/nowhere/" + word])

    def test_program_that_cannot_start_is_one_line(self):
        def start(program, words):
            raise PermissionError(13, "Permission denied")

        self.assertEqual(
            self.refusal("a-example", start=start),
            "ns3: cannot start examples/a-example: Permission denied\n",
        )

    def test_build_folders(self):
        self.assertEqual(ns3.folder_name("optimized", False), "build")
        self.assertEqual(ns3.folder_name("debug", True), "build-debug-sanitizers")

    def test_all_build_folders_are_known(self):
        names = ["build", "build-sanitizers", "build-debug", "build-debug-sanitizers", "build-fuzz"]
        self.assertEqual(ns3.all_folder_names(), names)

    def test_fuzzing_in_debug_is_refused_before_anything_is_installed(self):
        def install(needed=()):
            self.fail("packages were asked for")

        args = ns3.parser().parse_args(["configure", "-d", "debug", "--enable-fuzzing"])
        with mock.patch.object(ns3, "ensure_packages", install):
            with self.assertRaisesRegex(ns3.Failure, "no debug profile"):
                ns3.configure(args, [])

    def test_options_of_a_build_folder(self):
        def options(name):
            done = mock.Mock(returncode=0)
            with mock.patch.object(ns3.subprocess, "run", return_value=done) as run:
                ns3.configure_folder("/nowhere/" + name)
            return [word for word in run.call_args.args[0] if word.startswith("-D")]

        release = ["-DCMAKE_BUILD_TYPE=Release"]
        self.assertEqual(options("build"), release + ["-DRAILYARD_SANITIZERS=OFF"])
        self.assertEqual(options("build-sanitizers"), release + ["-DRAILYARD_SANITIZERS=ON"])
        self.assertEqual(
            options("build-fuzz"), release + ["-DRAILYARD_SANITIZERS=ON"] + ns3.FUZZ_OPTIONS
        )


class Filters(unittest.TestCase):
    def selected(self, text, names):
        options = ns3.ctest_selection(text)
        positive = options[options.index("-R") + 1] if "-R" in options else ""
        negative = options[options.index("-E") + 1] if "-E" in options else "$^"
        return [n for n in names if re.search(positive, n) and not re.search(negative, n)]

    def test_filters(self):
        names = ["FabricA.One", "FabricA.H11Two", "RoceB.One"]
        self.assertEqual(self.selected("H11", names), ["FabricA.H11Two"])
        self.assertEqual(self.selected("^Fabric.*One", names), ["FabricA.One"])
        self.assertEqual(self.selected("*.One", names), ["FabricA.One", "RoceB.One"])
        self.assertEqual(self.selected("*-Roce*", names), ["FabricA.One", "FabricA.H11Two"])
        self.assertEqual(self.selected("FabricA.One:RoceB.?ne", names), [names[0], names[2]])
        self.assertEqual(ns3.ctest_selection("roce"), ["-L", "^roce$"])


class Skips(unittest.TestCase):
    REPORT = """<testsuite><testcase name="A" status="run"/>
        <testcase name="B" status="notrun"><skipped/><system-out>[ RUN ] B
/x/b-test.cc:9: Skipped
no folder of real files

[  SKIPPED ] B</system-out></testcase>
        <testcase name="C" status="notrun"><skipped/><system-out>c.cc:9: Skipped
no folder of real files
</system-out></testcase>
        <testcase name="D" status="notrun"><skipped/></testcase></testsuite>"""

    def report(self, forbidden):
        stderr = io.StringIO()
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(self.REPORT)
            file.flush()
            with contextlib.redirect_stderr(stderr):
                return ns3.report_skips(file.name, forbidden), stderr.getvalue()

    def test_says_how_many_and_why(self):
        failed, said = self.report(None)
        self.assertFalse(failed)
        self.assertEqual(
            said,
            "ns3: 2 tests skipped: no folder of real files\n"
            "ns3: 1 test skipped: no reason given\n",
        )

    def test_fails_on_what_may_not_be_skipped(self):
        self.assertFalse(self.report("tshark")[0])
        self.assertTrue(self.report("tshark|real files")[0])


class Benchmarks(unittest.TestCase):
    def test_leaves_out_the_remark_about_the_library(self):
        script = "import sys; sys.stderr.write('x\\n***WARNING*** Library was built as DEBUG.\\n'); sys.exit(3)"
        stderr = io.StringIO()
        with contextlib.redirect_stderr(stderr):
            self.assertEqual(ns3.benchmark([sys.executable, "-c", script]), 3)
        self.assertEqual(stderr.getvalue(), "x\n")


class Scratch(unittest.TestCase):
    """What CMake makes of a folder of own scripts; nothing is compiled."""

    def test_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            scratch, build = os.path.join(folder, "scratch"), os.path.join(folder, "build")
            os.makedirs(os.path.join(scratch, "sub"))
            for path, text in {
                "mine.cc": "int\nmain(int argc, char* argv[])\n{\n}\n",
                "part.cc": "void F() { x.main(); domain(); }\n",
                "sub/a.cc": "void G() {}\n",
                "sub/prog.cc": "int main() {}\n",
            }.items():
                with open(os.path.join(scratch, path), "w") as file:
                    file.write(text)
            command = ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DENABLE_TESTS=OFF"]
            done = subprocess.run(
                command + ["-DRAILYARD_SCRATCH_DIR=" + scratch], capture_output=True, text=True
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(ns3.listed(build, "scratch"), ["mine", "sub/prog"])
            ninja = ["ninja", "-C", build, "-t", "query", "scratch/sub/prog"]
            links = subprocess.run(ninja, capture_output=True, text=True).stdout
            self.assertIn("a.cc.o", links)
            self.assertIn("prog.cc.o", links)
            self.assertIn("libns3-railyard.so", links)


class Link(unittest.TestCase):
    def link(self, tree):
        command = [os.path.join(ROOT, "ns3"), "link", tree]
        return subprocess.run(command, capture_output=True, text=True)

    def test_links_root_and_modules_side_by_side_again_and_again(self):
        with tempfile.TemporaryDirectory() as tree:
            os.makedirs(os.path.join(tree, "src", "core"))
            os.mkdir(os.path.join(tree, "contrib"))
            for _ in range(2):
                self.assertEqual(self.link(tree).returncode, 0)
            contrib = os.path.join(tree, "contrib")
            self.assertEqual(sorted(os.listdir(contrib)), sorted(ns3.MODULES + ["railyard"]))
            for name in os.listdir(contrib):
                self.assertTrue(os.path.exists(os.path.join(contrib, name, "CMakeLists.txt")))

    def test_leaves_other_things_alone(self):
        with tempfile.TemporaryDirectory() as tree:
            self.assertEqual(self.link(tree).returncode, 1)
            os.makedirs(os.path.join(tree, "src", "core"))
            os.makedirs(os.path.join(tree, "contrib", "roce"))
            result = self.link(tree)
            self.assertEqual(result.returncode, 1)
            self.assertIn("roce exists and is not a symbolic link", result.stderr)
            self.assertEqual(os.listdir(os.path.join(tree, "contrib")), ["roce"])


if __name__ == "__main__":
    unittest.main()
