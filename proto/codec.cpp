#include "proto/codec.hpp"

KOPIUR_CODECS()
