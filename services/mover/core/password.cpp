#include "services/mover/core/password.hpp"

#include "proto/placeholders.hpp"

namespace kopiur::mover {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";  // the characters that kopia trims
constexpr std::string_view of_the_examples = "change-me-before-the-first-backup";

}  // namespace

std::optional<std::string> unfit_password(std::string_view password, bool cut) {
  if (cut) return std::string("The password holds a zero byte, and kopia would take what stands before it alone.");
  if (password.find_first_not_of(blanks) == std::string_view::npos)
    return std::string("The password is blank: kopia trims it, and nothing is left.");
  if (proto::is_unfilled(password))
    return std::string(
        "The password is a placeholder that another program was to fill in: a repository would be made with the placeholder itself.");
  if (password.find(of_the_examples) != std::string_view::npos)
    return std::string(
        "The password is the one of the examples, which is public. Choose your own, such as from `openssl rand -base64 24`.");
  return std::nullopt;
}

}  // namespace kopiur::mover
