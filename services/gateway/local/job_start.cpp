#include "services/gateway/local/job_start.hpp"

#include <cstdlib>

#include "proto/codec.hpp"
#include "services/gateway/core/secret_value.hpp"

namespace kopiur::gateway::local {

using proto::answer_code;

namespace {

bool is_variable(std::string const& name) { return !name.empty() && name.find('=') == name.npos && name.find('\0') == name.npos; }

outcome<void> place(proto::secret_use const& use, std::string value, job_secrets& into) {
  into.values.push_back(value);
  if (use.env && !use.file && is_variable(*use.env)) {
    into.environment.push_back(*use.env + "=" + value);
    // A variable ends at a zero byte. The mover decides whether that matters: it creates no repository with such a password.
    if (use.env == "KOPIA_PASSWORD" && value.contains('\0')) into.environment.push_back("KOPIUR_PASSWORD_CUT=1");
    return {};
  }
  if (use.file && !use.env && files::is_plain_name(*use.file)) {
    into.files.emplace_back(*use.file, std::move(value));
    return {};
  }
  return refuse(answer_code::Invalid,
                "The key " + use.key + " of Secret " + use.secret_name + " has to go either to a variable or to a file of a plain name.");
}

}  // namespace

outcome<std::string> secret_value(object_map const& objects, object_key const& secret, std::string const& key) {
  auto object = objects.find(secret);
  if (object == objects.end()) return refuse(answer_code::NotFound, "There is no " + secret.text() + ": create it.");
  return value_in(object->second, key);
}

outcome<job_secrets> resolve_secrets(object_map const& objects, proto::create_job const& spec) {
  job_secrets all;
  for (auto const& use : spec.secrets) {
    auto value = secret_value(objects, key_of(use, spec.namespace_), use.key);
    if (!value && use.optional && value.error().code == answer_code::NotFound) continue;
    if (!value) return std::unexpected(value.error());
    if (auto placed = place(use, std::move(*value), all); !placed) return std::unexpected(placed.error());
  }
  return all;
}

outcome<std::map<std::string, std::string>> resolve_volumes(object_map const& objects, proto::create_job const& spec) {
  std::map<std::string, std::string> folders;
  for (auto const& use : spec.volumes) {
    if (!use.claim_name.empty()) {
      auto folder = folder_of(objects, use.claim_namespace.empty() ? spec.namespace_ : use.claim_namespace, use.claim_name);
      if (!folder) return std::unexpected(folder.error());
      folders[use.name] = folder->string();
      continue;
    }
    std::error_code unknown;
    if (!use.host_path.starts_with("/") || (use.read_only && !fs::is_directory(use.host_path, unknown)))
      return refuse(answer_code::Unavailable,
                    "The folder \"" + use.host_path + "\" does not exist, or is not an absolute path: mount it, or correct the path.");
    folders[use.name] = use.host_path;
  }
  return folders;
}

mover_settings movers_of_host(std::string program) {
  mover_settings settings{.program = std::move(program)};
  for (auto* name : {"PATH", "HOME", "TMPDIR", "KOPIUR_KOPIA", "SSL_CERT_FILE", "SSL_CERT_DIR", "TZ"})
    if (auto* value = std::getenv(name)) settings.environment.push_back(std::string(name) + "=" + value);
  return settings;
}

std::vector<fs::path> folders_of_movers() {
  std::vector<fs::path> folders{"/dev/shm", "/tmp"};
  for (auto* name : {"XDG_RUNTIME_DIR", "TMPDIR"})
    if (auto* value = std::getenv(name); value && *value == '/') folders.emplace_back(value);
  return folders;
}

std::expected<furnished_work, not_yet> furnish(mover_site const& site, std::string const& name, proto::create_job const& spec) {
  auto wait = [](std::string reason, refusal const& why) { return std::unexpected(not_yet{std::move(reason), why.message}); };
  auto folders = resolve_volumes(site.objects, spec);
  if (!folders) return wait("VolumeMissing", folders.error());
  auto secrets = resolve_secrets(site.objects, spec);
  if (!secrets) return wait("SecretMissing", secrets.error());
  auto cache = site.data / "cache" / cache_folder(spec);
  files::make_folder(cache, 0700);
  folders->emplace("cache", fs::absolute(cache).string());
  folders->emplace("secrets", secrets->files.empty() ? "" : site.secrets.folder_of(name).string());
  auto task = task_text(spec, *folders);
  if (!task) return wait("WorkInvalid", task.error());
  for (auto const& [file_name, content] : secrets->files) site.secrets.write(name, file_name, content);
  auto environment = site.settings.environment;
  environment.push_back("KOPIUR_DATA=" + fs::absolute(site.data).string());
  environment.insert(environment.end(), secrets->environment.begin(), secrets->environment.end());
  return furnished_work{std::move(*task), std::move(environment), std::move(secrets->values)};
}

std::expected<ready_mover, not_yet> prepare_mover(mover_site const& site, job_folder const& folder, proto::create_job const& spec) {
  auto path_of = [&](char const* file_name) { return fs::absolute(folder.file_of(file_name)); };
  auto ready = furnish(site, folder.path().filename().string(), spec);
  if (!ready) return std::unexpected(ready.error());
  files::write_file(path_of("work.json"), ready->text, 0600);
  auto lock = files::try_lock(path_of("lock"));
  if (!lock) return std::unexpected(not_yet{"Locked", "Another process holds " + path_of("lock").string() + "."});
  process::detached_start start{{site.settings.program, path_of("work.json").string(), "--result", path_of("result.json").string()},
                                std::move(ready->environment),
                                fs::absolute(folder.path()),
                                path_of("stdout"),
                                path_of("stderr"),
                                lock->number()};
  return ready_mover{std::move(start), std::move(*lock), std::move(ready->secret_values)};
}

}  // namespace kopiur::gateway::local
