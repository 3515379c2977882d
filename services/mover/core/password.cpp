#include "services/mover/core/password.hpp"

namespace kopiur::mover {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";  // what kopia trims
constexpr std::string_view of_the_examples = "change-me-before-the-first-backup";

bool between(std::string_view text, std::string_view begin, std::string_view end) {
  auto from = text.find(begin);
  return from != std::string_view::npos && text.find(end, from + begin.size()) != std::string_view::npos;
}

}  // namespace

bool is_unfilled(std::string_view text) {
  return between(text, "ENC[", "]") || between(text, "${", "}") || between(text, "{{", "}}") || between(text, "<path:", ">");
}

std::optional<std::string> unfit_password(std::string_view password, bool cut) {
  if (cut) return std::string("The password holds a zero byte, and kopia would take what stands before it alone.");
  if (password.find_first_not_of(blanks) == std::string_view::npos)
    return std::string("The password is blank: kopia trims it, and nothing is left.");
  if (is_unfilled(password))
    return std::string(
        "The password is a placeholder that another program was to fill in: a repository would be made with the placeholder itself.");
  if (password.find(of_the_examples) != std::string_view::npos)
    return std::string(
        "The password is the one of the examples, which everybody knows. Choose your own, such as from `openssl rand -base64 24`.");
  return std::nullopt;
}

}  // namespace kopiur::mover
