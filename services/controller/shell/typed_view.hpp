#pragma once
#include <map>
#include <string>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/decoding.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// A view of messages of one type `T`. Each is decoded once, on arrival, and kept as a `Held` constructed from it. A message that does not
/// decode counts as absent, and is logged. Pointers are valid until the next suspension.
template <class T, class Held = T>
class typed_view {
 public:
  struct entry {
    Held value;
    std::uint64_t sequence = 0;
    bool ahead = false;  ///< written by this replica, not yet received from the stream
  };
  using entries = std::map<std::string, entry, std::less<>>;

  typed_view(service_context const& context, std::string_view stream, std::vector<std::string> filters, log::logger log)
      : view_(context.bus, context.time, context.loop, std::string(stream), std::move(filters), bus::view::keep::marks),
        log_(std::move(log)),
        decoder_(context.shared.decoder) {
    view_.on_change([this](std::string const& subject, bus::stored const* now) { take(subject, now); });
  }

  /// The underlying view; the caller runs it and waits for it.
  bus::view& view() { return view_; }
  /// The last message of a subject; nullptr when there is none.
  entry const* find(std::string_view subject) const {
    auto found = entries_.find(subject);
    return found == entries_.end() ? nullptr : &found->second;
  }
  /// All of them, by subject.
  entries const& all() const { return entries_; }
  /// Stores what this replica has written, before the stream delivers it.
  void put(std::string const& subject, Held value, std::uint64_t sequence) {
    auto known = entries_.find(subject);
    if (known == entries_.end() || sequence > known->second.sequence)
      entries_.insert_or_assign(subject, entry{std::move(value), sequence, true});
  }
  /// Makes the stream's entry count again over this replica's write: the stream was lost, and its sequences start over.
  void trust_stream(std::string_view subject) {
    if (auto found = entries_.find(subject); found != entries_.end()) found->second.ahead = false;
  }

 private:
  void take(std::string const& subject, bus::stored const* now) {
    if (!now) return void(entries_.erase(subject));
    auto known = entries_.find(subject);
    if (known != entries_.end() && known->second.ahead && known->second.sequence > now->sequence) return;
    auto read = controller::read<T>(now->body, decoder_);
    if (read) return void(entries_.insert_or_assign(subject, entry{Held(std::move(*read)), now->sequence, false}));
    entries_.erase(subject);
    log_.error("message.undecodable", {{"subject", subject}, {"problem", read.error().text()}});
  }

  bus::view view_;
  log::logger log_;
  shared_decoder* decoder_;
  entries entries_;
};

}  // namespace kopiur::controller
