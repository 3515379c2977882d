#include "proto/schema/notes.hpp"

#include "services/systems/buckety/s3/config.hpp"
#include "services/systems/buckety/s3/parameters.hpp"

/// Schema notes of the driver's configuration and parameters.
namespace kopiur::buckety::s3 {
namespace {

constexpr schema::limits url{.min_length = 1,
                             .pattern = R"(^https?://[^/:@?#\s][^@?#\s]*$)",
                             .pattern_says = "a URL without user and query, as in `http://minio.storage:9000`"};
constexpr schema::limits not_empty{.min_length = 1};
constexpr std::string_view truth[]{"true", "false"}, jurisdictions[]{"eu"};

}  // namespace

schema::type_notes notes_of(std::type_identity<backend_config>) {
  return {
      .text =
          "The `config` of a backend with the driver `s3`. `${VAR}` and `${VAR:-default}` are replaced in the two keys only, where `$$` "
          "is a literal `$`.",
      .fields = {
          {"endpoint", "Address of the S3 API. Accesses get it exactly as it is written.", url},
          {.field = "accessKeyID", .text = "Access key of the backend, usually `${VARIABLE}`.", .own = not_empty, .required = true},
          {.field = "secretAccessKey", .text = "Secret key of the backend, usually `${VARIABLE}`.", .own = not_empty, .required = true},
          {"region", "Region that requests are signed for; without it us-east-1. Accesses get it only if it is set."},
          {"forcePathStyle", "Address buckets by path (`host/bucket`) and not by host name (`bucket.host`)."},
          {"implementation",
           "The service behind the endpoint. Some parameters need it: `jurisdiction` needs r2.",
           {.values = implementations}}}};
}

schema::type_notes notes_of(std::type_identity<bucket_parameters>) {
  return {.text = "`spec.parameters` of a Buckety with the driver `s3`. A parameter that is absent is not managed.",
          .fields = {
              {"versioning",
               "true: the bucket keeps older versions of objects. false: it stops doing so. Stores without versions ignore it.",
               {.values = truth}},
              {"lifecycle",
               "JSON: `{\"rule\": [{\"action\": {\"type\": \"Delete\"}, \"condition\": {\"age\": 30, \"matchesPrefix\": [\"tmp/\"]}}]}`. "
               "The types are Delete and AbortIncompleteMultipartUpload, `age` counts days, and one prefix at most is allowed. An empty "
               "list removes all rules.",
               not_empty},
              {"jurisdiction",
               "Where the data stays; only on a backend with `implementation: r2`, and immutable. Leave it out for the global default.",
               {.values = jurisdictions}}}};
}

}  // namespace kopiur::buckety::s3
