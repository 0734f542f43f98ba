# SPDX-License-Identifier: GPL-2.0-only
#
# The subset of ns-3's own CMake interface that the modules of this repository use, for a build
# outside an ns-3 tree against an installed ns-3 (Debian: libns3-dev):
#
#   build_lib, build_lib_example, build_exec    with ns-3's argument names
#   ${libcore}, ${libnetwork}, ...              targets to link
#   ns3/<name>.h                                headers of our modules, through stub headers
#
# and, beyond ns-3, build_benchmark(NAME ... SOURCE_FILES ... LIBRARIES_TO_LINK ...).

set(RAILYARD_STANDALONE TRUE)

option(ENABLE_EXAMPLES "Build the examples" ON)
option(ENABLE_TESTS "Build the tests" ON)
option(RAILYARD_PCH "Precompile the headers of ns-3 and GoogleTest" ON)
option(RAILYARD_SANITIZERS "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)

# ---- compiler and profile ------------------------------------------------------------------

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release (optimised) or Debug" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
# What runs long is in the modules: the tests themselves take the compiler more time than they run.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(railyard_test_options -O1)
endif()
if(RAILYARD_SANITIZERS)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -g1)
  add_compile_options(-fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Sanitizers make the compiler slow: half the optimisation, and none for the tests themselves. In
  # these AddressSanitizer sees the use of a null pointer; checks of every pointer are for modules.
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(railyard_test_options -O0 -fno-sanitize=null,alignment)
endif()
option(RAILYARD_FUZZ "Build the fuzz targets (Clang; see fuzz/README.md)" OFF)
if(RAILYARD_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "RAILYARD_FUZZ needs Clang: -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  list(APPEND railyard_test_options -fno-sanitize=fuzzer-no-link)
endif()
# The macros do not change the layout of any class: our code may have them, whatever the
# installed library was built with.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR RAILYARD_SANITIZERS)
  add_compile_definitions(NS3_LOG_ENABLE NS3_ASSERT_ENABLE)
endif()

find_program(RAILYARD_CCACHE ccache)
mark_as_advanced(RAILYARD_CCACHE)
if(RAILYARD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(sloppiness pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=${sloppiness} ${RAILYARD_CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>) # else no hit with a PCH
endif()

# ---- the installed ns-3 --------------------------------------------------------------------

# find_package(ns3) is of no use: Debian's libns3-dev exports programs of another package (ns3) and
# fails without it, and names files of packages that it does not depend on. So the libraries
# beside its CMake files are imported here, as ${libcore}, ${libnetwork} and so on. What they need
# in turn, the linker finds in them.
find_path(
  NS3_CMAKE_DIR ns3ConfigVersion.cmake
  PATH_SUFFIXES lib/${CMAKE_LIBRARY_ARCHITECTURE}/cmake/ns3 lib/cmake/ns3 lib64/cmake/ns3
)
if(NOT NS3_CMAKE_DIR)
  message(FATAL_ERROR "ns-3 not found. Debian: apt-get install libns3-dev; elsewhere: "
                      "-DCMAKE_PREFIX_PATH=<where ns-3 is installed>"
  )
endif()
get_filename_component(railyard_ns3_lib_dir ${NS3_CMAKE_DIR}/../.. ABSOLUTE)
find_path(
  NS3_INCLUDE_DIR ns3/core-module.h
  HINTS ${railyard_ns3_lib_dir}/../include ${railyard_ns3_lib_dir}/../../include
)
mark_as_advanced(NS3_CMAKE_DIR NS3_INCLUDE_DIR)
file(STRINGS ${NS3_CMAKE_DIR}/ns3ConfigVersion.cmake ns3_VERSION REGEX "set\\(PACKAGE_VERSION \"[0-9]")
string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" ns3_VERSION "${ns3_VERSION}")
message(STATUS "ns-3 ${ns3_VERSION} in ${railyard_ns3_lib_dir}")

set(ns3-all-enabled-modules "" CACHE INTERNAL "")
file(GLOB railyard_ns3_libraries ${railyard_ns3_lib_dir}/libns3*-*.so)
foreach(file ${railyard_ns3_libraries})
  get_filename_component(name ${file} NAME)
  # libns3-core.so (Debian), libns3.42-core-optimized.so (ns-3's own install)
  string(REGEX REPLACE "^libns3[.0-9]*-(.+)\\.so$" "\\1" name ${name})
  string(REGEX REPLACE "-(debug|default|release|optimized|minsizerel)$" "" name ${name})
  add_library(ns3::${name} SHARED IMPORTED)
  set_target_properties(ns3::${name} PROPERTIES IMPORTED_LOCATION ${file})
  if(NOT NS3_INCLUDE_DIR STREQUAL "/usr/include")
    set_target_properties(
      ns3::${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${NS3_INCLUDE_DIR}
    )
  endif()
  set(lib${name} ns3::${name} CACHE INTERNAL "")
  set(ns3-all-enabled-modules "${ns3-all-enabled-modules};${name}" CACHE INTERNAL "")
endforeach()

if(NOT CMAKE_CXX_STANDARD)
  if(ns3_VERSION VERSION_GREATER_EQUAL 3.46)
    set(CMAKE_CXX_STANDARD 23)
  elseif(ns3_VERSION VERSION_GREATER_EQUAL 3.41)
    set(CMAKE_CXX_STANDARD 20)
  else()
    set(CMAKE_CXX_STANDARD 17)
  endif()
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(railyard_header_dir ${CMAKE_BINARY_DIR}/include/ns3)
add_link_options(-Wl,--no-as-needed)
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(ENABLE_TESTS)
  enable_testing()
endif()

# One precompiled header for all modules and one for all tests: these are compiled with different
# flags. A source's compile time falls by half.
function(railyard_use_pch target kind)
  if(NOT RAILYARD_PCH OR CMAKE_VERSION VERSION_LESS 3.16)
    return()
  endif()
  if(NOT TARGET railyard-pch-${kind})
    add_library(railyard-pch-${kind} OBJECT ${CMAKE_SOURCE_DIR}/cmake/empty.cc)
    target_precompile_headers(
      railyard-pch-${kind} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch-${kind}.h
    )
    if(kind STREQUAL "library")
      set_target_properties(railyard-pch-${kind} PROPERTIES POSITION_INDEPENDENT_CODE ON)
      target_compile_options(railyard-pch-${kind} PRIVATE ${railyard_module_options})
    else()
      target_compile_options(railyard-pch-${kind} PRIVATE ${railyard_test_options})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM railyard-pch-${kind})
endfunction()

# ---- ns-3's macros -------------------------------------------------------------------------

macro(library_target_name name result)
  set(${result} lib${name})
endmacro()

# Writes ns3/<header>.h, which includes the real header, and ns3/<module>-module.h.
function(railyard_write_header_stubs module)
  set(guard "NS3_MODULE_${module}")
  string(TOUPPER "${guard}" guard)
  string(REPLACE "-" "_" guard "${guard}")
  set(all "#ifndef ${guard}\n#define ${guard}\n")
  foreach(header ${ARGN})
    get_filename_component(name ${header} NAME)
    file(RELATIVE_PATH path ${railyard_header_dir} ${CMAKE_CURRENT_SOURCE_DIR}/${header})
    file(CONFIGURE OUTPUT ${railyard_header_dir}/${name} CONTENT "#include \"${path}\"\n" @ONLY)
    string(APPEND all "#include \"${name}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${railyard_header_dir}/${module}-module.h CONTENT "${all}#endif\n" @ONLY)
endfunction()

# <module>-gtest: the GoogleTest cases of a module, each known to CTest by its name. The ns-3
# suite that wraps them (test/<module>-test-suite.cc) belongs to ns-3's test runner.
function(railyard_add_gtest module)
  list(FILTER ARGN EXCLUDE REGEX "-test-suite\\.cc$")
  if(NOT ARGN)
    return()
  endif()
  add_executable(${module}-gtest ${ARGN})
  target_link_libraries(${module}-gtest PRIVATE ${lib${module}} railyard-googletest)
  target_compile_options(${module}-gtest PRIVATE ${railyard_test_options})
  railyard_use_pch(${module}-gtest test)
  include(GoogleTest)
  gtest_discover_tests(
    ${module}-gtest
    NO_PRETTY_VALUES
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 LABELS ${module}
  )
endfunction()

# Runs each example as test/examples-to-run.py says, in a folder of its own.
function(railyard_add_example_tests)
  set(list_file ${CMAKE_CURRENT_SOURCE_DIR}/test/examples-to-run.py)
  if(NOT EXISTS ${list_file})
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_file})
  file(STRINGS ${list_file} entries REGEX "^ *\\(\"")
  foreach(entry ${entries})
    string(REGEX REPLACE "^ *\\(\"([^\"]*)\".*" "\\1" entry "${entry}")
    separate_arguments(words UNIX_COMMAND "${entry}")
    list(GET words 0 example)
    list(REMOVE_AT words 0)
    string(REGEX REPLACE "[^A-Za-z0-9=.-]+" "_" name "example.${entry}")
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/example-runs/${name})
    add_test(
      NAME ${name}
      COMMAND ${example} ${words}
      WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/example-runs/${name}
    )
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS ${BLIB_LIBNAME})
  endforeach()
endfunction()

# What CMake was told, for the test that compares it with the files and with waf's build.
macro(railyard_write_module_lists)
  set(text)
  foreach(key SOURCE_FILES HEADER_FILES TEST_SOURCES LIBRARIES_TO_LINK)
    string(APPEND text "${key}=${BLIB_${key}}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/modules/${BLIB_LIBNAME}.txt CONTENT "${text}" @ONLY)
endmacro()

function(build_lib)
  cmake_parse_arguments(
    BLIB
    "IGNORE_PCH"
    "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES"
    ${ARGN}
  )
  if(BLIB_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "build_lib(${BLIB_LIBNAME}): unknown ${BLIB_UNPARSED_ARGUMENTS}")
  endif()
  set(lib lib${BLIB_LIBNAME})
  railyard_write_module_lists()
  if(NOT BLIB_SOURCE_FILES)
    set(${lib} "" CACHE INTERNAL "")
    return()
  endif()
  set(${lib} ${lib} CACHE INTERNAL "")
  railyard_write_header_stubs(${BLIB_LIBNAME} ${BLIB_HEADER_FILES})
  add_library(${lib} SHARED ${BLIB_SOURCE_FILES} ${BLIB_HEADER_FILES})
  set_target_properties(${lib} PROPERTIES PREFIX "lib" OUTPUT_NAME "ns3-${BLIB_LIBNAME}")
  target_include_directories(${lib} PUBLIC ${CMAKE_BINARY_DIR}/include)
  target_link_libraries(${lib} PUBLIC ${BLIB_LIBRARIES_TO_LINK})
  if(NOT RAILYARD_SANITIZERS)
    target_link_options(${lib} PRIVATE -Wl,-z,defs) # what a module uses, it must link
  endif()
  railyard_use_pch(${lib} library)
  if(ENABLE_EXAMPLES AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt)
    add_subdirectory(examples)
    if(ENABLE_TESTS)
      railyard_add_example_tests()
    endif()
  endif()
  if(ENABLE_TESTS)
    railyard_add_gtest(${BLIB_LIBNAME} ${BLIB_TEST_SOURCES})
  endif()
endfunction()

function(build_exec)
  cmake_parse_arguments(
    E "IGNORE_PCH" "EXECNAME;EXECUTABLE_DIRECTORY_PATH" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK"
    ${ARGN}
  )
  add_executable(${E_EXECNAME} ${E_SOURCE_FILES} ${E_HEADER_FILES})
  target_link_libraries(${E_EXECNAME} PRIVATE ${E_LIBRARIES_TO_LINK})
  target_compile_options(${E_EXECNAME} PRIVATE -ffp-contract=off)
  if(E_EXECUTABLE_DIRECTORY_PATH)
    set_target_properties(
      ${E_EXECNAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${E_EXECUTABLE_DIRECTORY_PATH}
    )
  endif()
endfunction()

# The names of all examples stand in <build>/examples.txt, for the front end.
function(build_lib_example)
  cmake_parse_arguments(E "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK" ${ARGN})
  build_exec(
    EXECNAME ${E_NAME}
    SOURCE_FILES ${E_SOURCE_FILES}
    HEADER_FILES ${E_HEADER_FILES}
    LIBRARIES_TO_LINK ${lib${BLIB_LIBNAME}} ${E_LIBRARIES_TO_LINK}
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_BINARY_DIR}/examples
  )
  set_property(GLOBAL APPEND PROPERTY RAILYARD_EXAMPLES ${E_NAME})
endfunction()

# A Google Benchmark program in <build>/bench, part of the target `bench` only.
function(build_benchmark)
  cmake_parse_arguments(E "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    return()
  endif()
  build_exec(
    EXECNAME ${E_NAME}
    SOURCE_FILES ${E_SOURCE_FILES}
    LIBRARIES_TO_LINK ${E_LIBRARIES_TO_LINK} benchmark::benchmark
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_BINARY_DIR}/bench
  )
  set_target_properties(${E_NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  if(NOT TARGET bench)
    add_custom_target(bench)
  endif()
  add_dependencies(bench ${E_NAME})
  set_property(GLOBAL APPEND PROPERTY RAILYARD_BENCHMARKS ${E_NAME})
endfunction()

# A test of the build itself, in Python.
function(railyard_add_tool_test name script)
  find_program(RAILYARD_PYTHON python3)
  mark_as_advanced(RAILYARD_PYTHON)
  if(ENABLE_TESTS AND RAILYARD_PYTHON)
    add_test(NAME ${name} COMMAND ${RAILYARD_PYTHON} -B ${CMAKE_SOURCE_DIR}/${script} ${ARGN})
  endif()
endfunction()

# ---- own scripts ---------------------------------------------------------------------------

set(RAILYARD_SCRATCH_DIR ${CMAKE_SOURCE_DIR}/scratch CACHE PATH "Folder of own scenario scripts")
mark_as_advanced(RAILYARD_SCRATCH_DIR)

# <build>/scratch/<path>, target scratch_<path>, from the source among ARGN that has a main(). It may
# use every module of ns-3, and links those that it does. Not part of the default target.
function(railyard_add_scratch)
  set(path)
  foreach(source ${ARGN})
    file(STRINGS ${source} main REGEX "(^|[^A-Za-z0-9_.:>])main *\\(")
    if(main)
      file(RELATIVE_PATH path ${RAILYARD_SCRATCH_DIR} ${source})
      string(REGEX REPLACE "\\.cc$" "" path ${path})
    endif()
  endforeach()
  if(NOT path)
    return()
  endif()
  set(ns3_libraries)
  foreach(module ${ns3-all-enabled-modules})
    if(TARGET ns3::${module})
      list(APPEND ns3_libraries ns3::${module})
    endif()
  endforeach()
  get_filename_component(folder ${path} DIRECTORY)
  string(REPLACE "/" "_" target scratch_${path})
  build_exec(
    EXECNAME ${target}
    SOURCE_FILES ${ARGN}
    LIBRARIES_TO_LINK ${librailyard} -Wl,--as-needed ${ns3_libraries}
    EXECUTABLE_DIRECTORY_PATH ${CMAKE_BINARY_DIR}/scratch/${folder}
  )
  get_filename_component(name ${path} NAME)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXCLUDE_FROM_ALL TRUE)
  set_property(GLOBAL APPEND PROPERTY RAILYARD_SCRATCH ${path})
endfunction()

# As in an ns-3 tree: each scratch/*.cc is a program, and so is each folder below scratch/. The
# folders are what CMake watches: a new file is seen at the next build.
function(railyard_add_scratches)
  file(GLOB sources ${RAILYARD_SCRATCH_DIR}/[^.]*.cc)
  foreach(source ${sources})
    railyard_add_scratch(${source})
  endforeach()
  file(GLOB_RECURSE entries LIST_DIRECTORIES TRUE ${RAILYARD_SCRATCH_DIR}/*)
  set(folders)
  foreach(entry ${entries})
    if(IS_DIRECTORY ${entry})
      list(APPEND folders ${entry})
      file(GLOB sources ${entry}/[^.]*.cc)
      railyard_add_scratch(${sources})
    endif()
  endforeach()
  if(EXISTS ${RAILYARD_SCRATCH_DIR})
    set_property(
      DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${RAILYARD_SCRATCH_DIR} ${folders}
    )
  endif()
endfunction()

# To be called last: writes the lists that the front end reads.
function(railyard_write_lists)
  foreach(kind EXAMPLES BENCHMARKS SCRATCH)
    get_property(names GLOBAL PROPERTY RAILYARD_${kind})
    list(SORT names)
    string(REPLACE ";" "\n" names "${names}")
    string(TOLOWER ${kind} file)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${file}.txt CONTENT "${names}\n" @ONLY)
  endforeach()
endfunction()
