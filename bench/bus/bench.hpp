#pragma once
#include <string>

/// The same work done twice in one run, on one server: by our port and by nats.c's own calls.
namespace kopiur::bench {

struct job {
  std::string url{};
  std::string stream{};  ///< exists, empty
  int messages = 0;
  int in_flight = 1;  ///< publishes; for a pull the window
  std::string body = std::string(512, 'x');
};

/// Messages per second.
double publish_ours(job const&);
double publish_theirs_one_by_one(job const&);  ///< js_Publish
double publish_theirs_async(job const&);       ///< js_PublishAsync, `in_flight` = its window
double pull_ours(job const&);                  ///< the stream holds the messages and has the durable `workers`
double pull_theirs(job const&);                ///< natsSubscription_Fetch, `in_flight` at a time

/// Creates the stream `name` (file storage, as in production) and its durable.
void make_stream(std::string const& url, std::string const& name);
void drop_stream(std::string const& url, std::string const& name);

}  // namespace kopiur::bench
