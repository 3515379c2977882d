#include <set>

#include "common/blob/core/digest.hpp"
#include "common/blob/test/real_store.hpp"

namespace kopiur::blob::test {
namespace {

using namespace std::chrono_literals;

class Objects : public Store {};

TEST_P(Objects, StreamsObjects) {
  std::string content(5'000'003, 0);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 31 >> 3);
  with_bucket([&](visit& here, std::string bucket) -> awaitable<void> {
    auto hash = sha256(content);
    EXPECT_TRUE(done(co_await here.store.put(bucket, "a/b", http::text_upload(content), {.sha256 = hash, .content_type = "text/x-own"})));
    auto head = co_await here.store.head(bucket, {"a/b"});
    EXPECT_TRUE(done(head));
    EXPECT_EQ(head->size, content.size());
    EXPECT_EQ(head->content_type, "text/x-own");
    EXPECT_TRUE(head->modified && *head->modified > here.time.now() - 1h);
    EXPECT_TRUE(co_await content_of(here.store, bucket, "a/b") == content);
    EXPECT_TRUE(co_await content_of(here.store, bucket, "a/b", {17, 100'000}) == content.substr(17, 100'000));
    EXPECT_TRUE(co_await content_of(here.store, bucket, "a/b", {4'999'999, {}}) == content.substr(4'999'999));
    EXPECT_EQ((co_await here.store.get(bucket, {"a/b"}, {1, 2})).value().head.size, content.size());
    EXPECT_TRUE(done(co_await here.store.put(bucket, "empty", {}, {})));
    EXPECT_EQ(co_await content_of(here.store, bucket, "empty"), "");
    EXPECT_EQ(kind_of(co_await here.store.head(bucket, {"none"})), failure::absent);
    EXPECT_EQ(kind_of(co_await here.store.get(bucket, {"none"}, {})), failure::absent);
    EXPECT_EQ(kind_of(co_await here.store.get(bucket, {"a/b"}, {9'000'000, 1})), failure::invalid);
  });
}

TEST_P(Objects, ChecksWhatItIsSent) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    auto wrong = co_await here.store.put(bucket, "k", http::text_upload("hello"), {.sha256 = sha256("other")});
    EXPECT_EQ(kind_of(wrong), failure::invalid) << wrong.error().message;
    EXPECT_EQ(kind_of(co_await here.store.head(bucket, {"k"})), failure::absent);
  });
}

TEST_P(Objects, WritesOnlyNewObjectsWhenAskedTo) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    EXPECT_TRUE(done(co_await here.store.put(bucket, "k", http::text_upload("one"), {.only_new = true})));
    auto second = co_await here.store.put(bucket, "k", http::text_upload("two"), {.only_new = true});
    EXPECT_EQ(kind_of(second), failure::conflict);
    EXPECT_FALSE(second.error().repeated);
    EXPECT_EQ(co_await content_of(here.store, bucket, "k"), "one");
  });
}

TEST_P(Objects, ListsAndRemovesManyObjectsInPages) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    std::vector<std::string> keys;
    for (int i = 0; i < 2500; ++i) keys.push_back("many/" + std::to_string(10'000 + i));
    app::nursery writers(co_await asio::this_coro::executor);
    auto write = [](blob::store& store, std::string to_box, std::vector<std::string> const& all, std::size_t first) -> awaitable<void> {
      for (auto i = first; i < all.size(); i += 8) EXPECT_TRUE(done(co_await store.put(to_box, all[i], http::text_upload("x"), {})));
    };
    for (std::size_t i = 0; i < 8; ++i) writers.spawn(write(here.store, bucket, keys, i));
    co_await writers.join();
    auto objects = co_await all_objects(here.store, bucket, {.prefix = "many/", .page_size = 700});
    EXPECT_EQ(objects.size(), keys.size());
    std::vector<object_name> names;
    for (std::size_t i = 0; i < std::min(objects.size(), keys.size()); ++i) {
      EXPECT_EQ(objects[i].key, keys[i]);
      names.push_back({objects[i].key});
    }
    auto page = co_await here.store.list(bucket, {.delimiter = "/"});
    EXPECT_TRUE(page && page->objects.empty() && page->prefixes == std::vector<std::string>{"many/"});
    names.push_back({"many/missing"});
    auto failed = co_await here.store.remove(bucket, names);
    EXPECT_TRUE(done(failed));
    EXPECT_TRUE(failed->empty());
    EXPECT_TRUE((co_await all_objects(here.store, bucket, {})).empty());
  });
}

std::vector<std::string> odd_keys(kind which) {
  std::vector<std::string> all{"a b",
                               "a+b",
                               "a%20b",
                               "a%",
                               "a&b=c",
                               "a?b#c",
                               "é/\u1234/\U0001F600",
                               "a<b>\"'",
                               "a*b;c:d@e,f!g(h)",
                               "a~b_c.d-e",
                               "a|b^c`d{e}[f]",
                               "tab\there",
                               "line\nfeed",
                               "return\rhere",
                               "bell\x07",
                               "del\x7F",
                               "$HOME",
                               " leads",
                               "trails ",
                               "dots...",
                               ".hidden",
                               "a\\b"};
  if (which == kind::versitygw) std::erase(all, "bell\x07");  // it ignores encoding-type, and XML has no such character
  return all;
}

TEST_P(Objects, KeepsOddKeys) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    std::set<std::string> stored;
    std::vector<object_name> names;
    for (auto& key : odd_keys(GetParam())) {
      auto put = co_await here.store.put(bucket, key, http::text_upload(key), {});
      EXPECT_TRUE(done(put)) << ::testing::PrintToString(key);
      if (put) stored.insert(key), names.push_back({key});
    }
    std::set<std::string> listed;
    for (auto& each : co_await all_objects(here.store, bucket, {.page_size = 5})) listed.insert(each.key);
    EXPECT_EQ(listed, stored);
    for (auto& key : stored) {
      EXPECT_EQ(co_await content_of(here.store, bucket, key), key);
      auto found = co_await all_objects(here.store, bucket, {.prefix = key});
      EXPECT_TRUE(!found.empty() && found[0].key == key) << ::testing::PrintToString(key);
    }
    auto failed = co_await here.store.remove(bucket, names);
    EXPECT_TRUE(done(failed));
    for (auto& each : *failed) ADD_FAILURE() << ::testing::PrintToString(each.name.key) << " " << each.code << " " << each.message;
    EXPECT_TRUE((co_await all_objects(here.store, bucket, {})).empty());
  });
}

TEST_P(Objects, CanBeCancelledInTheMiddleOfAnObject) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    EXPECT_TRUE(done(co_await here.store.put(bucket, "k", http::text_upload(std::string(32 << 20, 'x')), {})));
    auto idle = here.connections.idle();
    std::exception_ptr failed;
    auto read = [](blob::store& store, std::string from, app::event& began, std::exception_ptr& why) -> awaitable<void> {
      try {
        auto content = co_await store.get(from, {"k"}, {});
        std::string piece(1 << 20, 0);
        while ((co_await content.value().read(asio::buffer(piece))).value() > 0) {
          began.notify();
          co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
        }
      } catch (...) {
        why = std::current_exception();
      }
    };
    app::event reading(co_await asio::this_coro::executor);
    co_await app::first_of(read(here.store, bucket, reading, failed), reading.wait(0));
    EXPECT_TRUE(app::is_cancelled(failed));
    EXPECT_EQ(here.connections.idle(), idle - 1) << "its connection is in the middle of an answer";
    EXPECT_TRUE(done(co_await here.store.head(bucket, {"k"})));
  });
}

INSTANTIATE_TEST_SUITE_P(Versitygw, Objects, ::testing::Values(kind::versitygw));
INSTANTIATE_TEST_SUITE_P(Minio, Objects, ::testing::Values(kind::minio));

}  // namespace
}  // namespace kopiur::blob::test
