#include "common/blob/core/uri.hpp"
#include "common/blob/core/xml_document.hpp"
#include "common/blob/s3/core/xml.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::s3 {

namespace {

std::string child(pugi::xml_node from, char const* name) { return from.child_value(name); }
bool is_true(pugi::xml_node from, char const* name) { return child(from, name) == "true"; }

/// Reads names of a listing, which may be encoded.
class names {
 public:
  explicit names(pugi::xml_node list) : encoded_(child(list, "EncodingType") == "url") {}
  std::string operator()(pugi::xml_node from, char const* name) const {
    auto text = child(from, name);
    return encoded_ ? decoded(text) : text;
  }

 private:
  bool encoded_;
};

object read_object(pugi::xml_node from, names const& name) {
  object out{.key = name(from, "Key"), .modified = instant_from(child(from, "LastModified")), .tag = child(from, "ETag")};
  out.size = encoding::whole_number<std::uint64_t>(child(from, "Size")).value_or(0);
  return out;
}

object_version read_version(pugi::xml_node from, names const& name) {
  return {.content = read_object(from, name),
          .version = child(from, "VersionId"),
          .latest = is_true(from, "IsLatest"),
          .delete_marker = std::string_view(from.name()) == "DeleteMarker"};
}

/// A cursor for the next page, from what a list says at its end; empty: it names none.
std::string cursor_of(pugi::xml_node list, names const& name, char const* id) {
  auto key = name(list, "NextKeyMarker");
  auto marker = child(list, id);
  return key.empty() && marker.empty() ? "" : marker + "\n" + key;
}

/// A page of a list. `fill` sets `next` to what the list names, which counts if it is not the last page.
template <class Page, class Fill>
read_as<Page> read_page(std::string_view text, char const* root, Fill fill) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, root); !wrong.empty()) return std::unexpected(wrong);
  auto list = document.document_element();
  Page out;
  fill(list, names(list), out);
  if (!is_true(list, "IsTruncated"))
    out.next.clear();
  else if (out.next.empty())
    return std::unexpected("it says that it is not the last page, and not where the next one begins");
  return out;
}

}  // namespace

std::pair<std::string, std::string> split_cursor(std::string const& cursor) {
  auto end = cursor.find('\n');
  if (end == cursor.npos) return {cursor, ""};
  return {cursor.substr(0, end), cursor.substr(end + 1)};
}

read_as<object_page> read_objects(std::string_view text) {
  return read_page<object_page>(text, "ListBucketResult", [](pugi::xml_node list, names const& name, object_page& out) {
    for (auto each : list.children("Contents")) out.objects.push_back(read_object(each, name));
    for (auto each : list.children("CommonPrefixes")) out.prefixes.push_back(name(each, "Prefix"));
    out.next = child(list, "NextContinuationToken");
  });
}

read_as<version_page> read_versions(std::string_view text) {
  return read_page<version_page>(text, "ListVersionsResult", [](pugi::xml_node list, names const& name, version_page& out) {
    for (auto each : list.children())
      if (std::string_view kind = each.name(); kind == "Version" || kind == "DeleteMarker")
        out.versions.push_back(read_version(each, name));
    out.next = cursor_of(list, name, "NextVersionIdMarker");
  });
}

read_as<upload_page> read_uploads(std::string_view text) {
  return read_page<upload_page>(text, "ListMultipartUploadsResult", [](pugi::xml_node list, names const& name, upload_page& out) {
    for (auto each : list.children("Upload"))
      out.uploads.push_back({name(each, "Key"), child(each, "UploadId"), instant_from(child(each, "Initiated"))});
    out.next = cursor_of(list, name, "NextUploadIdMarker");
  });
}

read_as<std::vector<failed_removal>> read_removals(std::string_view text) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, "DeleteResult"); !wrong.empty()) return std::unexpected(wrong);
  std::vector<failed_removal> out;
  for (auto each : document.document_element().children("Error"))
    out.push_back({{child(each, "Key"), child(each, "VersionId")}, child(each, "Code"), child(each, "Message")});
  return out;
}

read_as<versioning> read_versioning(std::string_view text) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, "VersioningConfiguration"); !wrong.empty()) return std::unexpected(wrong);
  auto status = child(document.document_element(), "Status");
  if (status == "Enabled") return versioning::enabled;
  if (status == "Suspended") return versioning::suspended;
  if (status.empty()) return versioning::never;
  return std::unexpected("its status \"" + status.substr(0, 40) + "\" is unknown");
}

}  // namespace kopiur::blob::s3
