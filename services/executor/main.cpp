#include "services/executor/shell/run.hpp"

int main(int count, char** arguments) { return kopiur::executor::run(count, arguments, kopiur::executor::own_environment()); }
