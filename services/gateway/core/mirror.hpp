#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/core/object_ref.hpp"
#include "proto/events/kind_state.hpp"

/// How objects are stored on the stream `resources`.
namespace kopiur::gateway {

/// One message of the mirror. An empty body is a tombstone.
struct mirror_message {
  std::string subject, body, id;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Headers of kopiur, in addition to `ce-*`.
inline constexpr std::string_view uid_header = "uid", version_header = "resource-version", generation_header = "generation",
                                  form_header = "form";

/// An object as the message on its subject.
mirror_message mirrored(std::string_view cluster, json::value const& object, instant now);
/// The stub that is published for an object that cannot be published whole: its identity, and for a Backup what services need to keep its
/// snapshot. The first member is proto::too_large. Services treat stubs of all kinds but Backup as absent.
json::value stub_of(json::value const& object);
/// An object as a stub on its subject.
mirror_message mirrored_stub(std::string_view cluster, json::value const& object, instant now);
/// The tombstone of a deleted object; `uid` may be unknown.
mirror_message tombstone(std::string_view cluster, proto::object_ref const& object, instant now);
/// What is known of a foreign kind, as the message on its subject: version header and body.
mirror_message mirrored_kind(std::string_view cluster, std::string_view kind, proto::kind_presence presence, instant now);
/// The object of a subject of the mirror (without uid; the state of a kind has the name `-`); nothing for the marker `listed`.
std::optional<proto::object_ref> object_of_subject(std::string_view subject);

}  // namespace kopiur::gateway
