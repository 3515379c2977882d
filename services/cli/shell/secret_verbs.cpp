#include <boost/asio.hpp>
#include <cstdio>

#include "proto/core/kubernetes.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/cli/core/secret_env.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/session.hpp"
#include "services/gateway/local/object_store.hpp"

/// get secret NAME --env: from the data folder, because no value of a Secret is on the bus. kopiur need not run.
namespace kopiur::cli {

namespace {

int print_env(settings const& settings, std::string const& name) {
  auto all = gateway::local::read_objects(settings.data, proto::secret::info.kind);
  auto found = all.find(proto::key_to<proto::secret>(settings.ns, name));
  if (found == all.end())
    throw complaint(not_found, "There is no Secret " + settings.ns + "/" + name + " in the data folder " + settings.data + ".");
  auto lines = secret_env(found->second);
  if (!lines) throw complaint(failed, lines.error());
  std::fputs(lines->c_str(), stdout);
  return done;
}

}  // namespace

int secret_env_command(settings const& settings, std::string const& kind, std::string const& name) {
  return drive([=](boost::asio::io_context&) -> boost::asio::awaitable<int> {
    auto known = find_kind(kind);
    if (!known || known->kind != proto::secret::info.kind || name.empty())
      throw complaint(usage, "--env prints one Secret: kopiur get secret NAME --env.");
    co_return print_env(settings, name);
  });
}

}  // namespace kopiur::cli
