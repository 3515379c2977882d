#pragma once
#include <vector>

#include "services/cli/core/ending.hpp"
#include "services/cli/shell/session.hpp"

/// Waiting for objects, with a line of progress.
namespace kopiur::cli {

/// Waits until the object has ended (see ended()), showing its run's live progress; a complaint with code 5 after `with.timeout`. Says how
/// it ended; the exit code: done or failed.
boost::asio::awaitable<int> wait_for(session& on, settings with, proto::object_ref object);
/// Waits for many at once, shows how many are over; says what failed, and how many ended well.
boost::asio::awaitable<int> wait_for_all(session& on, settings with, std::vector<proto::object_ref> objects);
/// Waits until the object is gone.
boost::asio::awaitable<int> wait_until_gone(session& on, settings with, proto::object_ref object);

}  // namespace kopiur::cli
