#pragma once
#include <boost/mp11/list.hpp>

#include "proto/hypershift/etcd_backup.hpp"
#include "proto/hypershift/hcp_etcd_backup.hpp"

namespace kopiur::proto {

/// The kinds of the API group hypershift.openshift.io/v1beta1 that kopiur serves.
using hypershift_kinds = boost::mp11::mp_list<etcd_backup, hcp_etcd_backup>;

}  // namespace kopiur::proto
