#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "common/json/codec.hpp"
#include "proto/describe.hpp"
#include "services/systems/buckety/config/secret_text.hpp"

namespace kopiur::proto::schema {
struct type_notes;
}

/// The driver `s3`: every service that speaks the S3 API.
namespace kopiur::buckety::s3 {

namespace schema = proto::schema;

/// Values of `implementation`; an empty one is as good as none.
inline constexpr std::array<std::string_view, 5> implementations{"", "aws", "r2", "minio", "versitygw"};

/// The `config:` block. Text fields that are not optional are required.
struct backend_config {
  std::string endpoint;  ///< http:// or https://
  secret_text access_key_ID, secret_access_key;
  std::optional<std::string> region;  ///< never empty
  bool force_path_style = false;
  std::optional<std::string> implementation;  ///< one of `implementations`, never empty; none: no capability is assumed
};
KOPIUR_DESCRIBE_NOTED(backend_config, (), (endpoint, access_key_ID, secret_access_key, region, force_path_style, implementation))

}  // namespace kopiur::buckety::s3
