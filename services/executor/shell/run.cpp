#include "services/executor/shell/run.hpp"

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "common/app/system_clock.hpp"
#include "services/executor/core/object_name.hpp"
#include "services/executor/shell/openbao/run.hpp"
#include "services/executor/shell/termination_log.hpp"

namespace kopiur::executor {

namespace asio = boost::asio;

namespace {

constexpr int done = 0, failed = 1, usage = 2;

/// What the arguments say. One of the verbs was called.
struct call {
  certificate_fetch fetch;
  snapshot_upload upload;
  std::int64_t now = -1;  ///< seconds; -1: the clock
  CLI::App *fetches = nullptr, *uploads = nullptr;
  std::map<CLI::App*, openbao::step> of_openbao;
};

void add_fetch(CLI::App& app, call& into) {
  auto& verb = *(into.fetches = app.add_subcommand("fetch-etcd-certs", "Write the certificates of a hosted control plane's etcd to files"));
  verb.add_option("--hcp-namespace", into.fetch.hcp_namespace, "Namespace of the hosted control plane")->required();
  verb.add_option("--output-dir", into.fetch.output_dir, "Folder for ca.crt, etcd-client.crt and etcd-client.key")->required();
  verb.add_option("--service-account", into.fetch.service_account, "Folder with token and ca.crt")->group("");  // tests
}

void add_upload(CLI::App& app, call& into) {
  auto& verb = *(into.uploads = app.add_subcommand("etcd-upload", "Upload a snapshot of etcd to an object store, as a new object"));
  auto& what = into.upload;
  verb.add_option("--snapshot-path", what.snapshot_path, "The snapshot, a file")->required();
  verb.add_option("--storage-type", what.storage_type, "S3 or AzureBlob")->required()->check(CLI::IsMember({"S3", "AzureBlob"}));
  verb.add_option("--key-prefix", what.key_prefix, "The object is PREFIX/SECONDS-SUFFIX.db")->required();
  verb.add_option("--key-suffix", what.key_suffix, "Makes the key unique");
  verb.add_option("--credentials-file", what.credentials_file, "File with credentials; without it: those of the pod's identity");
  verb.add_option("--endpoint", what.endpoint, "URL of the store; without it: that of AWS or Azure");
  verb.add_option("--ca-file", what.ca_file, "Authorities to trust besides the system's, PEM");
  verb.add_option("--aws-bucket", what.aws_bucket, "Bucket");
  verb.add_option("--aws-region", what.aws_region, "Region of the bucket");
  verb.add_option("--aws-kms-key-arn", what.aws_kms_key_arn, "KMS key with which S3 encrypts the object");
  verb.add_option("--sts-endpoint", what.sts_endpoint, "URL of STS; without it: that of the region");
  verb.add_option("--azure-container", what.azure_container, "Container");
  verb.add_option("--azure-storage-account", what.azure_storage_account, "Storage account");
  verb.add_option("--azure-auth-type", what.azure_auth_type, "client-secret or managed-identity")
      ->check(CLI::IsMember({"client-secret", "managed-identity"}));
  verb.add_option("--azure-encryption-scope", what.azure_encryption_scope, "Encryption scope with which Azure encrypts the object");
  verb.add_option("--now", into.now, "Seconds since 1970, for the key")->group("");  // tests
}

void add_openbao(CLI::App& app, call& into) {
  auto add = [&](char const* name, char const* help, openbao::step step) {
    into.of_openbao[app.add_subcommand(name, std::string(help) + ". The environment says what: see openbao-operator")] = step;
  };
  add("bao-restore", "Restore a snapshot of OpenBao", openbao::step::restore);
  add("bao-backup", "Upload a snapshot of OpenBao, as a new object", openbao::step::backup);
  add("bao-settle", "Wait until all members of OpenBao are healthy", openbao::step::settle);
}

app::awaitable<verb_result> perform(clock& time, call const& what, environment variables) {
  if (what.fetches->parsed()) co_return co_await fetch_certificates(time, what.fetch);
  auto now = what.now < 0 ? time.now() : instant(std::chrono::seconds(what.now));
  co_return co_await upload_snapshot(time, what.upload, now, std::move(variables));
}

/// What an exception means for a user.
verb_result ended_by(std::exception_ptr problem) {
  if (app::is_cancelled(problem)) return std::unexpected("A signal ended the program before it was done.");
  try {
    std::rethrow_exception(problem);
  } catch (std::exception const& why) {
    std::string text = why.what();
    return std::unexpected(text.ends_with('.') ? text : text + ".");
  }
}

verb_result drive(call const& what, environment const& variables) {
  asio::io_context loop(1);
  app::system_clock time(loop.get_executor());
  asio::cancellation_signal stop;
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&](boost::system::error_code ec, int) {
    if (!ec) stop.emit(asio::cancellation_type::terminal);
  });
  verb_result result;
  auto ended = [&](std::exception_ptr problem, verb_result said) {
    result = problem ? ended_by(problem) : std::move(said);
    signals.cancel();
  };
  asio::co_spawn(loop, perform(time, what, variables), asio::bind_cancellation_slot(stop.slot(), ended));
  loop.run();
  return result;
}

int report(verb_result const& result, bool has_answer, environment const& variables) {
  if (result) {
    std::printf("%s\n", result->c_str());
    if (has_answer) write_termination_log(variables, *result);
    return done;
  }
  auto why = one_line(result.error());
  std::fprintf(stderr, "%s\n", why.c_str());
  write_termination_log(variables, why);
  return failed;
}

/// Under the name that openbao-operator's images have.
int run_openbao(environment const& variables) {
  auto step = openbao::step_of(variables);
  return step ? openbao::run(*step, variables) : openbao::refuse(step.error(), variables);
}

}  // namespace

int run(int count, char** arguments, environment const& variables) {
  ::signal(SIGPIPE, SIG_IGN);
  auto name = count > 0 ? std::filesystem::path(arguments[0]).filename().string() : "kopiur-executor";
  if (name == "backup-executor") return run_openbao(variables);
  CLI::App app("The steps of Jobs for etcd and OpenBao", name);
  app.require_subcommand(1);
  call what;
  add_fetch(app, what);
  add_upload(app, what);
  add_openbao(app, what);
  try {
    app.parse(count, arguments);
  } catch (CLI::ParseError const& e) {
    return app.exit(e) == 0 ? done : usage;
  }
  for (auto& [verb, step] : what.of_openbao)
    if (verb->parsed()) return openbao::run(step, variables);
  auto wrong = what.uploads->parsed() ? problem_of(what.upload) : "";
  if (!wrong.empty()) return std::fprintf(stderr, "%s\nRun with --help for more information.\n", wrong.c_str()), usage;
  return report(drive(what, variables), what.uploads->parsed(), variables);
}

}  // namespace kopiur::executor
