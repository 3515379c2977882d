#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"

/// Compares two versions of the product: a change that keeps the behaviour keeps the digest of the same seed.
namespace kopiur::simulation {

/// A digest of everything that a run did to the cluster, to applications and to repositories, and when. It does not cover names in the
/// code, subjects, bus messages or texts for users.
class digest {
 public:
  void add(instant time, std::initializer_list<std::string_view> what);
  std::uint64_t value() const { return value_; }

 private:
  void mix(std::string_view bytes);

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// The facts of a stored object, without its texts: generation, deletion, finalizers, labels, phase, job, snapshot, and each condition's
/// type, status and reason.
std::string facts_of(json::value const& object);

}  // namespace kopiur::simulation
