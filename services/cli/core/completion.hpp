#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kopiur::cli {

/// A verb as shells complete it: its words (`backup now`) and what may follow.
struct verb_shape {
  std::string words;
  std::vector<std::string> options;  ///< `--wait`
  std::vector<std::string> kinds;    ///< that it accepts; empty: it accepts no kind
};
/// The script for `bash`, `zsh` or `fish`; empty for another shell.
std::optional<std::string> completion_script(std::string_view shell, std::vector<verb_shape> const& verbs);

}  // namespace kopiur::cli
