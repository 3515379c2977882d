#pragma once
#include "services/executor/core/openbao/ending.hpp"
#include "services/executor/core/openbao/settings.hpp"
#include "services/executor/shell/openbao/stop_signal.hpp"

/// The steps of Jobs for OpenBao.
namespace kopiur::executor::openbao {

struct surroundings {
  clock& time;
  stop_signal& stop;
  environment variables;
};

/// Downloads a snapshot, claims the submission, and submits the snapshot once.
boost::asio::awaitable<report> restore(surroundings here, restore_settings what);
/// Takes a snapshot, checks it, and uploads it as a new object.
boost::asio::awaitable<report> backup(surroundings here, backup_settings what);
/// Waits until all members are healthy.
boost::asio::awaitable<report> settle(surroundings here, settle_settings what);

}  // namespace kopiur::executor::openbao
