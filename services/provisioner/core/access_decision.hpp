#pragma once
#include "services/provisioner/core/decision.hpp"

/// What to do for a BucketyAccess: one pass, as for a Buckety.
namespace kopiur::provisioner {

struct access_view {
  proto::buckety_access const& object;
  settings_view settings;
  proto::buckety const* owner = nullptr;  ///< the Buckety of its reference; nullptr: there is none
  std::vector<std::string> repositories;  ///< that hold up its deletion
};
access_view view_of(controller::objects const& all, proto::buckety_access const& object, settings_view settings);

/// The gateway's answers in one pass.
struct access_facts {
  std::optional<proto::answer> minted, dropped;
};
struct mint {
  proto::mint_secret command;
};
struct drop {
  proto::drop_secret command;
};
using access_step = std::variant<mint, drop, finished>;

access_step next(access_view const& view, access_facts const& known);

}  // namespace kopiur::provisioner
