#pragma once
#include <boost/describe.hpp>
#include <span>
#include <string>
#include <vector>

#include "common/json/value.hpp"
#include "services/cli/core/table.hpp"

/// Findings about the product, and how they are shown. Pure.
namespace kopiur::cli {

enum class mood { good, waiting, attention, bad };
BOOST_DESCRIBE_ENUM(mood, good, waiting, attention, bad)

/// One line of the screen.
struct finding {
  cli::mood mood = mood::good;
  std::string area;     ///< repository, schedule, backup, restore, maintenance, manifest, disk
  std::string subject;  ///< `namespace/name`
  std::string text;     ///< a sentence
};

/// The problems of files in the manifest folder, as the gateway reports them in its objects of kind ManifestFolder.
std::vector<finding> manifest_problems(std::span<json::value const> reports);

mood worst(std::vector<finding> const& findings);
/// The sentence below the table: how much is bad; if nothing is, how many notes there are.
std::string summary(std::vector<finding> const& findings);
/// `ok`, `...`, `note` or `BAD`, in its colour.
cell mood_cell(mood state);
table findings_table(std::vector<finding> const& findings);
json::value findings_json(std::vector<finding> const& findings);

}  // namespace kopiur::cli
