#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "bench/mover/bench.hpp"

long peak_resident_KiB(int id) {
  std::ifstream status("/proc/" + (id ? std::to_string(id) : "self") + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  return 0;
}

int main(int count, char** arguments) {
  numbers numbers;
  for (int i = 2; i < count; ++i) {
    std::string_view each = arguments[i];
    auto sign = each.find('=');
    if (sign != std::string_view::npos) numbers[std::string(each.substr(0, sign))] = std::stol(std::string(each.substr(sign + 1)));
  }
  std::string_view what = count > 1 ? arguments[1] : "";
  if (what.empty()) return bench_pairs(numbers) + bench_rows(numbers) + bench_names(numbers);
  if (what == "names") return bench_names(numbers);
  if (what == "pairs") return bench_pairs(numbers);
  if (what == "rows") return bench_rows(numbers);
  std::fputs("usage: mover_bench [pairs [files=2000] [bytes=20000] [pairs=3] | rows [rows=50000] | names [files=1000000]]\n", stderr);
  return 2;
}
