#include "services/mover/core/password.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover {
namespace {

/// Trials, T4 and T5: an empty password, a truncated one, and a placeholder are refused.
TEST(Password, OfANewRepositoryIsAPassword) {
  for (auto* sound : {"x", " with blanks ", "p\xC3\xA4ssword", "$NAME", "{x}", "ENC", "a]b[c", "secret\n"})
    EXPECT_FALSE(unfit_password(sound, false)) << sound;
  for (auto* not_one : {"", "\n", " \t\r\n", "ENC[AES256_GCM,data:abc,iv:x,type:str]", "${KOPIA_PASSWORD}", "a${B}c",
                        "{{ .Values.password }}", "<path:secret/data/kopia#password>", "change-me-before-the-first-backup"})
    EXPECT_TRUE(unfit_password(not_one, false)) << not_one;
  EXPECT_TRUE(unfit_password("half", true));
}

}  // namespace
}  // namespace kopiur::mover
