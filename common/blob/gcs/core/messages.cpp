#include "common/blob/gcs/core/messages.hpp"

#include <algorithm>
#include <array>

#include "common/encoding/base64.hpp"
#include "common/encoding/number.hpp"
#include "common/json/value.hpp"

namespace kopiur::blob::gcs {

namespace {

constexpr std::string_view no_role =
    "Give the service account the roles Storage Object Creator and Storage Object Viewer on the bucket; overwriting needs Storage Object "
    "User";

constexpr std::array meanings{
    meaning{"required", failure::denied, "Give a credentials.json, or a workload identity"},
    meaning{"authError", failure::denied, "Check that the service account and its key still exist"},
    meaning{"forbidden", failure::denied, no_role},
    meaning{"insufficientPermissions", failure::denied, no_role},
    meaning{"conditionNotMet", failure::conflict},
    meaning{"rateLimitExceeded", failure::unavailable},
    meaning{"userRateLimitExceeded", failure::unavailable},
    meaning{"backendError", failure::unavailable},
    meaning{"internalError", failure::unavailable},
};

error_document read_error(std::string_view body) {
  auto read = json::parse(body);
  if (!read) return {};
  error_document out{.message = std::string(read->text("error.message"))};
  auto* details = read->at("error.errors");
  auto* list = details ? details->as_array() : nullptr;
  if (list && !list->empty()) out.code = list->front().text("reason");
  return out;
}

std::optional<std::uint64_t> number(std::string_view text) { return encoding::whole_number<std::uint64_t>(text); }

}  // namespace

std::string object_path(std::string const& bucket, std::string const& key) {
  return "/storage/v1/b/" + encoded(bucket) + "/o/" + encoded(key);
}
std::string upload_path(std::string const& bucket) { return "/upload/storage/v1/b/" + encoded(bucket) + "/o"; }

std::expected<resource, std::string> read_resource(std::string_view text) {
  auto read = json::parse(text);
  if (!read) return std::unexpected("it is not JSON");
  auto size = number(read->text("size"));
  resource out{.size = size.value_or(0),
               .generation = std::string(read->text("generation")),
               .tag = std::string(read->text("etag")),
               .content_type = std::string(read->text("contentType")),
               .md5 = std::string(read->text("md5Hash")),
               .modified = instant_from(read->text("updated"))};
  if (!size || out.generation.empty()) return std::unexpected("it lacks size or generation");
  return out;
}

std::string md5_in(parameters const& fields) {
  constexpr std::string_view name = "md5=";
  for (auto& [field, value] : fields) {
    auto begin = field == "x-goog-hash" ? value.find(name) : value.npos;
    if (begin == value.npos) continue;
    begin += name.size();
    auto bytes = encoding::from_base64(value.substr(begin, value.find(',', begin) - begin));
    return bytes && bytes->size() == 16 ? *bytes : "";
  }
  return "";
}

std::string metadata_json(std::string const& md5, std::string const& content_type) {
  auto out = json::value::make_object();
  out.set("md5Hash", md5);
  if (!content_type.empty()) out.set("contentType", content_type);
  return json::dump(out);
}

std::string multipart_body(std::string const& boundary, std::string const& metadata, std::string const& content_type,
                           std::string_view content) {
  auto begin = "--" + boundary + "\r\nContent-Type: ";
  auto body = begin + "application/json; charset=UTF-8\r\n\r\n" + metadata + "\r\n" + begin;
  body += (content_type.empty() ? "application/octet-stream" : content_type) + "\r\n\r\n";
  body.reserve(body.size() + content.size() + boundary.size() + 8);
  return body.append(content).append("\r\n--" + boundary + "--\r\n");
}

std::string content_range(std::uint64_t offset, std::uint64_t length, std::uint64_t whole) {
  auto bytes = length == 0 ? "*" : std::to_string(offset) + "-" + std::to_string(offset + length - 1);
  return "bytes " + bytes + "/" + std::to_string(whole);
}

std::optional<std::uint64_t> received_bytes(std::string_view range) {
  constexpr std::string_view begin = "bytes=0-";
  if (range.empty()) return 0;
  auto last = range.starts_with(begin) ? number(range.substr(begin.size())) : std::nullopt;
  if (!last || *last == UINT64_MAX) return std::nullopt;
  return *last + 1;
}

std::string session_target(std::string_view location) {
  auto host = location.find("://");
  auto path = host == location.npos ? location.npos : location.find('/', host + 3);
  auto target = path == location.npos ? std::string_view() : location.substr(path);
  bool clean = std::ranges::all_of(target, [](unsigned char c) { return c > 0x20 && c < 0x7F; });
  return clean && target.contains("upload_id=") ? std::string(target) : "";
}

error store_error(int status, std::string_view body, std::string const& action, subject asked) {
  auto failed = classify({.status = status, .document = read_error(body)}, action, {"the store", meanings});
  if (asked == subject::session && (status == 404 || status == 410)) {
    failed.kind = failure::other;
    failed.message += " The store has forgotten the upload. Upload the object again.";
  } else if (asked == subject::bucket && failed.kind == failure::absent) {
    failed.message += " Create the bucket, or check its name.";
  }
  return failed;
}

}  // namespace kopiur::blob::gcs
