#include "proto/envelope.hpp"

namespace kopiur::proto {

bus::headers envelope(std::string_view type, std::string_view source, std::string_view id, instant at) {
  return {{"ce-specversion", "1.0"},
          {"ce-id", std::string(id)},
          {"ce-source", "/kopiur/" + std::string(source)},
          {"ce-type", std::string(type)},
          {"ce-time", to_text(at)},
          {"ce-datacontenttype", "application/json"}};
}

}  // namespace kopiur::proto
