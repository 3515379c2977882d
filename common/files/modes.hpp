#pragma once
#include <sys/types.h>

/// Who can use the files and folders that a process creates. The umask belongs to the whole process: not for programs that create files in
/// several threads.
namespace kopiur::files {

/// From now on, only the user of this process can use what it creates (umask 077). Existing files and folders keep their modes. Call it
/// once, at the start.
void create_private();

/// While it lives, modes are those that the user asked for: the umask is the one before create_private(). For folders that programs of
/// other users read, and for starting programs of the user. Never across a co_await.
class user_modes {
 public:
  user_modes();
  ~user_modes();
  user_modes(user_modes const&) = delete;

  /// The umask of the user.
  static mode_t umask();

 private:
  mode_t before_;
};

}  // namespace kopiur::files
