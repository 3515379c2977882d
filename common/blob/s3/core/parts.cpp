#include "common/blob/s3/core/parts.hpp"

#include "common/blob/core/digest.hpp"
#include "common/blob/s3/core/xml_root.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::blob::s3 {

namespace {

std::string without_quotes(std::string_view tag) {
  if (tag.size() >= 2 && tag.starts_with('"') && tag.ends_with('"')) tag = tag.substr(1, tag.size() - 2);
  return std::string(tag);
}

/// The bytes of an MD5 in hexadecimal; empty: it is none.
std::string md5_in(std::string const& tag) {
  std::string out;
  for (std::size_t i = 0; tag.size() == 32 && i < 32; i += 2) {
    auto digits = tag.substr(i, 2);
    if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return "";
    out += static_cast<char>(std::stoi(digits, nullptr, 16));
  }
  return out;
}

/// The text of a child of a document; an error when the document is another one, or has no such child.
read_as<std::string> read_child(std::string_view text, char const* root, char const* name) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, root); !wrong.empty()) return std::unexpected(wrong);
  std::string found = document.document_element().child_value(name);
  if (found.empty()) return std::unexpected(std::string("it has no <") + name + ">");
  return found;
}

}  // namespace

read_as<std::string> read_upload_id(std::string_view text) { return read_child(text, "InitiateMultipartUploadResult", "UploadId"); }
read_as<std::string> read_completion(std::string_view text) { return read_child(text, "CompleteMultipartUploadResult", "ETag"); }

std::string completion_xml(std::vector<sent_part> const& parts) {
  pugi::xml_document document;
  auto root = add_root(document, "CompleteMultipartUpload");
  int number = 0;
  for (auto& each : parts) {
    auto part = root.append_child("Part");
    add(part, "PartNumber", std::to_string(++number));
    add(part, "ETag", each.tag);
    add(part, "ChecksumSHA256", encoding::base64(each.sha256));
  }
  return to_text(document);
}

content_proof proof_of(std::string_view content) {
  return {.size = content.size(), .checksum = encoding::base64(sha256(content)), .tag = encoding::hex(md5(content))};
}

content_proof proof_of(std::uint64_t size, std::vector<sent_part> const& parts) {
  std::string checksums, tags;
  for (auto& each : parts) checksums += each.sha256, tags += md5_in(without_quotes(each.tag));
  bool known = tags.size() == parts.size() * 16;
  return {.size = size,
          .checksum = encoding::base64(sha256(checksums)),
          .tag = known ? encoding::hex(md5(tags)) + "-" + std::to_string(parts.size()) : ""};
}

sameness compare(content_proof const& ours, content_proof const& stored) {
  if (ours.size != stored.size) return sameness::different;
  if (!stored.checksum.empty())
    return stored.checksum.substr(0, stored.checksum.find('-')) == ours.checksum ? sameness::same : sameness::different;
  return !ours.tag.empty() && without_quotes(stored.tag) == ours.tag ? sameness::same : sameness::unknown;
}

}  // namespace kopiur::blob::s3
