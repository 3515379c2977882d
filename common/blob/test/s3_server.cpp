#include "common/blob/test/s3_server.hpp"

#include <sys/xattr.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "common/testing/nats_server.hpp"

namespace kopiur::blob::test {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

std::string program(kind which) {
  std::string variable = which == kind::versitygw ? "KOPIUR_VERSITYGW" : "KOPIUR_MINIO";
  auto* path = std::getenv(variable.c_str());
  if (!path) throw std::runtime_error(variable + " names no program: run `./dev setup`, which builds it.");
  return path;
}

/// Memory where it has extended attributes, which versitygw needs; MinIO needs a disk. A disk makes 2,500 objects slow.
std::filesystem::path base_of(kind which) {
  auto probe = [] {
    testing::folder memory("/dev/shm");
    return ::setxattr(memory.path().c_str(), "user.kopiur", "x", 1, 0) == 0;
  };
  bool has_memory = which == kind::versitygw && ::access("/dev/shm", W_OK) == 0 && probe();
  return has_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
}

}  // namespace

s3_server::s3_server(kind which, server_options options)
    : kind_(which), options_(std::move(options)), folder_(base_of(which)), port_(testing::free_port()) {
  std::filesystem::create_directory(folder_ / "store");
  start();
}

void s3_server::start() {
  auto address = "127.0.0.1:" + std::to_string(port_);
  process::command command{.arguments = {"/bin/sh", "-c", "exec \"$@\" >> " + (folder_ / "log").string() + " 2>&1", "sh", program(kind_)}};
  auto add = [&](std::vector<std::string> const& words) { command.arguments.insert(command.arguments.end(), words.begin(), words.end()); };
  if (kind_ == kind::versitygw) {
    add({"--access", access_key, "--secret", secret_key, "--port", address, "--keep-alive"});
    add(options_.arguments);
    add({"posix"});
    add(options_.posix);
    add({folder_ / "store"});
  } else {
    add({"server", folder_ / "store", "--address", address});
    options_.environment.insert({{"MINIO_ROOT_USER", access_key}, {"MINIO_ROOT_PASSWORD", secret_key}, {"MINIO_BROWSER", "off"}});
  }
  for (auto& [name, value] : options_.environment) command.environment.push_back(name + "=" + value);
  command.environment.push_back("HOME=" + folder_.path().string());
  child_.emplace(loop_.get_executor(), command);
  for (auto until = std::chrono::steady_clock::now() + 60s; !listens(); std::this_thread::sleep_for(5ms))
    if (std::chrono::steady_clock::now() > until) throw std::runtime_error("The S3 server does not listen after 60 s: " + log());
}

bool s3_server::listens() const {
  asio::io_context loop;
  asio::ip::tcp::socket socket(loop);
  boost::system::error_code failed;
  socket.connect({asio::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(port_)}, failed);
  return !failed;
}

void s3_server::restart() {
  child_.reset();
  start();
}

std::string s3_server::log() const {
  std::ostringstream text;
  text << std::ifstream(folder_ / "log").rdbuf();
  return text.str();
}

}  // namespace kopiur::blob::test
