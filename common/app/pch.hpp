// The precompiled header of every directory except the cores: headers that nearly each of them includes and that are slow to parse.
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
