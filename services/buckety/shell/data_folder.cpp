#include "services/buckety/shell/data_folder.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace kopiur::buckety::program {

std::string default_data_dir() {
  auto* named = std::getenv("TMPDIR");
  for (auto* each : {named ? named : "", "/tmp"})
    if (*each && ::access(each, W_OK | X_OK) == 0) return std::string(each) + "/buckety";
  return "/dev/shm/buckety";
}

data_folder::data_folder(std::string path) : path_(std::move(path)) {
  std::string why;
  try {
    files::make_folder(path_, 0700);
    auto lock = files::try_lock(path_ + "/lock");
    if (!lock) throw std::runtime_error("Another process uses the folder " + path_ + ". Give another one with -data-dir.");
    lock_ = std::move(*lock);
    std::filesystem::remove_all(path_ + "/bus");
  } catch (std::system_error const& failed) {
    why = failed.what();
  }
  if (!why.empty())
    throw std::runtime_error("The folder " + path_ + " cannot be used for nats-server: " + why + ". Give another one with -data-dir.");
}

}  // namespace kopiur::buckety::program
