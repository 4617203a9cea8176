// The main of tests that LibTorch is part of.
#include <gtest/gtest.h>

#include "simulations/terminal/leave.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  attest::terminal::leave(RUN_ALL_TESTS());
}
