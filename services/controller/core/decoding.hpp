#pragma once
#include <expected>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>

#include "common/json/codec.hpp"

namespace kopiur::controller {

/// Decodes each message once for all replicas of one process. Decoding depends on the body alone, so no replica can tell the difference.
/// The simulation shares one among a dozen replicas; a service in production has none and keeps its decoded views.
class shared_decoder {
 public:
  shared_decoder() = default;
  shared_decoder(shared_decoder const&) = delete;

  /// As json::read.
  template <class T>
  std::expected<T, json::problem> read(std::string const& body) {
    auto [known, older] = cache_of<T>();
    if (auto found = known.find(body); found != known.end()) return found->second;
    if (known.size() >= most) older = std::exchange(known, {});
    if (auto kept = older.extract(body)) return known.insert(std::move(kept)).position->second;
    auto read = json::read<T>(body);
    if (read) known.emplace(body, *read);
    return read;
  }

 private:
  static constexpr std::size_t most = 4096;
  struct any_cache {
    virtual ~any_cache() = default;
  };
  template <class T>
  struct cache : any_cache {
    std::unordered_map<std::string, T> known, older;  // an entry that is read again moves from `older` to `known`
  };
  template <class T>
  std::pair<std::unordered_map<std::string, T>&, std::unordered_map<std::string, T>&> cache_of() {
    auto& slot = caches_[typeid(T)];
    if (!slot) slot = std::make_unique<cache<T>>();
    auto& one = static_cast<cache<T>&>(*slot);
    return {one.known, one.older};
  }

  std::unordered_map<std::type_index, std::unique_ptr<any_cache>> caches_;
};

/// Uses the decoder if there is one.
template <class T>
std::expected<T, json::problem> read(std::string const& body, shared_decoder* by) {
  return by ? by->read<T>(body) : json::read<T>(body);
}

}  // namespace kopiur::controller
