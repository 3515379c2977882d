// The only program of the toy's image: writes the variable ECHO as its termination message. An empty one is a failure.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  const char *text = getenv("ECHO");
  const char *said = text && *text ? text : "nothing to say";
  int out = open("/dev/termination-log", O_WRONLY | O_CREAT, 0644);
  if (out < 0 || write(out, said, strlen(said)) < 0) return 2;
  return said == text ? 0 : 1;
}
