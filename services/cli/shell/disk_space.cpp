#include "services/cli/shell/disk_space.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include "services/cli/core/checks.hpp"

namespace kopiur::cli {

namespace {

finding room_at(std::string const& folder) {
  struct statvfs disk{};
  if (::statvfs(folder.c_str(), &disk) != 0)
    return {mood::bad, "disk", folder, "It cannot be read. Start kopiur up once, or give the right folder with --data."};
  return disk_finding(folder, static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize));
}

}  // namespace

std::vector<finding> room(std::string const& data) {
  auto store = data + "/bus/store";
  struct stat of_data{}, of_store{};
  bool apart = ::stat(data.c_str(), &of_data) == 0 && ::stat(store.c_str(), &of_store) == 0 && of_data.st_dev != of_store.st_dev;
  std::vector<finding> found{room_at(data)};
  if (apart) found.push_back(room_at(store));
  return found;
}

}  // namespace kopiur::cli
