#include "services/gateway/core/requests.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "common/encoding/number.hpp"
#include "common/hash/stable_hash.hpp"
#include "common/json/codec.hpp"
#include "proto/kinds.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

namespace {

using refused = std::unexpected<refused_request>;
using proto::annotation::run_maintenance;

/// Limits for data from users: its content is later stored in an object that must be readable again.
constexpr json::bounds request_bounds{.bytes = 4 << 20, .depth = 64, .members = 100'000};

std::string_view header(raw_request const& raw, std::string_view name) {
  auto same = [](std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
  };
  for (auto const& [key, value] : raw.headers)
    if (same(key, name)) return value;
  return {};
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t index = 0; index < text.size(); ++index) {
    unsigned byte = 0;
    auto* digits = text.data() + index + 1;
    if (text[index] == '%' && index + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += static_cast<char>(byte);
      index += 2;
    } else {
      out += text[index];
    }
  }
  return out;
}

// The identity and data of a message, in whatever form it was sent.
struct envelope {
  std::string id, source;
  json::value data;
};

std::string as_text(json::value const* value) {
  if (!value) return {};
  return value->as_string() ? *value->as_string() : value->is_null() ? "" : json::dump(*value);
}

bool is_structured(json::value const& body) {
  return body.find("specversion") && body.find("id") && body.find("source") && body.find("type");
}

std::expected<envelope, std::string> structured(json::value const& body) {
  envelope out{as_text(body.find("id")), as_text(body.find("source")), {}};
  auto* data = body.find("data");
  if (!data) return out;
  out.data = *data;
  if (auto* text = data->as_string()) {  // JSON inside a string: what template engines produce
    auto inner = json::parse(*text, request_bounds);
    if (!inner) return std::unexpected("data is a text that is not JSON (" + inner.error().text() + "): send an object.");
    out.data = *inner;
  }
  return out;
}

std::expected<envelope, std::string> open_envelope(raw_request const& raw) {
  auto body = raw.body.empty() ? json::value::make_object() : json::value();
  if (!raw.body.empty()) {
    auto parsed = json::parse(raw.body, request_bounds);
    if (!parsed)
      return std::unexpected("The body is not JSON: " + parsed.error().text() + ". Send an object such as {\"config\": \"photos\"}.");
    body = std::move(*parsed);
  }
  if (!header(raw, "ce-id").empty())
    return envelope{percent_decoded(header(raw, "ce-id")), percent_decoded(header(raw, "ce-source")), body};
  if (is_structured(body)) return structured(body);
  return envelope{as_text(body.find("id")), as_text(body.find("source")), body};
}

// Numbers and booleans may be sent as text, and texts as numbers: the type of the described field decides.
template <class T>
void relax(json::value& from) {
  if constexpr (std::same_as<T, bool>) {
    if (from.as_string() && (*from.as_string() == "true" || *from.as_string() == "false")) from = *from.as_string() == "true";
  } else if constexpr (std::is_integral_v<T>) {
    if (auto number = from.as_string() ? encoding::whole_number<std::int64_t>(*from.as_string()) : std::nullopt) from = *number;
  } else if constexpr (std::same_as<T, std::string>) {
    if (from.as_int() || from.as_bool() || from.as_double()) from = json::dump(from);
  } else if constexpr (json::is_optional<T>::value) {
    relax<typename T::value_type>(from);
  } else if constexpr (json::is_map<T>::value) {
    if (auto* members = from.as_object())
      for (auto& [name, content] : *members) relax<typename T::mapped_type>(content);
  } else if constexpr (json::described_struct<T>) {
    json::for_each_member<T>([&]<class M>(std::string const& name, M T::*) {
      if (auto* content = from.find(name)) relax<M>(*content);
    });
  }
}

template <class T>
std::expected<proto::user_request, std::string> decode_as(json::value data) {
  relax<T>(data);
  auto read = json::decode<T>(data);
  if (!read) return std::unexpected("The request cannot be read: " + read.error().text() + ".");
  return proto::user_request(std::move(*read));
}

std::expected<proto::user_request, std::string> decode_verb(std::string const& verb, json::value const& data) {
  if (verb == proto::backup_request::member) return decode_as<proto::backup_request>(data);
  if (verb == proto::restore_request::member) return decode_as<proto::restore_request>(data);
  if (verb == proto::maintenance_request::member) return decode_as<proto::maintenance_request>(data);
  if (verb == proto::cancel_request::member) return decode_as<proto::cancel_request>(data);
  return std::unexpected("There is no request \"" + verb + "\": the verbs are backup, restore, maintenance and cancel.");
}

json::value skeleton(std::string_view kind, parsed_request const& parsed, std::string const& ns, std::string const& name) {
  auto annotations = json::value::make_object();
  annotations.set(ours("request"), parsed.source + "#" + parsed.id);
  auto metadata = json::value::make_object();
  metadata.set("name", name);
  metadata.set("namespace", ns);
  metadata.set("annotations", std::move(annotations));
  auto object = json::value::make_object();
  object.set("apiVersion", ours("v1alpha1"));
  object.set("kind", kind);
  object.set("metadata", std::move(metadata));
  return object;
}

std::string name_of(std::string_view verb, parsed_request const& parsed) {
  return std::string(verb) + "-" + hash::digest_hex({parsed.source, parsed.id}, 16);
}

struct planner {
  parsed_request const& parsed;
  std::string const& ns;
  bool restore_allowed;
  using result = std::expected<request_plan, std::string>;

  result operator()(proto::backup_request const& wanted) const {
    if (!is_object_name(wanted.config))
      return std::unexpected("config is \"" + wanted.config + "\": name a BackupConfig of namespace " + ns + ".");
    auto name = name_of("backup", parsed);
    auto object = skeleton(proto::backup::info.kind, parsed, ns, name);
    auto spec = json::value::make_object();
    spec.set("configRef", json::object{{"name", wanted.config}});
    if (wanted.source_path) spec.set("sourcePath", *wanted.source_path);
    if (!wanted.tags.empty()) spec.set("tags", json::encode(wanted.tags));
    object.set("spec", std::move(spec));
    return request_plan{create_step{std::move(object)}, proto::ref_to<proto::backup>(ns, name),
                        proto::ref_to<proto::backup_config>(ns, wanted.config)};
  }
  result operator()(proto::restore_request const& wanted) const {
    if (!restore_allowed)
      return std::unexpected("Restores by request are disabled here: create a Restore object, or ask the administrator to enable them.");
    if (!wanted.spec.is_object()) return std::unexpected("spec is missing: a restore request carries the content of Restore.spec.");
    auto name = name_of("restore", parsed);
    auto object = skeleton(proto::restore::info.kind, parsed, ns, name);
    object.set("spec", wanted.spec);
    return request_plan{create_step{std::move(object)}, proto::ref_to<proto::restore>(ns, name), std::nullopt};
  }
  result operator()(proto::maintenance_request const& wanted) const {
    if (!is_object_name(wanted.maintenance))
      return std::unexpected("maintenance is \"" + wanted.maintenance + "\": name a Maintenance of namespace " + ns + ".");
    auto object = proto::ref_to<proto::maintenance>(ns, wanted.maintenance);
    auto what = std::string(wanted.full ? "full" : "quick") + " " + name_of("maintenance", parsed);
    return request_plan{annotate_step{object, {{std::string(run_maintenance), what}}}, object, object};
  }
  result operator()(proto::cancel_request const& wanted) const {
    if (auto key = admit_key(proto::object_ref{wanted.kind, ns, wanted.name, ""}); !key) return std::unexpected(key.error().message);
    proto::object_ref object{wanted.kind, ns, wanted.name, ""};
    return request_plan{annotate_step{object, {{ours("cancel-run"), "request " + parsed.source + "#" + parsed.id}}}, object, object};
  }
};

}  // namespace

std::expected<parsed_request, refused_request> parse_request(raw_request const& raw) {
  auto last_resort = std::string(header(raw, "Nats-Msg-Id"));
  if (last_resort.empty()) last_resort = "seq-" + std::to_string(raw.sequence);
  auto opened = open_envelope(raw);
  if (!opened) return refused({last_resort, opened.error()});
  if (opened->id.empty()) opened->id = last_resort;
  auto request = decode_verb(raw.verb, opened->data);
  if (!request) return refused({opened->id, request.error()});
  return parsed_request{std::move(opened->id), std::move(opened->source), std::move(*request)};
}

std::string request_token(std::string_view id) {
  std::string token(id.substr(0, 128));
  for (char& c : token)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return token.empty() ? "_" : token;
}

std::expected<request_plan, refused_request> plan_request(parsed_request const& parsed, std::string const& ns, bool restore_allowed) {
  if (!is_label_name(ns))
    return refused({parsed.id, "\"" + ns + "\" is not a namespace: the subject holds it, kopiur.v1.req.<cluster>.<namespace>.<verb>."});
  auto plan = std::visit(planner{parsed, ns, restore_allowed}, parsed.request);
  if (!plan) return refused({parsed.id, plan.error()});
  return std::move(*plan);
}

}  // namespace kopiur::gateway
