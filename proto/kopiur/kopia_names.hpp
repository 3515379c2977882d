#pragma once
#include <string_view>

/// kopia's names of algorithms, as its flags accept them, without `inherit`, which a stored policy would take literally. A test compares
/// them with the binary (services/mover/test/real/golden_test.cpp).
namespace kopiur::proto::kopia_names {

inline constexpr std::string_view compressors[] = {"none",
                                                   "deflate-best-compression",
                                                   "deflate-best-speed",
                                                   "deflate-default",
                                                   "gzip",
                                                   "gzip-best-compression",
                                                   "gzip-best-speed",
                                                   "lz4",
                                                   "pgzip",
                                                   "pgzip-best-compression",
                                                   "pgzip-best-speed",
                                                   "s2-better",
                                                   "s2-default",
                                                   "s2-parallel-4",
                                                   "s2-parallel-8",
                                                   "zstd",
                                                   "zstd-best-compression",
                                                   "zstd-better-compression",
                                                   "zstd-fastest"};
inline constexpr std::string_view splitters[] = {"DYNAMIC",
                                                 "DYNAMIC-128K-BUZHASH",
                                                 "DYNAMIC-128K-RABINKARP",
                                                 "DYNAMIC-1M-BUZHASH",
                                                 "DYNAMIC-1M-RABINKARP",
                                                 "DYNAMIC-256K-BUZHASH",
                                                 "DYNAMIC-256K-RABINKARP",
                                                 "DYNAMIC-2M-BUZHASH",
                                                 "DYNAMIC-2M-RABINKARP",
                                                 "DYNAMIC-4M-BUZHASH",
                                                 "DYNAMIC-4M-RABINKARP",
                                                 "DYNAMIC-512K-BUZHASH",
                                                 "DYNAMIC-512K-RABINKARP",
                                                 "DYNAMIC-8M-BUZHASH",
                                                 "DYNAMIC-8M-RABINKARP",
                                                 "FIXED",
                                                 "FIXED-128K",
                                                 "FIXED-1M",
                                                 "FIXED-256K",
                                                 "FIXED-2M",
                                                 "FIXED-4M",
                                                 "FIXED-512K",
                                                 "FIXED-8M"};
inline constexpr std::string_view hashes[] = {"BLAKE2B-256",     "BLAKE2B-256-128", "BLAKE2S-128",  "BLAKE2S-256",
                                              "BLAKE3-256",      "BLAKE3-256-128",  "HMAC-SHA224",  "HMAC-SHA256",
                                              "HMAC-SHA256-128", "HMAC-SHA3-224",   "HMAC-SHA3-256"};
inline constexpr std::string_view encryptions[] = {"AES256-GCM-HMAC-SHA256", "CHACHA20-POLY1305-HMAC-SHA256"};
inline constexpr std::string_view error_corrections[] = {"REED-SOLOMON-CRC32"};

}  // namespace kopiur::proto::kopia_names
