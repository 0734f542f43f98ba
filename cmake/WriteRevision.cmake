# SPDX-License-Identifier: GPL-2.0-only
#
# cmake -DSOURCE_DIR=... -DOUTPUT=... -P WriteRevision.cmake
# Writes a header that defines RAILYARD_REVISION: the commit that SOURCE_DIR is checked out at, with
# "-dirty" if tracked files differ from it. Where SOURCE_DIR is not the root of a git checkout (a
# source archive, perhaps unpacked inside another checkout) the header defines nothing. The file is
# touched only when its content changes.
set(content "// written by the build\n")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} rev-parse --show-prefix HEAD
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE answer
    RESULT_VARIABLE status
    ERROR_QUIET
  )
  # Two lines: the path below the root, empty at the root itself, and the commit.
  if(status EQUAL 0 AND answer MATCHES "^\n([0-9a-f]+)")
    set(revision ${CMAKE_MATCH_1})
    execute_process(
      COMMAND ${GIT_EXECUTABLE} --no-optional-locks status --porcelain --untracked-files=no
      WORKING_DIRECTORY ${SOURCE_DIR}
      OUTPUT_VARIABLE changes
      ERROR_QUIET
    )
    if(changes)
      string(APPEND revision "-dirty")
    endif()
    string(APPEND content "#define RAILYARD_REVISION \"${revision}\"\n")
  endif()
endif()

set(present "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} present)
endif()
if(NOT present STREQUAL content)
  file(WRITE ${OUTPUT} "${content}")
endif()
