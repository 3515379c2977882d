#include "services/retention/shell/settings.hpp"

#include <cstdlib>

namespace kopiur::retention {

options options_of(runtime::settings const& settings) {
  constexpr char const* kept = "KOPIUR_FINISHED_KEPT";
  options result{.cluster = settings.cluster};
  if (auto* said = std::getenv(kept)) result.finished_kept = static_cast<std::size_t>(runtime::number_from_1(kept, said));
  return result;
}

}  // namespace kopiur::retention
