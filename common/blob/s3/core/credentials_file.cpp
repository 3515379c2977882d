#include "common/blob/s3/core/credentials_file.hpp"

#include <map>

#include "common/encoding/text.hpp"

namespace kopiur::blob::s3 {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

struct profile_values {
  bool found = false;
  std::map<std::string, std::string> values;
};

void take_line(std::string_view line, std::string_view profile, bool& inside, profile_values& into) {
  line = encoding::trimmed(line, blanks);
  if (line.empty() || line.starts_with('#') || line.starts_with(';')) return;
  if (line.starts_with('[')) {
    inside = encoding::trimmed(line.substr(1, line.find(']') - 1), blanks) == profile;
    into.found = into.found || inside;
    return;
  }
  auto sign = line.find('=');
  if (inside && sign != line.npos)
    into.values[encoding::lower_case(encoding::trimmed(line.substr(0, sign), blanks))] = encoding::trimmed(line.substr(sign + 1), blanks);
}

profile_values read_profile(std::string_view text, std::string_view profile) {
  profile_values out;
  bool inside = false;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    auto end = std::min(text.find_first_of("\r\n"), text.size());
    take_line(text.substr(0, end), profile, inside, out);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::expected<credentials, std::string> read_credentials_file(std::string_view text, std::string_view profile) {
  auto name = "[" + std::string(profile) + "]";
  auto read = read_profile(text, profile);
  if (!read.found)
    return std::unexpected("The credentials have no section " + name + ". Write " + name +
                           ", aws_access_key_id = ... and aws_secret_access_key = ..., each on a line.");
  for (std::string needed : {"aws_access_key_id", "aws_secret_access_key"})
    if (read.values[needed].empty()) return std::unexpected("The section " + name + " of the credentials has no " + needed + ". Add it.");
  return credentials{.access_key = read.values["aws_access_key_id"],
                     .secret_key = read.values["aws_secret_access_key"],
                     .session_token = read.values["aws_session_token"]};
}

}  // namespace kopiur::blob::s3
