#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "proto/core/object_ref.hpp"
#include "proto/events/request.hpp"

/// Requests of external senders, as pure functions: four message forms become one request, and a request becomes one fixed action.
namespace kopiur::gateway {

/// A message of the stream `requests`, as received.
struct raw_request {
  std::string namespace_, verb;  ///< from the subject
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::uint64_t sequence = 0;  ///< the id when the message has none
};

struct parsed_request {
  std::string id, source;
  proto::user_request request;
};
/// Why a request is refused, with its id when that could be read, so that the sender can be informed.
struct refused_request {
  std::string id, message;
};

/// Reads CloudEvents in binary mode (`ce-` headers), in structured mode (by content type, or by the attributes in the body), and plain JSON
/// (`id` in the body, else the header `Nats-Msg-Id`, else the sequence). Numbers and booleans may be sent as text.
std::expected<parsed_request, refused_request> parse_request(raw_request const& raw);

/// The request creates this object.
struct create_step {
  json::value object;
};
/// The request writes annotations on an object that must exist.
struct annotate_step {
  proto::object_ref object;
  std::map<std::string, std::string> annotations;
};
struct request_plan {
  std::variant<create_step, annotate_step> step;
  proto::object_ref stands_for;            ///< the object that the sender may watch
  std::optional<proto::object_ref> needs;  ///< must exist; else the request is refused
};

/// A request's id as a token of a subject: everything but letters, digits, `-` and `_` becomes `_`. 128 characters at most.
std::string request_token(std::string_view id);

/// The action for a request. The name of a new object is the verb and a hash of (source, id), so a repeated id means the same object.
std::expected<request_plan, refused_request> plan_request(parsed_request const& parsed, std::string const& ns, bool restore_allowed);

}  // namespace kopiur::gateway
