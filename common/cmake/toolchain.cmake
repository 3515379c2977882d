# One compiler line, one set of options: every room links kopiur_options.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR "GCC ${CMAKE_CXX_COMPILER_VERSION} destroys temporaries of a co_await expression twice (fixed in 13). Use clang++-19: ./dev setup installs it.")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "Clang ${CMAKE_CXX_COMPILER_VERSION} is older than 19, the floor of this project. ./dev setup installs clang-19.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")  # -O3 takes a tenth more to compile; a target asks for it where a bench shows the difference
set(KOPIUR_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them")
option(KOPIUR_WERROR "Warnings are errors (the presets that tests run have it on)" OFF)

add_library(kopiur_options INTERFACE)
target_include_directories(kopiur_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
# Third-party headers are system headers: their warnings are not ours.
target_compile_options(kopiur_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  -Werror=switch            # a forgotten case is an error: enum switches have no default
  -Werror=return-type -Werror=unused-result
  -Wno-missing-field-initializers   # designated initialisers leave the rest at its default on purpose
  "SHELL:-Xclang -fno-pch-timestamp" -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_compile_options(kopiur_options INTERFACE $<$<BOOL:${KOPIUR_WERROR}>:-Werror>)
target_compile_definitions(kopiur_options INTERFACE BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_BEAST_SEPARATE_COMPILATION)
target_link_options(kopiur_options INTERFACE -fuse-ld=lld)

# A fault of memory ends a program before an attacker can use it. e2e/structure/hardening.sh reads from the programs that this is in effect.
target_compile_definitions(kopiur_options INTERFACE _GLIBCXX_ASSERTIONS)
target_compile_options(kopiur_options INTERFACE -fstack-protector-strong -fstack-clash-protection -fPIE
  $<IF:$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>,-fcf-protection,-mbranch-protection=standard>)
target_link_options(kopiur_options INTERFACE -pie -Wl,-z,relro,-z,now,-z,noexecstack)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT KOPIUR_SANITIZE)  # it needs the optimizer, and hides calls from the sanitizers
  target_compile_definitions(kopiur_options INTERFACE _FORTIFY_SOURCE=3)
endif()

if(KOPIUR_SANITIZE)
  target_compile_options(kopiur_options INTERFACE -fsanitize=${KOPIUR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only)
  target_link_options(kopiur_options INTERFACE -fsanitize=${KOPIUR_SANITIZE})
endif()
