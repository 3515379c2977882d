#pragma once
#include <expected>
#include <string>
#include <unordered_map>
#include <utility>

#include "common/json/codec.hpp"

namespace kopiur::mirror {

/// Whether what one replica decoded serves the others of this process. Off but in the simulation, where a dozen replicas would decode every
/// message again; decoding depends on the body alone, so nobody can tell the difference.
inline thread_local bool share_decoding = false;
/// Counted up by whoever ends a run of replicas: what the last ones decoded is of no use to the next, and would only fill the memory.
inline thread_local unsigned decoding_age = 0;

/// As json::read.
template <class T>
std::expected<T, json::problem> read(std::string const& body) {
  if (!share_decoding) return json::read<T>(body);
  constexpr std::size_t room = 4096;
  static thread_local std::unordered_map<std::string, T> known, older;  // what is asked for again moves from the older ones to the known
  static thread_local unsigned age = 0;
  if (std::exchange(age, decoding_age) != decoding_age) known.clear(), older.clear();
  if (auto found = known.find(body); found != known.end()) return found->second;
  if (known.size() >= room) older = std::exchange(known, {});
  if (auto kept = older.extract(body)) return known.insert(std::move(kept)).position->second;
  auto read = json::read<T>(body);
  if (read) known.emplace(body, *read);
  return read;
}

}  // namespace kopiur::mirror
