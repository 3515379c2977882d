#include "services/cli/core/dead_letters.hpp"

#include <gtest/gtest.h>

#include "proto/subjects.hpp"

namespace kopiur::cli {
namespace {

namespace subjects = proto::subjects;

TEST(DeadLetters, OfRequestsMayBeSentAgain) {
  for (auto& subject : {subjects::command("local", "gateway", "create-job", "k"), subjects::request("local", "default", "backup"),
                        subjects::lease_request("acquire", "key", "run")})
    EXPECT_FALSE(why_not_again(subject)) << subject;
}

TEST(DeadLetters, OfFactsAreRefusedWithTheWayOut) {
  for (auto& subject :
       {subjects::run("local", "r"), subjects::resource("local", "Backup", "cmd", "req"), subjects::lease("key"),
        subjects::answer("local", "gateway", "read", "k"), subjects::status_fragment("local", "Backup", "default", "b", "scheduler"),
        std::string(), std::string("cmd"), std::string("kopiur.v1.command.local")}) {
    auto why = why_not_again(subject);
    ASSERT_TRUE(why) << subject;
    EXPECT_TRUE(why->starts_with(subject + " is a fact")) << *why;
    EXPECT_TRUE(why->ends_with("kopiur bus dlq --drop")) << *why;
  }
}

}  // namespace
}  // namespace kopiur::cli
