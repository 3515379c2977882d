#pragma once
#include <boost/mp11/list.hpp>

#include "proto/core/metadata.hpp"
#include "proto/describe.hpp"

/// The kind of the toy system, which tests add to kopiur to prove that a system is one directory and one line.
namespace kopiur::proto {

/// The text that a container has to print.
struct echo_spec {
  std::string text;
};
KOPIUR_DESCRIBE_NOTED(echo_spec, (), (text))

enum class echo_phase { Pending, Succeeded, Failed };
BOOST_DESCRIBE_ENUM(echo_phase, Pending, Succeeded, Failed)
struct echo_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<echo_phase> phase;
  std::optional<std::string> said;  ///< what the container printed
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(echo_status, (), (observed_generation, phase, said, conditions))

struct echo {
  static constexpr printer_column columns[]{column::phase, {"Said", "string", ".status.said"}, column::age, column::message};
  static constexpr kind_info info{.kind = "Echo",
                                  .plural = "echoes",
                                  .singular = "echo",
                                  .api_version = "toy.kopiur.test/v1",
                                  .system = "toy",
                                  .ownership = kind_ownership::Own,
                                  .observes_generation = true,
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  echo_spec spec;
  echo_status status;
};
KOPIUR_DESCRIBE_NOTED(echo, (), (api_version, kind, metadata, spec, status))

using toy_kinds = boost::mp11::mp_list<echo>;

}  // namespace kopiur::proto
