#include "common/json/codec.hpp"

#include <algorithm>
#include <cctype>

#include "common/encoding/join.hpp"

namespace kopiur::json {

std::string wire_name(std::string_view member) {
  std::string name;
  bool upper = false;
  for (char c : member) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return name;
}

std::string_view name_among(std::span<enumerator const> known, long long value) {
  auto found = std::ranges::find(known, value, &enumerator::value);
  return found == known.end() ? "?" : found->name;
}

enumerator const* find_among(std::span<enumerator const> known, std::string_view name) {
  auto found = std::ranges::find(known, name, &enumerator::name);
  return found == known.end() ? nullptr : &*found;
}

namespace detail {

problem inside(std::string_view name, problem p) {
  auto joint = p.where.empty() || p.where.front() == '[' ? "" : ".";
  return {std::string(name) + joint + p.where, std::move(p.what), p.too_large};
}

outcome not_among(std::span<enumerator const> known) { return wrong("must be one of " + encoding::join(known, ", ", &enumerator::name)); }

namespace {
/// Member access needs a mutable holder, for reading and for writing.
void const* address(void const* holder, member_codec const& codec) { return codec.member_in(const_cast<void*>(holder)); }
}  // namespace

std::vector<value> encode_each(void const* from, std::vector<member_codec> const& members) {
  std::vector<value> all;
  all.reserve(members.size());
  for (auto& member : members) all.push_back(member.type->encode(address(from, member)));
  return all;
}

value encode_members(void const* from, struct_codec const& codec) {
  value out = value::make_object();
  for (auto& member : codec.members) {
    auto* field = address(from, member);
    if (!member.inlined && member.type->is_written && !member.type->is_written(field)) continue;
    value content = member.type->encode(field);
    if (member.inlined) {
      if (auto* members = content.as_object())
        for (auto& [name, inner] : *members) out.set(name, std::move(inner));
    } else if (codec.defaults.empty() || content != codec.defaults[static_cast<std::size_t>(&member - codec.members.data())]) {
      out.set(member.name, std::move(content));
    }
  }
  return out;
}

outcome decode_members(value const& from, void* target, struct_codec const& codec) {
  if (!from.as_object()) return wrong("must be an object");
  for (auto& member : codec.members) {
    if (member.inlined) {
      if (auto read = member.type->decode(from, member.member_in(target)); !read) return read;
      continue;
    }
    auto* content = from.find(member.name);
    if (!content || content->is_null()) continue;
    if (auto read = member.type->decode(*content, member.member_in(target)); !read)
      return std::unexpected(inside(member.name, read.error()));
  }
  return {};
}

outcome decode_items(value const& from, void* target, list_codec const& codec) {
  if (!from.as_array()) return wrong("must be a list");
  std::size_t index = 0;
  for (auto& item : *from.as_array()) {
    if (auto read = codec.item->decode(item, codec.add(target)); !read)
      return std::unexpected(inside("[" + std::to_string(index) + "]", read.error()));
    ++index;
  }
  return {};
}

}  // namespace detail
}  // namespace kopiur::json
