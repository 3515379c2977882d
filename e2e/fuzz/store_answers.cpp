#include "common/blob/azure/core/answers.hpp"
#include "common/blob/azure/core/identity.hpp"
#include "common/blob/core/oauth.hpp"
#include "common/blob/core/uri.hpp"
#include "common/blob/gcs/core/identity.hpp"
#include "common/blob/gcs/core/messages.hpp"
#include "common/blob/s3/core/classify.hpp"
#include "common/blob/s3/core/credentials_file.hpp"
#include "common/blob/s3/core/parts.hpp"
#include "common/blob/s3/core/web_identity.hpp"
#include "common/blob/s3/core/xml.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

using namespace blob;
using namespace blob::s3;

template <class T>
void require_clause(read_as<T> const& read) {
  require(read || (!read.error().empty() && !read.error().ends_with('.')), "a refusal is a clause");
}

void require_cursor(std::string const& next) {
  auto [marker, key] = split_cursor(next);
  require(next.empty() || marker + "\n" + key == next, "a cursor has two parts");
}

void look_at_lists(std::string_view text) {
  auto objects = read_objects(text);
  require_clause(objects);
  require_clause(read_removals(text));
  require_clause(read_versioning(text));
  require_clause(read_upload_id(text));
  require_clause(read_completion(text));
  if (auto versions = read_versions(text)) require_cursor(versions->next);
  if (auto uploads = read_uploads(text)) require_cursor(uploads->next);
  if (!objects) return;
  std::vector<blob::object_name> names;
  for (auto& each : objects->objects)
    if (fits_xml(each.key)) names.push_back({each.key});
  require(read_error_document(removals_xml(names)).code.empty(), "a list of removals is no error");
}

void look_at_rules(std::string_view text) {
  auto rules = read_lifecycle(text);
  require_clause(rules);
  if (!rules) return;
  auto written = lifecycle_xml(*rules);
  require(written.has_value(), "rules that were read can be written");
  auto again = read_lifecycle(*written);
  require(again.has_value(), "rules that were written can be read");
  require(*again == *rules, "rules are the same, however often they are stored");
}

void look_at_error(std::string_view text) {
  refusal answer{.status = 403, .document = read_error_document(text)};
  auto failed = classify(answer, "Listing");
  require(failed.message.ends_with('.') && !failed.message.contains('\n'), "an error is a sentence");
  require(failed.message.size() < 2000, "an error is short");
  auto of_sts = sts_error(403, text, "Assuming the role");
  require(of_sts.message.ends_with('.') && !of_sts.message.contains('\n') && of_sts.message.size() < 2000, "an error of STS is a sentence");
  require_clause(read_temporary_credentials(text));
  answer.status = 301;
  auto region = other_region(answer, "us-east-1");
  require(!region || (region->find_first_of("/.:@ \r\n") == region->npos && region->size() <= 64), "a region is a part of a host name");
}

void look_at_google(std::string_view text) {
  auto who = gcs::read_credentials(text);
  require(who || who.error().ends_with('.'), "credentials of Google, or a sentence");
  require_clause(gcs::read_resource(text));
  auto session = gcs::session_target(text);
  require(session.empty() || (session.starts_with('/') && session.find_first_of(" \r\n") == session.npos), "a session is a path");
  require(gcs::received_bytes(text) != 0U || text.empty(), "a range has bytes");
  gcs::md5_in({{"x-goog-hash", std::string(text)}});
  for (auto& failed : {gcs::token_error(401, text, "Getting"), gcs::metadata_error(404, text, "Getting"),
                       gcs::store_error(404, text, "Writing", gcs::subject::session)})
    require(failed.message.ends_with('.') && !failed.message.contains('\n') && failed.message.size() < 2000,
            "an error of Google is a sentence");
}

void look_at_credentials(std::string_view text) {
  auto read = read_credentials_file(text);
  auto of_azure = azure::read_credentials(text);
  require(of_azure || of_azure.error().ends_with('.'), "credentials of Azure, or a sentence");
  require_clause(read_access_token(text));
  for (auto& failed :
       {azure::token_error(401, text, "Getting"), azure::store_error({.document = read_error_document(text)}, "", "Writing")})
    require(failed.message.ends_with('.') && !failed.message.contains('\n') && failed.message.size() < 2000,
            "an error of Azure is a sentence");
  look_at_google(text);
  require(read ? !read->access_key.empty() && !read->secret_key.empty() : read.error().ends_with('.'), "credentials, or a sentence");
}

}  // namespace

/// The body of an answer of an object store.
void look(std::string_view input) {
  look_at_lists(input);
  look_at_rules(input);
  look_at_error(input);
  look_at_credentials(input);
  require(decoded(encoded(input)) == input, "an encoded name is decoded as the same");
}

}  // namespace kopiur::fuzz
