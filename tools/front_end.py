# SPDX-License-Identifier: GPL-2.0-only
"""Front end of a Railyard checkout that is not inside an ns-3 tree (started by ./ns3).

The verbs are those of ns-3's own ./ns3. The first build checks what the machine lacks and installs
it, or says what to install (tools/packages.py).
"""

import argparse
import collections
import concurrent.futures
import contextlib
import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from packages import Failure, ensure_fuzzer, ensure_packages, say

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# in contrib/; the root is railyard
MODULES = ["fabric", "roce", "nvlink", "collective", "roce-internet"]
LOCK = os.path.join(ROOT, ".lock-railyard")  # names the build folder that configure chose
FUZZ_FOLDER = "build-fuzz"  # optimized, sanitizers, Clang: the fuzz targets and all the rest
FUZZ_OPTIONS = [
    "-DCMAKE_CXX_COMPILER=clang++",
    "-DRAILYARD_FUZZ=ON",
    "-DENABLE_TESTS=ON",
    "-DENABLE_EXAMPLES=ON",
]
BUILD_TYPES = {"optimized": "Release", "debug": "Debug"}


# ---- build folder -----------------------------------------------------------------------------


def folder_name(profile, sanitizers):
    """build, build-debug, build-sanitizers or build-debug-sanitizers."""
    return (
        "build"
        + ("-debug" if profile == "debug" else "")
        + ("-sanitizers" if sanitizers else "")
    )


def all_folder_names():
    """The names that configure can choose."""
    return [folder_name(p, s) for p in BUILD_TYPES for s in (False, True)] + [FUZZ_FOLDER]


def active_folder():
    """The build folder that the last configure chose; the optimised one at first."""
    try:
        with open(LOCK) as file:
            name = file.read().strip()
    except OSError:
        name = "build"
    return os.path.join(ROOT, name if name in all_folder_names() else "build")


def discard_if_moved(folder):
    """Removes a build folder that belongs to another place: its paths are absolute."""
    try:
        with open(os.path.join(folder, "CMakeCache.txt")) as file:
            home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", file.read(), re.M)
    except OSError:
        return
    if home and os.path.realpath(home.group(1)) != ROOT:
        say("the checkout has moved: starting with an empty " + folder)
        shutil.rmtree(folder)


def configure_folder(folder, extra=(), quiet=False):
    """Runs cmake. The name of the folder says the profile."""
    name = os.path.basename(folder)
    command = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"]
    command.append("-DCMAKE_BUILD_TYPE=" + BUILD_TYPES["debug" if "debug" in name else "optimized"])
    fuzzing = name == FUZZ_FOLDER
    command.append("-DRAILYARD_SANITIZERS=" + ("ON" if "sanitizers" in name or fuzzing else "OFF"))
    command += FUZZ_OPTIONS if fuzzing else []
    result = subprocess.run(
        command + list(extra),
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
        text=True,
    )
    if result.returncode != 0:
        if quiet:
            sys.stderr.write(result.stdout)
        raise Failure("cmake could not configure " + folder)


def ensure_configured():
    """The active build folder, configured."""
    folder = active_folder()
    with locked(folder):
        discard_if_moved(folder)
        if not os.path.exists(os.path.join(folder, "build.ninja")):
            say("configuring " + os.path.relpath(folder))
            configure_folder(folder, quiet=True)
    return folder


@contextlib.contextmanager
def locked(folder):
    """Keeps other front ends from building in a folder meanwhile."""
    with open(folder + ".lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another ./ns3 that builds in " + os.path.relpath(folder))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def jobs():
    return len(os.sched_getaffinity(0))


def build_targets(folder, targets, output=None):
    """Builds with ninja; what it prints goes to `output` (default: standard output)."""
    with locked(folder):
        run_ninja(folder, targets, output)


def run_ninja(folder, targets, output):
    command = ["ninja", "-C", folder, "-j", str(jobs())]
    if output is not None:
        dry_run = subprocess.run(command + ["-n"] + list(targets), capture_output=True, text=True)
        if "ninja: no work to do." in dry_run.stdout:
            return
        if not output.isatty():
            command.append("--quiet")
    if subprocess.call(command + list(targets), stdout=output) != 0:
        raise Failure("the build failed")


def listed(folder, kind):
    """Names of the examples, benchmarks or own scripts, as the build wrote them."""
    with open(os.path.join(folder, kind + ".txt")) as file:
        return file.read().split()


# ---- verbs ------------------------------------------------------------------------------------


def configure(args, extra):
    if args.enable_fuzzing and args.build_profile == "debug":
        raise Failure("--enable-fuzzing has no debug profile")
    ensure_packages()
    folder = os.path.join(ROOT, folder_name(args.build_profile, args.enable_sanitizers))
    if args.enable_fuzzing:
        ensure_fuzzer()
        folder = os.path.join(ROOT, FUZZ_FOLDER)
    with locked(folder):
        discard_if_moved(folder)
        configure_folder(folder, extra)
    with open(LOCK, "w") as file:
        file.write(os.path.basename(folder) + "\n")


def build(args, extra):
    ensure_packages(["libgtest-dev"])
    build_targets(ensure_configured(), args.targets + extra)


def programs(folder):
    """What can be run: {path below the build folder: target}."""
    known = {"examples/" + name: name for name in listed(folder, "examples")}
    for name in listed(folder, "scratch"):
        known["scratch/" + name] = "scratch_" + name.replace("/", "_")
    return known


def matching_programs(word, known):
    """The programs that a word may mean: a name, or a path in examples/ or scratch/."""
    word = re.sub(r"^(?:\./)?(.*?)(?:\.cc)?$", r"\1", word).rstrip("/")
    found = []
    for path in known:
        folder, name = os.path.split(path)
        inside = path[len("scratch/") :] if path.startswith("scratch/") else name
        names = {path, name, inside}
        if folder not in ("examples", "scratch"):
            names |= {folder, os.path.dirname(inside)}  # scratch/sub/ is one program
        if word in names:
            found.append(path)
    return found


def find_program(folder, word, may_build):
    """Path below the build folder and target of the one program that a word means."""
    known = programs(folder)
    found = matching_programs(word, known)
    if not found and may_build:
        build_targets(folder, ["build.ninja"], sys.stderr)  # the lists may have changed
        known = programs(folder)
        found = matching_programs(word, known)
    if not found:
        names = [re.sub("^examples/", "", path) for path in known]
        raise Failure("no example or script '{}'; there are: {}".format(word, ", ".join(names)))
    if len(found) > 1:
        raise Failure("'{}' may mean {}: say which".format(word, " or ".join(found)))
    return found[0], known[found[0]]


def run(args, extra):
    """Builds one example or script, then becomes it: its exit status is ours."""
    words = (shlex.split(args.program[0]) + args.program[1:] if args.program else []) + extra
    if not words:
        raise Failure("run what? ./ns3 run llm-training-example")
    ensure_packages()
    folder = active_folder() if args.no_build else ensure_configured()
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        raise Failure("nothing is built in " + os.path.relpath(folder))
    path, target = find_program(folder, words[0], not args.no_build)
    if not args.no_build:
        build_targets(folder, [target], sys.stderr)
    program = os.path.join(folder, path)
    if not os.path.exists(program):
        raise Failure("{} is not built".format(path))
    try:
        os.execv(program, [program] + words[1:])
    except OSError as error:  # another process is just linking it
        raise Failure("cannot start {}: {}".format(path, error.strerror))


def regex_of_gtest_filter(patterns):
    """A CTest regular expression for one side of a GoogleTest filter: A.*:B.*"""

    def one(pattern):
        parts = {"*": ".*", "?": "."}
        return "".join(parts.get(c, "[.]" if c == "." else c) for c in pattern)

    return "^(" + "|".join(one(p) for p in patterns.split(":")) + ")$"


def ctest_selection(text):
    """The ctest options for a filter: a module, a regular expression or a GoogleTest filter."""
    if text in MODULES + ["railyard"]:
        return ["-L", "^" + text + "$"]
    if ":" in text or re.search(r"(^|[^.\])])\*", text):
        positive, _, negative = text.partition("-")
        options = ["-R", regex_of_gtest_filter(positive)] if positive else []
        return options + (["-E", regex_of_gtest_filter(negative)] if negative else [])
    return ["-R", text]


def skip_reasons(report):
    """Why tests were skipped, as CTest's JUnit report says: a Counter of reasons."""
    reasons = collections.Counter()
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        if case.find("skipped") is not None:
            output = case.findtext("system-out") or ""
            reason = re.search(r": Skipped\n(.+)", output)
            reasons[reason.group(1).strip() if reason else "no reason given"] += 1
    return reasons


def report_skips(report, forbidden):
    """Says how many tests were skipped and why; returns whether one may not have been."""
    failed = False
    for reason, count in sorted(skip_reasons(report).items()):
        say("{} test{} skipped: {}".format(count, "s" if count > 1 else "", reason))
        failed |= forbidden is not None and re.search(forbidden, reason) is not None
    if failed:
        say("none may be skipped for '{}' here".format(forbidden))
    return failed


def test(args, extra):
    ensure_packages(["libgtest-dev"])
    folder = ensure_configured()
    build_targets(folder, [])
    report = os.path.join(folder, "test-report.xml")
    with contextlib.suppress(FileNotFoundError):
        os.remove(report)
    command = ["ctest", "--test-dir", folder, "--output-on-failure", "--no-tests=error"]
    command += ["-j", str(jobs()), "--output-junit", report] + extra
    for text in args.filter:
        command += ctest_selection(text)
    status = subprocess.call(command)
    if os.path.exists(report) and report_skips(report, args.fail_on_skip):
        status = status or 1
    sys.exit(status)


def benchmark(command):
    """Runs a benchmark; returns its exit status. Google Benchmark's remark that the library itself
    was built without NDEBUG is left out: Debian's is, and what is measured is not that library."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if "Library was built as DEBUG" not in line:
                sys.stderr.write(line)
    return process.returncode


def bench(args, extra):
    ensure_packages(["libbenchmark-dev"])
    folder = ensure_configured()
    build_targets(folder, ["bench"], sys.stderr)
    known = listed(folder, "benchmarks")
    for name in args.names:
        if name not in known:
            raise Failure("no benchmark '{}'; there are: {}".format(name, ", ".join(known)))
    for name in args.names or known:
        status = benchmark([os.path.join(folder, "bench", name)] + extra)
        if status != 0:
            sys.exit(status if status > 0 else 128 - status)


def fuzz_folder():
    """The build folder of the fuzz targets, configured."""
    ensure_packages()
    ensure_fuzzer()
    folder = os.path.join(ROOT, FUZZ_FOLDER)
    with locked(folder):
        discard_if_moved(folder)
        if not os.path.exists(os.path.join(folder, "build.ninja")):
            configure_folder(folder, quiet=True)
    return folder


def fuzz_target(folder, name, seconds):
    """Runs one target; returns whether it found nothing. What it learns is kept for the next run."""
    grown = os.path.join(folder, "corpus", name)
    finds = os.path.join(folder, "finds")
    os.makedirs(grown, exist_ok=True)
    os.makedirs(finds, exist_ok=True)
    command = [os.path.join(folder, "bin", "fuzz-" + name), grown]
    command += [os.path.join(ROOT, "fuzz", "corpus", name)]
    command += ["-max_total_time={}".format(seconds), "-timeout=10", "-rss_limit_mb=2048"]
    command += ["-max_len=4096", "-artifact_prefix={}/{}-".format(finds, name)]
    environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1")
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    )
    output = done.stdout.decode(errors="replace")
    if done.returncode == 0:
        runs = re.findall(r"Done (\d+) runs", output)
        say("fuzz-{}: nothing found in {} inputs".format(name, runs[-1] if runs else "0"))
        return True
    sys.stderr.write(output[-12000:])
    say("fuzz-{} found something: run it again with the file named above".format(name))
    return False


def fuzz(args, extra):
    """Runs the fuzz targets side by side; each gets its share of the time of all."""
    folder = fuzz_folder()
    build_targets(folder, ["build.ninja"], sys.stderr)
    known = listed(folder, "fuzz-targets")
    names = args.targets + extra or known
    for name in names:
        if name not in known:
            raise Failure("no fuzz target '{}'; there are: {}".format(name, ", ".join(known)))
    build_targets(folder, ["fuzz-" + name for name in names], sys.stderr)
    share = max(1, args.seconds * min(jobs(), len(names)) // len(names))
    with concurrent.futures.ThreadPoolExecutor(jobs()) as pool:
        found = list(pool.map(lambda name: fuzz_target(folder, name, share), names))
    if not all(found):
        sys.exit(1)


def link(args, extra):
    """Makes the root and each module a child of <tree>/contrib."""
    tree = os.path.abspath(args.tree)
    contrib = os.path.join(tree, "contrib")
    if not (os.path.isdir(contrib) and os.path.isdir(os.path.join(tree, "src", "core"))):
        raise Failure("{} is not an ns-3 source tree (no contrib/ and src/core/)".format(tree))
    sources = {"railyard": ROOT}
    sources.update((m, os.path.join(ROOT, "contrib", m)) for m in MODULES)
    for name, source in sources.items():
        place = os.path.join(contrib, name)
        if os.path.lexists(place) and not os.path.islink(place):
            raise Failure("{} exists and is not a symbolic link: not touched".format(place))
    for name, source in sources.items():
        place = os.path.join(contrib, name)
        if os.path.islink(place):
            os.remove(place)
        os.symlink(source, place)
        print("{} -> {}".format(place, source))
    print(
        "Next: cd {} && ./ns3 configure -d optimized --enable-examples --enable-tests \\\n"
        "    --enable-modules='{}' --filter-module-examples-and-tests='{}'".format(
            tree, ";".join(sources), ";".join(sources)
        )
    )


def clean(args, extra):
    names = all_folder_names()
    for name in names:
        shutil.rmtree(os.path.join(ROOT, name), ignore_errors=True)
    for lock in [LOCK] + [os.path.join(ROOT, name + ".lock") for name in names]:
        with contextlib.suppress(FileNotFoundError):
            os.remove(lock)


def parser():
    top = argparse.ArgumentParser(prog="ns3", description="Builds, runs and tests Railyard.")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(function, text):
        sub = verbs.add_parser(function.__name__, help=text, description=text)
        sub.set_defaults(function=function)
        return sub

    sub = verb(configure, "choose the build profile; words after -- go to cmake")
    sub.add_argument("-d", "--build-profile", choices=list(BUILD_TYPES), default="optimized")
    sub.add_argument("--enable-sanitizers", action="store_true", help="ASan and UBSan")
    sub.add_argument(
        "--enable-fuzzing",
        action="store_true",
        help="ASan and UBSan with Clang, in the build folder of ./ns3 fuzz",
    )
    sub = verb(build, "build everything, or the given targets")
    sub.add_argument("targets", nargs="*")
    sub = verb(run, "build and run an example or scratch/NAME.cc: run NAME --option=value")
    sub.add_argument("--no-build", action="store_true", help="run what was built before")
    sub.add_argument("program", nargs=argparse.REMAINDER, metavar="NAME ...")
    sub = verb(test, "build and run the tests; words after -- go to ctest")
    sub.add_argument(
        "filter", nargs="*", help="a module, a regular expression, or a GoogleTest filter"
    )
    sub.add_argument(
        "--fail-on-skip", metavar="REGEX", help="fail if a test is skipped for such a reason"
    )
    sub = verb(bench, "build and run the benchmarks; words after -- go to them")
    sub.add_argument("names", nargs="*")
    sub = verb(fuzz, "build and run the fuzz targets of the parsers (Clang's libFuzzer)")
    sub.add_argument("targets", nargs="*")
    sub.add_argument(
        "--seconds", type=int, default=60, help="for all of them together, without the build"
    )
    sub = verb(link, "link this checkout into an ns-3 source tree")
    sub.add_argument("tree")
    verb(clean, "remove the build folders")
    return top


def main():
    words = sys.argv[1:]
    extra = []
    if "--" in words:
        at = words.index("--")
        words, extra = words[:at], words[at + 1 :]
    args = parser().parse_args(words)
    try:
        args.function(args, extra)
    except Failure as failure:
        say(str(failure))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
