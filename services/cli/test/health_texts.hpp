#pragma once
#include <string>

#include "proto/codec.hpp"
#include "services/cli/core/health.hpp"
#include "services/cli/test/objects.hpp"

/// What health says, as text.
namespace kopiur::cli {

inline instant const now = at("2026-11-21T04:00:00Z");

/// All findings: `bad backup default/b: TEXT`, one a line.
inline std::string said_of(controller::objects const& all, std::string const& ns = "default", bool everywhere = false, instant when = now) {
  std::string text;
  for (auto& one : health(all, ns, everywhere, when))
    text += std::string(json::to_text(one.mood)) + " " + one.area + " " + one.subject + ": " + one.text + "\n";
  return text;
}
template <class T>
std::string said(T const& one) {
  controller::objects all;
  add(all, one);
  return said_of(all);
}

}  // namespace kopiur::cli
