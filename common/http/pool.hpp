#pragma once
#include <memory>

#include "common/http/answer_head.hpp"
#include "common/http/client.hpp"
#include "common/http/progress.hpp"
#include "common/http/trust.hpp"
#include "common/http/upload.hpp"

/// Requests with bodies of any length, on connections that are used again.
namespace kopiur::http {

struct streamed_request {
  std::string method = "GET";
  address where;  ///< with the target
  std::vector<std::pair<std::string, std::string>> headers{};
  upload body{};
  bool asks_first = false;  ///< `Expect: 100-continue`: a server that refuses is not sent the body
  /// May be sent twice. Empty: when the method is idempotent (RFC 9110, 9.2.2).
  std::optional<bool> repeatable{};
  patience limits{};
  certificates trusted{};  ///< for https; empty: the system's
  /// As in request::connect_to.
  std::optional<std::vector<endpoint>> connect_to{};
};

/// The answer to a request: its header, and its body in pieces. While it is not read to its end, it occupies a connection; the server is
/// slowed down when the reader is slow.
class download {
 public:
  struct inside;
  explicit download(std::unique_ptr<inside> in);
  download(download&&) noexcept;
  download& operator=(download&&) noexcept;
  /// The connection is used again if the body was read to its end; otherwise it is closed.
  ~download();

  answer_head const& head() const;
  /// Fills the buffer, or its beginning at the end of the body; 0: no more. The error is a sentence. Can be cancelled.
  boost::asio::awaitable<std::expected<std::size_t, std::string>> read(boost::asio::mutable_buffer buffer);
  /// The rest of the body; an error when it is longer.
  boost::asio::awaitable<std::expected<std::string, std::string>> text(std::size_t longest);

 private:
  std::unique_ptr<inside> in_;
};

/// Client connections by scheme, host, port, certificates and addresses. One loop, no threads. Downloads may outlive it.
class pool {
 public:
  struct limits {
    std::size_t connections = 16;  ///< at the same time for each origin; later callers wait, in FIFO order
    duration idle{20'000};         ///< an unused connection is not used again after that. It is closed at the next use of the pool
    duration connect{10'000};      ///< for name lookup, connection and TLS handshake
  };
  pool(clock& time, boost::asio::any_io_executor loop, limits limits);
  pool(clock& time, boost::asio::any_io_executor loop) : pool(time, std::move(loop), limits()) {}
  ~pool();

  /// Sends, and reads the answer's header; does not follow redirects. A request that fails on a used connection before any byte of an
  /// answer is sent once more on a new one, if it is repeatable and its body was not touched or can be rewound. The error is a sentence
  /// with the URL, without query. Throws what body.read throws. Can be cancelled.
  boost::asio::awaitable<std::expected<download, std::string>> ask(streamed_request what);
  /// Connections that wait to be used again.
  std::size_t idle() const;

 private:
  struct inside;
  std::shared_ptr<inside> in_;  // shared with downloads, which return their connections
};

}  // namespace kopiur::http
