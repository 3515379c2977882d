#include "services/mover/core/policy.hpp"

#include <algorithm>
#include <array>

namespace kopiur::mover {

namespace {

constexpr std::array keeps = {"keepLatest", "keepHourly", "keepDaily", "keepWeekly", "keepMonthly", "keepAnnual"};

json::value texts(std::vector<std::string> const& from) {
  auto list = json::value::make_array();
  for (auto const& each : from) list.push(each);
  return list;
}

json::value retention_of(proto::snapshot_policy const& recipe) {
  auto retention = json::value::make_object();
  for (auto* keep : keeps) retention.set(keep, 0);
  retention.set("ignoreIdenticalSnapshots", recipe.ignore_identical_snapshots);
  return retention;
}

json::value files_of(proto::snapshot_policy const& recipe) {
  std::vector<std::string> ignored{"/lost+found"};
  ignored.insert(ignored.end(), recipe.ignore_paths.begin(), recipe.ignore_paths.end());
  auto files = json::value::make_object();
  files.set("ignore", texts(ignored));
  files.set("ignoreDotFiles", texts(recipe.follow_ignore_files ? std::vector<std::string>{ignore_file} : std::vector<std::string>{}));
  files.set("ignoreCacheDirs", recipe.ignore_cache_dirs);
  return files;
}

json::value errors_of(proto::snapshot_policy const& recipe) {
  auto errors = json::value::make_object();
  errors.set("ignoreFileErrors", recipe.ignore_file_errors);
  errors.set("ignoreDirectoryErrors", recipe.ignore_dir_errors);
  errors.set("ignoreUnknownTypes", true);  // sockets and devices have no content to save
  return errors;
}

json::value compression_of(proto::snapshot_policy const& recipe) {
  auto compression = json::value::make_object();
  compression.set("compressorName", recipe.compressor.value_or("none"));
  if (!recipe.never_compress.empty()) compression.set("neverCompress", texts(recipe.never_compress));
  return compression;
}

}  // namespace

std::string source_text(proto::identity const& source) { return source.username + "@" + source.hostname + ":" + source.source_path; }

json::value policy_of(proto::snapshot_policy const& recipe) {
  auto policy = json::value::make_object();
  policy.set("retention", retention_of(recipe));
  policy.set("files", files_of(recipe));
  policy.set("errorHandling", errors_of(recipe));
  auto scheduling = json::value::make_object();
  scheduling.set("manual", true);  // --override-source would set it too
  policy.set("scheduling", scheduling);
  policy.set("compression", compression_of(recipe));
  auto metadata = json::value::make_object();
  metadata.set("compressorName", "zstd-fastest");  // kopia's default
  policy.set("metadataCompression", metadata);
  auto splitter = json::value::make_object();
  if (recipe.splitter) splitter.set("algorithm", *recipe.splitter);
  policy.set("splitter", splitter);
  policy.set("noParent", true);
  return policy;
}

std::string policy_document(proto::identity const& source, proto::snapshot_policy const& recipe) {
  auto document = json::value::make_object();
  document.set(source_text(source), policy_of(recipe));
  return json::dump(document);
}

bool keeps_everything(json::value const& effective) {
  auto* retention = effective.find("retention");
  return retention && std::ranges::all_of(keeps, [&](auto* keep) {
           auto* count = retention->find(keep);
           return count && count->as_int() && *count->as_int() == 0;
         });
}

bool follows(json::value const& effective, proto::snapshot_policy const& recipe) {
  auto wanted = policy_of(recipe);
  wanted.set("actions", json::value::make_object());  // another policy may add these; ours never sets them
  wanted.set("upload", json::value::make_object());
  for (auto* section : {"retention", "files", "errorHandling", "compression", "splitter", "actions", "upload"}) {
    auto* there = effective.find(section);
    if (!there || *there != *wanted.find(section)) return false;
  }
  return true;
}

}  // namespace kopiur::mover
