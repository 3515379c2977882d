// The precompiled header of every room but the cores: what nearly each of them includes, and is slow to parse.
#pragma once
#include <algorithm>
#include <boost/asio.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <variant>
#include <vector>
