#pragma once
#include <boost/mp11/list.hpp>

#include "proto/openbao/openbao_restore.hpp"

namespace kopiur::proto {

/// The kinds of the API group openbao.org/v1alpha1 that kopiur serves.
using openbao_kinds = boost::mp11::mp_list<openbao_restore>;

}  // namespace kopiur::proto
