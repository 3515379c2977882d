#pragma once
#include "common/blob/store.hpp"
#include "services/executor/test/program.hpp"

/// Real emulators of stores besides S3, on loopback, as child processes of a test.
namespace kopiur::executor::test {

/// One with an empty store, and the bucket or container `box`.
class emulator {
 public:
  virtual ~emulator() = default;

  /// What a Job gets: variables, and the keys of its Secret.
  struct access {
    std::map<std::string, std::string> variables, secret;
  };
  /// All ways in which a Job may be told of the store.
  virtual std::vector<access> ways() const = 0;
  /// An object, beside the program.
  virtual std::string get(std::string key) = 0;
};

/// Both block until it listens, and throw a sentence.
std::unique_ptr<emulator> start_fake_gcs();
std::unique_ptr<emulator> start_azurite();

}  // namespace kopiur::executor::test
