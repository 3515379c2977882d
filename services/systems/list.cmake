# All systems, one line each: a directory with CMakeLists.txt (the library NAME_system), system.hpp (kopiur::NAME_system), and kinds.hpp, which may be in
# proto/NAME instead (proto::NAME_kinds). From it two headers are made, which the rest of kopiur reads: systems/kinds.hpp and systems/list.hpp.
set(KOPIUR_MORE_SYSTEMS "" CACHE STRING "Directories of further systems, for tests")
unset(KOPIUR_SYSTEMS CACHE)  # the list is this file's, not that of the day on which the build was configured
set(KOPIUR_SYSTEMS
  services/systems/kopiur
  services/systems/buckety
  services/systems/hypershift
  services/systems/openbao
  ${KOPIUR_MORE_SYSTEMS})

set(kopiur_system_names)
set(kind_headers)
set(kind_lists)
set(system_headers)
set(system_pointers)
foreach(directory ${KOPIUR_SYSTEMS})
  cmake_path(GET directory FILENAME name)
  set(kinds proto/${name}/kinds.hpp)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${kinds})
    set(kinds ${directory}/kinds.hpp)
  endif()
  list(APPEND kopiur_system_names ${name})
  string(APPEND kind_headers "#include \"${kinds}\"\n")
  list(APPEND kind_lists ${name}_kinds)
  string(APPEND system_headers "#include \"${directory}/system.hpp\"\n")
  list(APPEND system_pointers &${name}_system)
endforeach()
list(JOIN kind_lists ", " kind_lists)
list(JOIN system_pointers ", " system_pointers)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/systems/kinds.hpp CONTENT "#pragma once
#include <boost/mp11/algorithm.hpp>

@kind_headers@
namespace kopiur::proto {
/// The kinds that kopiur defines: each has a CRD, a schema and a webhook.
using own_kinds = boost::mp11::mp_append<@kind_lists@>;
}  // namespace kopiur::proto
" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/systems/list.hpp CONTENT "#pragma once
@system_headers@
namespace kopiur {
inline controller::system const* const all_systems[] = {@system_pointers@};
}  // namespace kopiur
" @ONLY)
