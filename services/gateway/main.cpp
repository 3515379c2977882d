#include "services/gateway/shell/service.hpp"
#include "services/gateway/shell/settings.hpp"

int main() { return kopiur::runtime::run<kopiur::gateway::service>("gateway", kopiur::gateway::options_of); }
