# cmake -D SOURCE=.. -D OUTPUT=.. -P write_commit.cmake: writes commit.cpp where the commit is another than it says.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=40 --match=no-tag
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  # Where the sources lie without their history, whoever unpacked them may say.
  set(commit "$ENV{ATTEST_COMMIT}")
  if(commit STREQUAL "")
    set(commit "unknown")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#include "simulations/terminal/commit.hpp"

namespace attest::terminal {

const char* commit() { return "@commit@"; }

}  // namespace attest::terminal
]])
