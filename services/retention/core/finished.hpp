#pragma once
#include <cstddef>
#include <vector>

#include "services/retention/core/pool.hpp"

/// Objects that record one act each, and that ended well (controller::system::finished). Pure.
namespace kopiur::retention {

inline constexpr std::size_t usual_finished = 5;

/// Those beyond the newest `keep`. `all`: of one kind and namespace, the oldest first.
std::vector<expired> beyond(std::vector<proto::object_ref> const& all, std::size_t keep);

}  // namespace kopiur::retention
