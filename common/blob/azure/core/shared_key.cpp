#include "common/blob/azure/core/shared_key.hpp"

#include <map>

#include "common/blob/core/digest.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::blob::azure {

namespace {

/// Headers and parameters by their name in lower case; of several values of one name the last counts, because we send none twice.
std::map<std::string, std::string> by_name(parameters const& from) {
  std::map<std::string, std::string> out;
  for (auto& [name, value] : from) out[encoding::lower_case(name)] = value;
  return out;
}

}  // namespace

std::string string_to_sign(std::string const& account, signable const& what) {
  auto headers = by_name(what.headers);
  auto text = what.method;
  for (std::string name : {"content-encoding", "content-language"}) text += "\n" + headers[name];
  text += "\n" + (what.body_length > 0 ? std::to_string(what.body_length) : "");
  for (std::string name :
       {"content-md5", "content-type", "date", "if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range"})
    text += "\n" + headers[name];
  text += "\n";
  for (auto& [name, value] : headers)
    if (name.starts_with("x-ms-")) text += name + ":" + value + "\n";
  text += "/" + account + what.path;
  for (auto& [name, value] : by_name(what.query)) text += "\n" + name + ":" + value;
  return text;
}

std::string shared_key(std::string const& account, std::string const& key, signable const& what) {
  return "SharedKey " + account + ":" + encoding::base64(hmac_sha256(key, string_to_sign(account, what)));
}

}  // namespace kopiur::blob::azure
