#pragma once
#include <optional>
#include <string>

#include "proto/describe.hpp"
#include "proto/hypershift/names.hpp"

/// Where the snapshots of etcd go: what both kinds of backups share.
namespace kopiur::proto {

enum class etcd_storage_type { S3, AzureBlob };
BOOST_DESCRIBE_ENUM(etcd_storage_type, S3, AzureBlob)

/// A Secret in the namespace of HyperShift's operator: never in that of the object, which may belong to a customer.
struct operator_secret_ref {
  std::string name;
};
KOPIUR_DESCRIBE_NOTED(operator_secret_ref, (), (name))

}  // namespace kopiur::proto
