#pragma once
#include <expected>
#include <map>
#include <string>
#include <string_view>

/// Templates of resource names: `${name}`, `${namespace}`, `${label['KEY']}`, `${backend.KEY}`, `$$` for a literal `$`.
namespace kopiur::buckety {

/// What a template may refer to.
struct naming_sources {
  std::string name, namespace_;                           ///< of the object
  std::map<std::string, std::string> labels;              ///< of the object
  std::map<std::string, std::string> backend_defaults{};  ///< of the object's backend
};

/// The text with all references replaced, in one pass: values are not read again. An empty template stands for the object's name. A `$`
/// before anything but `{` and `$` is itself. The error is a sentence that contains the reference.
[[nodiscard]] std::expected<std::string, std::string> resolved(std::string_view pattern, naming_sources const& sources);

}  // namespace kopiur::buckety
