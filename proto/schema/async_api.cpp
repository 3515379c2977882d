#include <fmt/format.h>

#include <regex>

#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;

value reference_to(std::string target) {
  value out;
  out.set("$ref", std::move(target));
  return out;
}

/// A `{cluster}` in an address becomes a parameter of the channel.
value parameters_of(std::string const& address) {
  auto out = value::make_object();
  static std::regex const parameter(R"(\{(\w+)\})");
  for (std::sregex_iterator found(address.begin(), address.end(), parameter), end; found != end; ++found)
    out.set((*found)[1].str(), value::make_object()).set("description", "One token of the subject; `.` in a name is written `_`.");
  return out;
}

value channel_of(channel const& channel) {
  value out;
  std::string address(channel.address);
  out.set("address", address);
  out.set("description", channel.stream.empty() ? fmt::format("{} Core NATS, no storage.", channel.text)
                                                : fmt::format("{} Stream `{}`.", channel.text, channel.stream));
  if (auto parameters = parameters_of(address); !parameters.as_object()->empty()) out.set("parameters", std::move(parameters));
  auto& messages = out.set("messages", value::make_object());
  for (auto body : channel.bodies) messages.set(body, reference_to(fmt::format("#/components/messages/{}", body)));
  return out;
}

value message_of(body_schema const& schema) {
  value out;
  out.set("name", schema.name);
  if (!schema.root.description.empty()) out.set("summary", schema.root.description);
  out.set("contentType", "application/json");
  out.set("payload", reference_to("./json/" + schema.name + ".json"));
  return out;
}

}  // namespace

value async_api() {
  value out;
  out.set("asyncapi", "3.0.0");
  auto& info = out.set("info", value::make_object());
  info.set("title", "kopiur");
  info.set("version", "1.0.0");
  info.set(
      "description",
      "What the services of kopiur say to each other over NATS JetStream, and the door for outsiders. Envelope: CloudEvents attributes as "
      "headers (ce-*), traceparent, Nats-Msg-Id. Readers pass over members that they do not know.");
  info.set("license", value::make_object()).set("name", "Apache-2.0");
  out.set("defaultContentType", "application/json");
  auto& all = out.set("channels", value::make_object());
  for (auto& each : channels()) all.set(each.id, channel_of(each));
  auto& messages = out.set("components", value::make_object()).set("messages", value::make_object());
  for (auto& each : bodies()) messages.set(each.name, message_of(each));
  return out;
}

}  // namespace kopiur::proto::schema
