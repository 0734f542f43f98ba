# SPDX-License-Identifier: GPL-2.0-only
"""Modules under waf (ns-3 up to 3.35), built from the lists in their CMakeLists.txt.

The wscript of each module calls configure() and build(). Nothing is listed twice: the files, the
examples and the dependencies are those of CMake, read by list_calls().
"""

import os
import re

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CXX_FLAGS = ["-std=c++17", "-ffp-contract=off"]  # ns-3.35's own is C++11
# CMake variable -> waf's uselib
EXTERNAL = {"SQLite3_LIBRARIES": "RAILYARD_SQLITE3", "fabric_libxml2": "RAILYARD_LIBXML2"}


def list_calls(path, macro):
    """The calls macro(KEY value... KEY value...) in a CMake file, each as {key: [values]}."""
    with open(path) as file:
        text = re.sub(r"#.*", "", file.read())
    calls = []
    for body in re.findall(r"^\s*%s\(([^)]*)\)" % macro, text, re.MULTILINE):
        call, key = {}, ""
        for word in body.split():
            if re.match(r"[A-Z_]+$", word):
                key = word
                call[key] = []
            else:
                call.setdefault(key, []).append(word)
        calls.append(call)
    return calls


def nested_modules(folder):
    """The modules that the root's CMakeLists.txt registers in contrib/."""
    calls = list_calls(os.path.join(folder, "CMakeLists.txt"), "railyard_add_modules")
    return [name for call in calls for name in call[""]]


def optional_modules(folder):
    """Those that nothing else links. waf enables them where it enables the modules they need."""
    calls = list_calls(os.path.join(folder, "CMakeLists.txt"), "railyard_add_optional_module")
    return [call[""][0] for call in calls]


def module_files(folder):
    """The sources and headers that railyard_module_files() of CMake finds in a module."""
    (call,) = list_calls(os.path.join(folder, "CMakeLists.txt"), "railyard_module_files")
    sources = [file for file in call[""] if file.endswith(".cc")]
    headers = [re.sub(r"\.cc$", ".h", file) for file in call[""]]
    return sources, [h for h in headers if os.path.exists(os.path.join(folder, h))]


def dependencies(folder, words):
    """Splits LIBRARIES_TO_LINK into the names of ns-3 modules and waf's names of other libraries."""
    modules, external = [], []
    for word in words:
        name = word[2:-1]  # without ${ }
        if name == "railyard_nested_libs":
            modules += nested_modules(folder)
        elif name in EXTERNAL:
            external.append(EXTERNAL[name])
        elif word.startswith("${lib"):
            modules.append(name[3:])
        else:
            raise ValueError("%s: cannot tell what %s is" % (folder, word))
    return modules, external


def configure(conf):
    """Looks for the libraries that our modules need beside ns-3."""
    conf.check_cxx(lib="sqlite3", header_name="sqlite3.h", uselib_store="RAILYARD_SQLITE3")
    conf.check_cxx(
        lib="xml2",
        header_name="libxml/parser.h",
        includes=["/usr/include/libxml2"],
        defines=["RAILYARD_LIBXML2"],
        uselib_store="RAILYARD_LIBXML2",
        mandatory=False,
    )
    conf.check_cxx(lib="gtest", uselib_store="RAILYARD_GTEST", mandatory=False)


def build_nested(bld):
    """Registers the modules in contrib/: waf descends no further than the root's wscript."""
    folder = os.path.realpath(bld.path.abspath())
    for name in nested_modules(folder) + optional_modules(folder):
        if "ns3-" + name in bld.env["NS3_CONTRIBUTED_MODULES"]:
            continue  # linked next to us: waf found it itself
        bld.env.append_value("NS3_CONTRIBUTED_MODULES", ["ns3-" + name])
        bld.recurse("contrib/" + name)
        bld(features="ns3moduleheader").module = name


def build(bld):
    """Builds the module in the present folder: library, headers, tests and examples."""
    folder = os.path.realpath(bld.path.abspath())
    (lists,) = list_calls(os.path.join(folder, "CMakeLists.txt"), "build_lib")
    (name,) = lists["LIBNAME"]
    sources, header_files = module_files(folder)
    modules, external = dependencies(folder, lists["LIBRARIES_TO_LINK"])

    module = bld.create_ns3_module(name, modules)
    module.source = sources
    module.use += external
    set_flags(module)

    headers = bld(features="ns3header")
    headers.module = name
    headers.source = header_files

    if bld.env["LIB_RAILYARD_GTEST"]:
        build_tests(bld, name, lists["TEST_SOURCES"])
    if bld.env["ENABLE_EXAMPLES"]:
        build_examples(bld, folder, name)


def set_flags(target):
    """The compiler flags of all our targets."""
    target.env.append_value("CXXFLAGS", CXX_FLAGS)
    target.env.append_value("DEFINES", ['RAILYARD_SOURCE_DIR="%s"' % SOURCE_DIR])


def build_tests(bld, name, sources):
    """The test library. GoogleTest is an archive: each test library keeps its copy to itself."""
    tests = bld.create_ns3_module_test_library(name)
    tests.source = sources
    tests.use.append("RAILYARD_GTEST")
    set_flags(tests)
    tests.env.append_value("CXXFLAGS", ["-I%s/contrib/fabric/test" % SOURCE_DIR])
    tests.env.append_value("LINKFLAGS", ["-Wl,-Bsymbolic"])


def build_examples(bld, folder, name):
    """The programs in examples/."""
    path = os.path.join(folder, "examples", "CMakeLists.txt")
    if not os.path.exists(path):
        return
    for call in list_calls(path, "build_lib_example"):
        modules, external = dependencies(folder, call.get("LIBRARIES_TO_LINK", []))
        program = bld.create_ns3_program(call["NAME"][0], [name] + modules)
        program.path = bld.path.find_dir("examples")
        program.source = call["SOURCE_FILES"]
        program.use = list(program.use) + external
        set_flags(program)
