#include "common/metrics/metrics.hpp"

#include <cmath>
#include <cstdio>

namespace kopiur::metrics {

namespace {

/// Escapes a label's value; HELP texts do not escape quotes.
std::string escaped(std::string_view text, std::string_view extra = "\\\"") {
  std::string out;
  for (char c : text)
    if (c == '\n')
      out += "\\n";
    else if (extra.find(c) != extra.npos)
      out += '\\', out += c;
    else
      out += c;
  return out;
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  char text[40];
  bool whole = std::floor(value) == value && std::abs(value) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.17g", value);
  return text;
}

std::string shown(labels const& labels) {
  std::string inside;
  for (auto& [label, content] : labels) inside += (inside.empty() ? "" : ",") + label + "=\"" + escaped(content) + "\"";
  return inside.empty() ? "" : "{" + inside + "}";
}

}  // namespace

void registry::add(std::string_view name, std::string_view help, labels const& labels, double by) {
  auto& one = families_[std::string(name)];
  one.help = help, one.type = "counter";
  one.series[labels] += by;
}

void registry::set(std::string_view name, std::string_view help, double value, labels const& labels) {
  auto& one = families_[std::string(name)];
  one.help = help, one.type = "gauge";
  one.series[labels] = value;
}

void registry::observe(std::string_view name, std::string_view help, double sum, labels const& labels, std::uint64_t count) {
  auto& one = families_[std::string(name)];
  one.help = help, one.type = "summary";
  one.series[labels] += sum;
  one.counts[labels] += count;
}

void registry::merge(registry const& other) {
  for (auto& [name, theirs] : other.families_) {
    auto& ours = families_[name];
    ours.help = theirs.help, ours.type = theirs.type;
    for (auto& [of, value] : theirs.series) ours.series[of] = theirs.type == "gauge" ? value : ours.series[of] + value;
    for (auto& [of, count] : theirs.counts) ours.counts[of] += count;
  }
}

void registry::forget(std::string_view name, labels const& labels) {
  if (auto found = families_.find(name); found != families_.end()) found->second.series.erase(labels), found->second.counts.erase(labels);
}

std::string registry::text() const {
  std::string out;
  for (auto& [name, one] : families_) {
    out += "# HELP " + name + " " + escaped(one.help, "\\") + "\n# TYPE " + name + " " + one.type + "\n";
    for (auto& [of, value] : one.series) {
      auto count = one.counts.find(of);
      bool summed = count != one.counts.end();
      out += name + (summed ? "_sum" : "") + shown(of) + " " + number(value) + "\n";
      if (summed) out += name + "_count" + shown(of) + " " + std::to_string(count->second) + "\n";
    }
  }
  return out;
}

}  // namespace kopiur::metrics
