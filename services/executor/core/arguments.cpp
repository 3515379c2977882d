#include "services/executor/core/arguments.hpp"

#include <algorithm>
#include <vector>

namespace kopiur::executor {

namespace {

struct argument {
  std::string name, value;
};

std::string list_of(std::vector<argument> const& some, bool given) {
  std::string out;
  for (auto& each : some)
    if (each.value.empty() != given) out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

std::string needed_by(std::string const& type, std::vector<argument> const& some) {
  auto missing = list_of(some, false);
  return missing.empty() ? "" : "--storage-type " + type + " needs " + missing + ".";
}

std::string foreign_to(std::string const& type, std::vector<argument> const& some) {
  auto given = list_of(some, true);
  return given.empty() ? "" : "--storage-type " + type + " does not take " + given + ".";
}

std::string first_of(std::string one, std::string other) { return one.empty() ? other : one; }

std::string suffix_problem(std::string const& suffix) {
  bool fits = suffix.size() <= 128 && std::ranges::all_of(suffix, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
              });
  return fits ? "" : "--key-suffix has at most 128 letters, digits, dots, - and _.";
}

}  // namespace

std::string problem_of(snapshot_upload const& what) {
  std::vector<argument> s3{{"--aws-bucket", what.aws_bucket}, {"--aws-region", what.aws_region}};
  std::vector<argument> s3_only{{"--aws-kms-key-arn", what.aws_kms_key_arn}, {"--sts-endpoint", what.sts_endpoint}};
  std::vector<argument> azure{{"--azure-container", what.azure_container}, {"--azure-storage-account", what.azure_storage_account}};
  std::vector<argument> azure_only{{"--azure-encryption-scope", what.azure_encryption_scope}};
  s3_only.insert(s3_only.end(), s3.begin(), s3.end());
  azure_only.insert(azure_only.end(), azure.begin(), azure.end());
  auto wrong = what.is_s3() ? first_of(needed_by("S3", s3), foreign_to("S3", azure_only))
                            : first_of(needed_by("AzureBlob", azure), foreign_to("AzureBlob", s3_only));
  return first_of(wrong, suffix_problem(what.key_suffix));
}

}  // namespace kopiur::executor
