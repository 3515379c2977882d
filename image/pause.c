/* Holds the namespaces of a pod on the tests' node: waits for a stop signal, and reaps children that are reparented to it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop(int signal) { _exit(128 + signal); }
static void bury(int signal) {
  (void)signal;
  while (waitpid(-1, 0, WNOHANG) > 0) {}
}

int main(void) {
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  signal(SIGCHLD, bury);
  for (;;) pause();
}
