# How a room is built. A library is static; a core library may link other cores and data only, never Asio.

add_custom_target(programs)  # all that we ship, and kopiur-simulate

# The precompiled headers that a folder's targets share: those of common, unless it says otherwise. The last is the tests'.
set(kopiur_core_headers kopiur_core_pch)
set(kopiur_shell_headers kopiur_pch)
set(kopiur_test_headers kopiur_test_pch)
# For folders that know the kinds.
macro(kopiur_use_proto_headers)
  set(kopiur_core_headers kopiur_proto_core_pch)
  set(kopiur_shell_headers kopiur_proto_shell_pch)
  set(kopiur_test_headers kopiur_proto_test_pch)
endmacro()

# kopiur_library(NAME [CORE] SOURCES a.cpp ... LINKS x y ...)
function(kopiur_library name)
  cmake_parse_arguments(arg "CORE" "" "SOURCES;LINKS" ${ARGN})
  if(arg_SOURCES)
    add_library(${name} STATIC ${arg_SOURCES})
    target_link_libraries(${name} PUBLIC kopiur_options ${arg_LINKS})
    if(arg_CORE)
      target_precompile_headers(${name} REUSE_FROM ${kopiur_core_headers})
    else()
      target_precompile_headers(${name} REUSE_FROM ${kopiur_shell_headers})
    endif()
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE kopiur_options ${arg_LINKS})
  endif()
endfunction()

# kopiur_program(NAME SOURCES ... LINKS ...)
function(kopiur_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE kopiur_options kopiur_asio ${arg_LINKS})
  target_precompile_headers(${name} REUSE_FROM ${kopiur_shell_headers})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  add_dependencies(programs ${name})
endfunction()

# kopiur_service(NAME ROOM): the program of a service, kopiur-NAME, from the main.cpp of this folder.
function(kopiur_service name room)
  kopiur_program(kopiur-${name} SOURCES main.cpp LINKS ${room} runtime kopiur_allocator)
endfunction()

# kopiur_inputs(TEST [FILES path...] [PROGRAMS ours...] [PARTS name...]): what a test reads besides its command. `./dev test` builds these programs and
# waits for these parts (parts/list), and `./dev test --changed` looks at all of it. A file may be a folder; a path is relative to the caller's folder.
function(kopiur_inputs test)
  cmake_parse_arguments(arg "" "" "FILES;PROGRAMS;PARTS" ${ARGN})
  foreach(file ${arg_FILES})
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    set_property(TEST ${test} APPEND PROPERTY REQUIRED_FILES ${file})
  endforeach()
  foreach(program ${arg_PROGRAMS})
    set_property(TEST ${test} APPEND PROPERTY REQUIRED_FILES ${PROJECT_BINARY_DIR}/bin/${program})
  endforeach()
  foreach(part ${arg_PARTS})
    set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED part_${part})
  endforeach()
endfunction()

# kopiur_test(NAME SOURCES ... LINKS ... [LABELS unit|real|slow|threads|machine] [TIMEOUT s] [PROCESSORS n] [WRAPPER command...] [FILES ...]
# [PROGRAMS ...] [PARTS ...]); one executable is one ctest entry, run by the wrapper where there is one. PROCESSORS: it looks at the clock, or needs so
# many: ctest runs less beside it. What takes long, or two, begins early, or at the end one would run after the other. `machine`: processes or sockets,
# so that the same bytes might behave otherwise. FILES, PROGRAMS, PARTS: see kopiur_inputs.
function(kopiur_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;PROCESSORS" "SOURCES;LINKS;LABELS;WRAPPER;FILES;PROGRAMS;PARTS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  set(cost 1)
  if("real" IN_LIST arg_LABELS)
    math(EXPR cost "10 * ${arg_PROCESSORS}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE kopiur_options kopiur_testing ${arg_LINKS})
  target_precompile_headers(${name} REUSE_FROM ${kopiur_test_headers})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test)
  add_test(NAME ${name} COMMAND ${arg_WRAPPER} $<TARGET_FILE:${name}>)
  kopiur_inputs(${name} FILES ${PROJECT_BINARY_DIR}/test/${name} ${arg_FILES} PROGRAMS ${arg_PROGRAMS} PARTS ${arg_PARTS})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS} COST ${cost} ENVIRONMENT
    "KOPIUR_BIN=${PROJECT_BINARY_DIR}/bin;ASAN_OPTIONS=detect_stack_use_after_return=1:detect_leaks=1;LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/common/cmake/leaks.txt:print_suppressions=0;UBSAN_OPTIONS=print_stacktrace=1;TSAN_OPTIONS=ignore_noninstrumented_modules=1")
endfunction()

# What a test that e2e/cluster/with_api.sh runs reads besides: arguments of kopiur_test and kopiur_inputs.
set(kopiur_api_inputs FILES ${PROJECT_SOURCE_DIR}/e2e/cluster/with_api.sh ${PROJECT_SOURCE_DIR}/e2e/cluster/lib.sh
  ${PROJECT_SOURCE_DIR}/e2e/cluster/kube.sh ${PROJECT_SOURCE_DIR}/e2e/shell.sh ${PROJECT_SOURCE_DIR}/proto/schema/generated/crds
  PARTS etcd kubernetes kubectl)
