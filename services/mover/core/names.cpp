#include "services/mover/core/names.hpp"

#include <algorithm>
#include <set>

#include "common/encoding/join.hpp"
#include "common/json/utf8.hpp"
#include "services/mover/core/failure.hpp"

namespace kopiur::mover {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

std::string as_utf8(std::string_view text) {
  return json::repaired(text, [](char) { return replacement; });
}

std::string below(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

std::string folder_of(std::string_view path) {
  auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }  // npos + 1 is 0

std::int64_t& count_of(proto::left_out& in, oddity what) {
  switch (what) {
    case oddity::Placeholder:
      return in.placeholders;
    case oddity::BrokenRules:
      return in.rules;
    case oddity::Own:
      return in.own;
    case oddity::NotUtf8:
    case oddity::Twin:
      return in.files;
  }
  __builtin_unreachable();
}

}  // namespace

bool is_placeholder(std::string_view name) { return name.size() > placeholder_suffix.size() && name.ends_with(placeholder_suffix); }

std::string as_kopia_reads(std::string_view name) {
  if (is_placeholder(name)) name.remove_suffix(placeholder_suffix.size());
  return as_utf8(name);
}

std::string printable(std::string_view path) {
  return json::repaired(path, [](char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    auto value = static_cast<unsigned char>(byte);
    return std::string("\\x") + digits[value >> 4] + digits[value & 15];
  });
}

std::string exact_pattern(std::string_view path) {
  std::string pattern = "/";
  for (char each : path) {
    if (std::string_view("\\*?[]! ").contains(each)) pattern += '\\';
    pattern += each;
  }
  return pattern;
}

void odd_names::meet_own(std::string_view path) { add(folder_of(path), name_of(path), oddity::Own); }

std::vector<std::string> odd_names::patterns() const {
  std::set<std::string> all;
  for (auto& [path, what] : found_) {
    if (what == oddity::BrokenRules) continue;
    if (what == oddity::Own) {
      all.insert(exact_pattern(as_utf8(path)));
      continue;
    }
    auto folder = folder_of(path);
    auto name = name_of(path);
    all.insert(exact_pattern(below(as_utf8(folder), as_kopia_reads(name))));
  }
  return {all.begin(), all.end()};
}

std::vector<std::string> odd_names::lost() const {
  std::vector<std::string> all;
  for (auto& [path, what] : found_)
    if (what == oddity::NotUtf8 || what == oddity::Twin) all.push_back(path);
  return all;
}

bool odd_names::has_broken_rules() const {
  return std::ranges::any_of(found_, [](auto& each) { return each.second == oddity::BrokenRules; });
}

void odd_names::add(std::string_view folder, std::string_view name, oddity what) {
  constexpr std::size_t many = 1'000, many_in_a_folder = 100, most = 100'000;
  for (std::string above(folder); !above.empty(); above = folder_of(above))
    if (found_.contains(above)) return;
  if (found_.size() == most) return void(too_many_ = true);
  if (!found_.emplace(below(folder, name), what).second) return;
  auto count = ++in_folder_[std::string(folder)];
  if (found_.size() > many && count > many_in_a_folder && !folder.empty()) give_up(std::string(folder));
}

void odd_names::give_up(std::string const& folder) {
  std::erase_if(found_, [&](auto& each) { return each.first.starts_with(folder + "/"); });
  found_.emplace(folder, oddity::Twin);
}

proto::left_out report_of(odd_names const& names) {
  constexpr std::size_t named = 3, length = 120;
  proto::left_out out;
  for (auto& [path, what] : names.all()) {
    ++count_of(out, what);
    if (out.examples.size() >= named) continue;
    out.examples.push_back(printable(path));
    cut(out.examples.back(), length);
  }
  return out;
}

std::string lost_text(std::vector<std::string> const& lost) {
  constexpr std::size_t named = 5;
  auto text = encoding::join(lost | std::views::take(named), ", ", printable);
  if (lost.size() > named) text += " and " + std::to_string(lost.size() - named) + " more";
  return "The snapshot lacks what kopia cannot keep by its name (it is not UTF-8, or a file of the same name with " +
         std::string(placeholder_suffix) + " is beside it): " + text + ". Rename them, or leave them out by policy.ignore.paths.";
}

}  // namespace kopiur::mover
