#include "common/bus/message.hpp"

#include <nats/nats.h>

#include <charconv>
#include <cstdlib>

namespace kopiur::bus {

namespace {

std::string_view view_of(char const* text) { return text ? std::string_view(text) : std::string_view{}; }

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number read{};
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), read);
  return text.empty() || failed != std::errc{} ? std::nullopt : std::optional(read);
}

}  // namespace

void message::destroy::operator()(natsMsg* raw) const { natsMsg_Destroy(raw); }

std::string_view message::subject() const { return view_of(natsMsg_GetSubject(raw_.get())); }
std::string_view message::reply() const { return view_of(natsMsg_GetReply(raw_.get())); }
std::string_view message::body() const {
  return {natsMsg_GetData(raw_.get()), static_cast<std::size_t>(natsMsg_GetDataLength(raw_.get()))};
}

std::string_view message::header(char const* name) const {
  char const* value = nullptr;
  return natsMsgHeader_Get(raw_.get(), name, &value) == NATS_OK ? view_of(value) : std::string_view{};
}

headers message::head() const {
  headers out;
  char const** names = nullptr;
  int count = 0;
  if (natsMsgHeader_Keys(raw_.get(), &names, &count) != NATS_OK) return out;
  for (int i = 0; i < count; ++i) {
    char const** values = nullptr;
    int several = 0;
    if (natsMsgHeader_Values(raw_.get(), names[i], &values, &several) != NATS_OK) continue;
    for (int j = 0; j < several; ++j) out.emplace_back(names[i], view_of(values[j]));
    std::free(values);
  }
  std::free(names);
  return out;
}

wire::pull_status message::status() const {
  return {number<int>(header("Status")).value_or(0), std::string(header("Description")), number<int>(header("Nats-Pending-Messages")),
          number<std::uint64_t>(header("Nats-Last-Consumer"))};
}

message make_message(std::string const& subject, std::string const& reply_to, std::string_view body, headers const& head) {
  natsMsg* raw = nullptr;
  auto* answer_to = reply_to.empty() ? nullptr : reply_to.c_str();
  if (natsMsg_Create(&raw, subject.c_str(), answer_to, body.data(), static_cast<int>(body.size())) != NATS_OK) return {};
  message made(raw);
  for (auto const& [name, value] : head)
    if (natsMsgHeader_Add(raw, name.c_str(), value.c_str()) != NATS_OK) return {};
  return made;
}

}  // namespace kopiur::bus
