// The precompiled header of the services' cores: common/app/core_pch.hpp plus kinds and events, whose structs are slow to parse.
#pragma once
#include "common/app/core_pch.hpp"
#include "proto/codec.hpp"
