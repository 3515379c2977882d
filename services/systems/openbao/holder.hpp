#pragma once
#include "services/systems/openbao/restores.hpp"

/// Who holds the operation lock, and whether that one is at work. A time alone never proves that a holder is dead.
namespace kopiur::openbao {

/// What the holder of a restore begins with; the name of the OpenBaoRestore follows.
inline constexpr std::string_view restore_holder = "openbaorestore/";

enum class holder_state {
  works,   ///< it is at work, or may be
  silent,  ///< another program holds it, and has not renewed it for minutes: a human has to decide
  gone     ///< it was a restore that is over or deleted, and no pod of it runs: proven
};
struct holder_sight {
  holder_state is = holder_state::works;
  std::string why{};                    ///< a sentence: how that is known, and what ends it
  std::vector<controller::ask> asks{};  ///< for what is not known yet
};
holder_sight look_at_holder(controller::cluster_view const& all, proto::openbao_cluster const& cluster,
                            proto::bao_operation_lock const& lock);

/// A Job that works on this cluster for another run, in words; empty: there is none. Its object may have been deleted by force.
std::string works_without_object(controller::cluster_view const& all, proto::run_state const& run, proto::openbao_cluster const& cluster);

}  // namespace kopiur::openbao
