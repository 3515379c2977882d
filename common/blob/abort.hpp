#pragma once
#include "common/blob/store.hpp"
#include "common/time/clock.hpp"

namespace kopiur::blob {

/// Awaits the work of an upload. When it fails, throws or is cancelled, `abort` runs first, for at most 20 s, and cannot be cancelled. Its
/// own failure is ignored: why the upload failed matters more, and stores remove what remains.
awaitable_result<stored> or_abort(clock& time, awaitable_result<stored> work, std::function<boost::asio::awaitable<void>()> abort);

}  // namespace kopiur::blob
