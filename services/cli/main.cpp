#include "services/cli/shell/commands.hpp"

int main(int argc, char** argv) { return kopiur::cli::run(argc, argv); }
