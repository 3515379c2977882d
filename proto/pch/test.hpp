// The precompiled header of the services' tests.
#pragma once
#include <gtest/gtest.h>

#include "proto/pch/shell.hpp"
