#include "common/http/client_list.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kopiur::http {
namespace {

/// Three places; the names of clients in the order in which they are closed.
struct stage {
  std::unique_ptr<client_list::place> enter(std::string name) {
    return list.admit([this, name] { closed.push_back(name); });
  }
  client_list list{3};
  std::vector<std::string> closed;
};
using names = std::vector<std::string>;

TEST(ClientList, LetsANewClientReplaceTheOldestThatNeverAsked) {
  stage it;
  auto one = it.enter("one"), two = it.enter("two"), three = it.enter("three");
  EXPECT_TRUE(it.closed.empty());
  auto four = it.enter("four"), five = it.enter("five");
  EXPECT_EQ(it.closed, (names{"one", "two"}));
  EXPECT_TRUE(four && one->is_closing() && !three->is_closing());
  one.reset(), two.reset();
  EXPECT_TRUE(it.enter("six"));
  EXPECT_EQ(it.closed, (names{"one", "two", "three"})) << "the places of clients that are closing were given away already";
}

TEST(ClientList, ClosesSilentClientsBeforeSendersAndThoseThatWereServedLast) {
  stage it;
  auto rests = it.enter("rests"), sends = it.enter("sends"), silent = it.enter("silent");
  rests->enter(client_stage::Resting), sends->enter(client_stage::Sending);
  std::vector<std::unique_ptr<client_list::place>> more;
  for (int i = 0; i < 3; ++i) {
    more.push_back(it.enter("new"));
    more.back()->enter(client_stage::Answering);
  }
  EXPECT_EQ(it.closed, (names{"silent", "sends", "rests"}));
}

TEST(ClientList, KeepsThoseThatAreBeingAnswered) {
  stage it;
  auto one = it.enter("one"), two = it.enter("two"), three = it.enter("three");
  for (auto* each : {&one, &two, &three}) (*each)->enter(client_stage::Answering);
  EXPECT_FALSE(it.enter("four"));
  EXPECT_FALSE(it.list.make_room());
  EXPECT_TRUE(it.closed.empty());
  two->enter(client_stage::Resting);
  EXPECT_TRUE(it.enter("five"));
  EXPECT_EQ(it.closed, names{"two"});
}

TEST(ClientList, MayEndBeforeItsPlaces) {
  std::unique_ptr<client_list::place> place;
  {
    stage it;
    place = it.enter("one");
  }
  place->enter(client_stage::Resting);
}

}  // namespace
}  // namespace kopiur::http
