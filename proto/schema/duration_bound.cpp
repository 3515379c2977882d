#include "proto/schema/duration_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/time/instant.hpp"

namespace kopiur::proto::schema {

namespace {

bool has_plain_days(std::string_view text) {
  auto end = text.find('d');
  if (end == text.npos) return true;
  auto digits = text.substr(0, end);
  bool whole = !digits.empty() && digits.size() <= 4 && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  return whole && text.find('d', end + 1) == text.npos;
}

}  // namespace

bool is_within(std::string_view text, std::int64_t hours) {
  auto length = duration_from(text);
  return length && has_plain_days(text) && std::chrono::floor<std::chrono::seconds>(*length) <= std::chrono::hours(hours);
}

// Without split(): an API server refuses it as too costly, because it does not know how many parts there are.
std::string cel_of_bound(std::int64_t hours) {
  constexpr std::string_view form =
      "self.contains('d') ? self.matches('^[0-9]{{1,4}}d[^d]*$') && int(self.substring(0, self.indexOf('d'))) * 86400 + "
      "(self.endsWith('d') ? 0 : duration(self.substring(self.indexOf('d') + 1)).getSeconds()) <= {0} : duration(self).getSeconds() <= {0}";
  return fmt::format(fmt::runtime(form), hours * 3600);
}

std::string message_of_bound(std::int64_t hours) {
  return fmt::format("It is longer than {}h, or its days are not a whole number in front.", hours);
}

}  // namespace kopiur::proto::schema
