// The precompiled header of the services: the same with what does I/O.
#pragma once
#include "common/app/pch.hpp"
#include "common/bus/port.hpp"
#include "proto/codec.hpp"
