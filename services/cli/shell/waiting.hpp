#pragma once
#include <vector>

#include "services/cli/core/ending.hpp"
#include "services/cli/shell/session.hpp"

/// Waiting for objects, with a line of progress.
namespace kopiur::cli {

/// Waits until the object has ended (see ended()), showing its run's live progress; throws a complaint with code 5 after `with.timeout`.
/// Prints the result; returns the exit code: done or failed.
boost::asio::awaitable<int> wait_for(session& session, settings settings, proto::object_ref object);
/// Waits for many objects at once and shows how many have ended; prints what failed, and how many succeeded.
boost::asio::awaitable<int> wait_for_all(session& session, settings settings, std::vector<proto::object_ref> objects);
/// Waits until the object no longer exists.
boost::asio::awaitable<int> wait_until_gone(session& session, settings settings, proto::object_ref object);

}  // namespace kopiur::cli
