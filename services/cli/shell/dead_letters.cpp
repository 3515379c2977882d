#include "services/cli/shell/dead_letters.hpp"

#include <boost/asio.hpp>

#include "common/bus/message.hpp"
#include "proto/subjects.hpp"
#include "services/cli/shell/commands.hpp"

namespace kopiur::cli {

namespace subjects = proto::subjects;

namespace {

bool is_letter(bus::stored const& message) {
  return !bus::header(message.head, "Dead-Reason").empty() || !bus::header(message.head, "Dead-Subject").empty();
}

}  // namespace

boost::asio::awaitable<std::vector<bus::stored>> dead_letters(session& session) {
  std::vector<bus::stored> found;
  auto stream = std::string(subjects::dead_letters);
  auto info = co_await session.bus().info(stream);
  if (!info && info.error().kind == bus::failure::not_found) co_return found;
  if (!info) throw complaint(failed, info.error().text);
  for (auto sequence = info->first_sequence; info->messages > 0 && sequence <= info->last_sequence; ++sequence) {
    auto message = co_await session.bus().at(stream, sequence);
    if (message && *message && is_letter(**message)) found.push_back(std::move(**message));
  }
  co_return found;
}

}  // namespace kopiur::cli
