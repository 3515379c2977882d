#pragma once
#include <boost/mp11/list.hpp>

#include "proto/buckety/buckety.hpp"
#include "proto/buckety/buckety_access.hpp"

namespace kopiur::proto {

/// The API group buckety.yolean.se/v1alpha1.
using buckety_kinds = boost::mp11::mp_list<buckety, buckety_access>;

}  // namespace kopiur::proto
