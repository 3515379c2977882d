#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

/// Hashes that never change: names of objects, ids of runs, the minute that an `H` stands for. Results may already be stored in a cluster
/// or on the bus, so a changed result is a changed identity. The golden values in the test guard that.
namespace kopiur::hash {

/// Each part is hashed as its length (8 bytes, little-endian) and its bytes, so that {"ab", "c"} and {"a", "bc"} differ.
using parts = std::span<std::string_view const>;

/// 64 bits: FNV-1a over the framed parts, then the finaliser of MurmurHash3 (FNV alone leaves its high and low bits uneven for short keys).
/// For spreading over small ranges (`stable_hash(...) % 60`); not for names, where a collision would confuse two objects.
std::uint64_t stable_hash(parts);
std::uint64_t stable_hash(std::initializer_list<std::string_view>);

/// The first `length` (at most 64) lower-case hex digits of SHA-256 over the framed parts. For names and ids: 16 digits collide by chance
/// once in 2^32 names, 32 digits never in practice; an attacker cannot choose parts that make 32 of them collide.
std::string digest_hex(parts, std::size_t length);
std::string digest_hex(std::initializer_list<std::string_view>, std::size_t length);

}  // namespace kopiur::hash
