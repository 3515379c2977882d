#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"

/// Compares two versions of the product: on the same seed, a change that keeps its behaviour keeps the digest.
namespace kopiur::simulation {

/// A number for everything that a run did to the cluster, to applications and to repositories, and when. Names in the code, subjects,
/// messages on the bus and texts for users are no part of it.
class digest {
 public:
  void add(instant at, std::initializer_list<std::string_view> what);
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::string_view bytes);

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// What a stored object states, without its texts: generation, deletion, finalizers, labels, phase, job, snapshot, and each condition's
/// type, status and reason.
std::string facts_of(json::value const& object);

}  // namespace kopiur::simulation
