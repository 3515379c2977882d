#include "services/gateway/local/reading.hpp"

#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "services/gateway/local/job_start.hpp"

namespace kopiur::gateway::local {

namespace {

object_map what_movers_need(fs::path const& data) {
  object_map all;
  for (auto kind : {proto::secret::info.kind, proto::persistent_volume_claim::info.kind, proto::persistent_volume::info.kind})
    all.merge(read_objects(data, kind));
  return all;
}

}  // namespace

reading::reading(fs::path data) : data_(std::move(data)), secrets_(data_), name_(secrets_folder::name_of_reader()) {}
reading::~reading() { secrets_.remove(name_); }

outcome<process::command> reading::prepare(mover_settings const& settings, proto::create_job const& spec) const {
  auto ready = furnish({what_movers_need(data_), secrets_, settings, data_}, name_, spec);
  if (!ready) return refuse(proto::answer_code::Unavailable, ready.error().message);
  secrets_.write(name_, "work.json", ready->text);
  auto folder = secrets_.folder_of(name_);
  return process::command{.arguments = {settings.program, (folder / "work.json").string(), "--result", (folder / "result.json").string()},
                          .environment = std::move(ready->environment)};
}

std::optional<proto::job_result> reading::result() const {
  auto text = files::read_file(secrets_.folder_of(name_) / "result.json");
  auto read = text ? json::read<proto::job_result>(*text) : std::expected<proto::job_result, json::problem>{std::unexpect};
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

}  // namespace kopiur::gateway::local
