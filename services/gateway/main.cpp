#include "services/gateway/service.hpp"
#include "services/gateway/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::gateway::service>("gateway", kopiur::gateway::options_of); }
