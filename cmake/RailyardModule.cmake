# SPDX-License-Identifier: GPL-2.0-only
#
# What every module CMakeLists.txt of this repository includes first, standalone and inside an
# ns-3 tree. Sets RAILYARD_SOURCE_DIR and offers
#
#   railyard_googletest()          defines the target railyard-googletest, which test libraries link
#   railyard_module_files(files...) sets railyard_sources and railyard_headers for build_lib
#   railyard_finish_module(name)   to be called after build_lib(LIBNAME name ...)
#   railyard_add_modules(names...) registers the modules in contrib/ and sets railyard_nested_libs
#   railyard_add_optional_module(name needs...) registers one that nothing else links, where the
#                                  modules of ns-3 that it needs are enabled

# A module may be reached through a symbolic link (ns-3/contrib/fabric): the repository is where
# this file really lies.
get_filename_component(RAILYARD_SOURCE_DIR "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(RAILYARD_SOURCE_DIR "${RAILYARD_SOURCE_DIR}" DIRECTORY)

# Links a GoogleTest that exists once per process. Debian ships it as an archive only; ns-3's test
# runner loads one shared library per module, so there it has to become a shared library itself.
# Where GoogleTest is absent the module's tests are left out.
macro(railyard_googletest)
  if(ENABLE_TESTS AND NOT TARGET railyard-googletest)
    find_library(RAILYARD_GTEST_LIBRARY gtest)
    find_path(RAILYARD_GTEST_INCLUDE_DIR gtest/gtest.h)
    mark_as_advanced(RAILYARD_GTEST_LIBRARY RAILYARD_GTEST_INCLUDE_DIR)
    if(RAILYARD_GTEST_LIBRARY AND RAILYARD_GTEST_INCLUDE_DIR)
      find_package(Threads REQUIRED)
      if(RAILYARD_STANDALONE)
        add_library(railyard-googletest STATIC ${RAILYARD_SOURCE_DIR}/cmake/gtest-main.cc)
        target_link_libraries(
          railyard-googletest PUBLIC ${RAILYARD_GTEST_LIBRARY} ${CMAKE_THREAD_LIBS_INIT}
        )
      else()
        add_library(railyard-googletest SHARED ${RAILYARD_SOURCE_DIR}/cmake/empty.cc)
        target_link_libraries(
          railyard-googletest
          PRIVATE -Wl,--whole-archive ${RAILYARD_GTEST_LIBRARY} -Wl,--no-whole-archive
                  ${CMAKE_THREAD_LIBS_INIT}
        )
      endif()
      target_include_directories(
        railyard-googletest PUBLIC ${RAILYARD_SOURCE_DIR}/contrib/fabric/test
      )
    endif()
  endif()
  if(ENABLE_TESTS AND NOT TARGET railyard-googletest)
    message(STATUS "GoogleTest not found: the tests of ${CMAKE_CURRENT_SOURCE_DIR} are left out")
    set(ENABLE_TESTS OFF)
  endif()
endmacro()

# Splits the files of a module into ${railyard_sources} and ${railyard_headers}, which build_lib is
# to get: x.cc brings the x.h beside it along, so a class has one line. A header alone has its own.
function(railyard_module_files)
  set(sources)
  set(headers)
  foreach(file ${ARGN})
    string(REGEX REPLACE "\\.cc$" ".h" header ${file})
    if(NOT header STREQUAL file)
      list(APPEND sources ${file})
    endif()
    if(header STREQUAL file OR EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${header})
      list(APPEND headers ${header})
    endif()
  endforeach()
  set(railyard_sources ${sources} PARENT_SCOPE)
  set(railyard_headers ${headers} PARENT_SCOPE)
endfunction()

# Floating point is the same in every build: no contraction to fused multiply-add, which ns-3's
# optimised profile (-march=native) would allow. Calls inside one library need no indirection.
set(railyard_module_options -ffp-contract=off -fno-semantic-interposition -fvisibility-inlines-hidden)

# Completes the targets that build_lib made.
function(railyard_finish_module name)
  foreach(target ${lib${name}} ${lib${name}}-obj ${lib${name}}-test)
    if(TARGET ${target})
      target_compile_options(${target} PRIVATE ${railyard_module_options})
    endif()
  endforeach()
  # In an ns-3 tree. By property: ns-3 up to 3.42 cannot say what only the tests link, and
  # target_link_libraries would have to use the same signature as ns-3 does.
  if(TARGET ${lib${name}}-test)
    set_property(TARGET ${lib${name}}-test APPEND PROPERTY LINK_LIBRARIES railyard-googletest)
  endif()
endfunction()

# Makes ns-3's macros know a module that ns-3 did not find itself (a clone alone in ns-3/contrib,
# or a folder with another name), and says so in <name>_registered. A module that ns-3 already
# enabled (linked as a direct child of ns-3/contrib) is left to ns-3.
macro(railyard_register_module name)
  set(${name}_registered FALSE)
  if(NOT "${name}" IN_LIST ns3-all-enabled-modules)
    library_target_name(${name} railyard_target) # libX up to ns-3.42, X from 3.43
    set(lib${name} ${railyard_target} CACHE INTERNAL "")
    set(lib${name}-obj ${railyard_target}-obj CACHE INTERNAL "")
    set(ns3-all-enabled-modules "${ns3-all-enabled-modules};${name}"
        CACHE INTERNAL "list with all enabled modules"
    )
    set(${name}_registered TRUE)
  endif()
endmacro()

macro(railyard_add_modules)
  set(railyard_nested_libs)
  foreach(railyard_name ${ARGN})
    railyard_register_module(${railyard_name})
    list(APPEND railyard_nested_libs ${lib${railyard_name}})
  endforeach()
  foreach(railyard_name ${ARGN})
    if(${railyard_name}_registered)
      add_subdirectory(contrib/${railyard_name})
    endif()
  endforeach()
endmacro()

macro(railyard_add_optional_module name)
  set(railyard_missing)
  foreach(railyard_need ${ARGN})
    if(NOT "${railyard_need}" IN_LIST ns3-all-enabled-modules)
      list(APPEND railyard_missing ${railyard_need})
    endif()
  endforeach()
  if(railyard_missing)
    message(STATUS "${name} is left out: it needs the ns-3 modules ${railyard_missing}")
  else()
    railyard_register_module(${name})
    if(${name}_registered)
      add_subdirectory(contrib/${name})
    endif()
  endif()
endmacro()
