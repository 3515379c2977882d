#include "services/executor/core/openbao/ending.hpp"

#include "common/json/value.hpp"
#include "services/executor/core/object_name.hpp"

namespace kopiur::executor::openbao {

namespace {

constexpr std::size_t longest = 2048;

void set_text(json::value& into, std::string_view name, std::string const& text) {
  if (!text.empty()) into.set(name, text);
}

json::value to_json(report const& what, std::string const& stateful_set) {
  auto out = json::value::make_object();
  out.set("message", one_line(what.message));
  if (what.size) out.set("size", *what.size);
  set_text(out, "digest", what.digest);
  set_text(out, "clusterID", what.cluster_id);
  set_text(out, "version", what.version);
  if (what.members) {
    auto names = json::value::make_array();
    for (auto each : what.members->not_healthy) names.push(stateful_set + "-" + std::to_string(each));
    out.set("voters", name_of(what.members->all));
    out.set("notHealthy", std::move(names));
  }
  set_text(out, "key", what.key);
  return out;
}

std::string shortened(std::string const& text, std::size_t length) {
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;  // in the middle of a character of UTF-8
  return text.substr(0, length) + "...";
}

}  // namespace

report failed(report known, trouble why) {
  known.code = why.code, known.message = std::move(why.message);
  return known;
}

std::string to_line(report const& what, std::string const& stateful_set) {
  auto document = to_json(what, stateful_set);
  auto text = json::dump(document);
  if (text.size() > longest) document.erase("notHealthy"), document.erase("key"), text = json::dump(document);
  auto message = std::string(document.text("message"));
  while (text.size() > longest && message.size() > 8) {
    auto excess = std::min(message.size() - 4, text.size() - longest + 3);
    message = shortened(message, message.size() - excess);
    document.set("message", message);
    text = json::dump(document);
  }
  return text;
}

}  // namespace kopiur::executor::openbao
