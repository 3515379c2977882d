#pragma once
#include "proto/core/metadata.hpp"
#include "proto/validate.hpp"

/// The checks that an API server makes outside spec and status: apiVersion, kind, names, labels, annotations.
namespace kopiur::proto {

/// Lower-case labels joined by dots, 253 characters at most (DNS-1123 subdomain).
bool is_object_name(std::string_view);
/// One such label, 63 characters at most.
bool is_namespace_name(std::string_view);

/// Appends findings about apiVersion, kind and metadata.
void check_envelope(kind_info const& info, json::value const& object, std::vector<finding>& out);
/// Appends findings about metadata only, for kinds that have no schema here (Secrets, claims, volumes).
void check_metadata(kind_info const& info, json::value const& object, std::vector<finding>& out);

}  // namespace kopiur::proto
