#include "common/blob/form_exchange.hpp"

#include <boost/asio.hpp>

#include "common/encoding/text.hpp"

namespace kopiur::blob {

namespace {

constexpr std::size_t longest_answer = 256 << 10;

/// Masks the answer, not only the message: that one is cut, so that a long secret would no longer be recognised.
awaitable_result<void> exchange_once(transport through, http::streamed_request request, form_exchange const& what,
                                     answer_reader const& read) {
  auto answer = co_await through(std::move(request));
  auto text = answer ? co_await text_of(*answer, longest_answer) : std::unexpected(answer.error());
  if (!text) co_return std::unexpected(error{.kind = failure::unavailable, .message = what.action + " failed: " + text.error()});
  if (answer->head.status != 200)
    co_return std::unexpected(what.refused(answer->head.status, encoding::masked(std::move(*text), what.secrets), what.action));
  if (auto done = read(*text); !done)
    co_return std::unexpected(
        error{.message = what.action + " failed: the answer of " + what.service + " cannot be used, because " + done.error() + "."});
  co_return result<void>();
}

}  // namespace

awaitable_result<void> exchange(clock& time, transport through, http::streamed_request where, form_exchange what, answer_reader read) {
  bool has_form = !what.form.empty();
  where.method = has_form ? "POST" : "GET", where.repeatable = true;
  if (has_form) where.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  for (int number = 1;; ++number) {
    if (has_form) where.body = http::text_upload(what.form);
    auto done = co_await exchange_once(through, where, what, read);
    if (!done) done.error().message = encoding::masked(std::move(done.error().message), what.secrets);
    if (done || done.error().kind != failure::unavailable || number >= what.attempts) co_return done;
    co_await time.sleep_for(backoff(static_cast<unsigned>(number), what.pauses, what.luck));
  }
}

}  // namespace kopiur::blob
