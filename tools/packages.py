# SPDX-License-Identifier: GPL-2.0-only
"""The Debian packages that the build needs: which are missing, and how they get installed.

On a terminal it asks, where nobody can answer it goes ahead, and with RAILYARD_INSTALL=no in the
environment it never installs and says what to install.
"""

import glob
import os
import re
import shlex
import shutil
import subprocess
import sys

# Debian package -> what shows that it is there: a program, or a header below an include folder.
PROGRAMS = {"cmake": "cmake", "ninja-build": "ninja", "g++": "c++", "ccache": "ccache"}
HEADERS = {
    "libns3-dev": "ns3/core-module.h",
    "libboost-dev": "boost/version.hpp",
    "libsqlite3-dev": "sqlite3.h",
    "nlohmann-json3-dev": "nlohmann/json.hpp",
    "libxml2-dev": "libxml2/libxml/parser.h",
    "libgtest-dev": "gtest/gtest.h",
    "libbenchmark-dev": "benchmark/benchmark.h",
    "pybind11-dev": "pybind11/pybind11.h",
}
# Installed along with the rest, but a build without them is whole unless the verb needs them.
OPTIONAL = {"ccache", "libxml2-dev", "pybind11-dev", "libgtest-dev", "libbenchmark-dev"}


class Failure(Exception):
    """Something the user has to be told in one message; the exit status is 1."""


def say(text):
    """Prints on standard error: standard output belongs to the program that is run."""
    print("ns3: " + text, file=sys.stderr, flush=True)


def missing_packages():
    """Debian packages that the build uses and that cannot be seen on this machine."""
    prefixes = re.split("[:;]", os.environ.get("CMAKE_PREFIX_PATH", "")) + ["/usr/local", "/usr"]
    missing = []
    for package, header in HEADERS.items():
        if not any(os.path.exists(os.path.join(p, "include", header)) for p in prefixes if p):
            missing.append(package)
    for package, program in PROGRAMS.items():
        if not shutil.which(program):
            missing.append(package)
    return missing


def may_install(packages):
    """Whether to install now: asks on a terminal, assumes yes where nobody can answer."""
    if os.environ.get("RAILYARD_INSTALL") == "no":
        return False
    if os.environ.get("CI") == "true" or not sys.stdin.isatty():
        return True
    print("These Debian packages are missing: " + " ".join(packages), file=sys.stderr)
    print("Install them now with apt-get? [Y/n] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("", "y", "yes")


def apt_command():
    """The start of an apt-get command that has the right to install, or None."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return ["apt-get"]
    if not shutil.which("sudo"):
        return None
    if sys.stdin.isatty():
        return ["sudo", "apt-get"]
    if subprocess.call(["sudo", "-n", "true"], stderr=subprocess.DEVNULL) != 0:
        return None
    return ["sudo", "-n", "apt-get"]


def apt_install(apt, packages):
    """Installs packages, with a fresh package list if the present one does not do."""
    env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    install = apt + ["install", "-y", "--no-install-recommends"] + packages

    def call(command):
        say(shlex.join(command))
        return subprocess.call(command, env=env, stdin=subprocess.DEVNULL, stdout=sys.stderr)

    lists = "/var/lib/apt/lists"
    known = os.path.isdir(lists) and any(n.endswith("_Packages") for n in os.listdir(lists))
    if known and call(install) == 0:
        return True
    return call(apt + ["update"]) == 0 and call(install) == 0


def ensure_packages(needed=()):
    """Installs what is missing. `needed`: optional packages that the verb cannot do without."""
    missing = missing_packages()
    required = [p for p in missing if p not in OPTIONAL or p in needed]
    if not required:
        return
    apt = apt_command()
    if apt and may_install(missing) and apt_install(apt, missing):
        required = [p for p in missing_packages() if p in required]
    if required:
        fail_for_want_of(required)


def fail_for_want_of(packages):
    raise Failure(
        "missing packages: {0}\nns3: install them by hand and try again:\n"
        "    apt-get install {0}".format(" ".join(packages))
    )


def missing_fuzzer():
    """Debian packages without which fuzz targets cannot be built: Clang, then its libFuzzer."""
    if not shutil.which("clang++"):
        return ["clang"]
    folder = subprocess.run(
        ["clang++", "-print-resource-dir"], stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    if glob.glob(os.path.join(folder, "lib", "*", "libclang_rt.fuzzer*")):
        return []
    return ["libclang-rt-{}-dev".format(os.path.basename(folder).split(".")[0])]


def ensure_fuzzer():
    """Installs what missing_fuzzer() names, like ensure_packages(): the compiler, which says which
    version of the library it wants, then that."""
    for _ in range(2):
        missing = missing_fuzzer()
        apt = apt_command() if missing else None
        if not (apt and may_install(missing) and apt_install(apt, missing)):
            break
    missing = missing_fuzzer()
    if missing:
        fail_for_want_of(missing)
