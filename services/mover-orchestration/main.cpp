#include "services/mover-orchestration/shell/settings.hpp"

int main() {
  return kopiur::runtime::run<kopiur::mover_orchestration::service>("mover-orchestration", kopiur::mover_orchestration::options_of);
}
