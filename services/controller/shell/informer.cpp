#include "services/controller/shell/informer.hpp"

#include "proto/subjects.hpp"

namespace kopiur::controller {

using namespace proto;

namespace {
std::vector<std::string> filters(std::string const& cluster, std::vector<std::string> const& kinds) {
  if (kinds.empty()) return {"kopiur.v1.resource." + subjects::token(cluster) + ".>"};
  std::vector<std::string> each{subjects::resources_listed(cluster)};
  for (auto& kind : kinds) each.push_back(subjects::resource(cluster, kind, "*", "*"));
  return each;
}
}  // namespace

informer::informer(service_context const& context, std::vector<std::string> const& kinds, log::logger log)
    : cluster_(context.cluster),
      decoder_(context.shared.decoder),
      log_(std::move(log)),
      view_(context.bus, context.time, context.loop, std::string(subjects::resources), filters(cluster_, kinds), bus::view::keep::marks),
      changed_(context.loop) {
  view_.on_change([this](std::string const& subject, bus::stored const* now) {
    auto changed = apply(objects_, subject, now ? &now->body : nullptr, decoder_);
    changed_.notify();
    if (!changed) return log_.error("mirror.undecodable", {{"subject", subject}, {"problem", changed.error().text()}});
    lighten(objects_, *changed);
    told_.tell(*changed);
  });
}

boost::asio::awaitable<void> informer::until_listed() {
  co_await view_.until_ready();
  for (auto epoch = changed_.epoch(); !objects_.listed; epoch = changed_.epoch()) co_await changed_.wait(epoch);
}

source informer::source_of(object_ref const& object) const {
  auto* found = view_.find_mark(subjects::resource(cluster_, object.kind, object.namespace_, object.name));
  return found ? source{found->sequence, found->time} : source{};
}

}  // namespace kopiur::controller
