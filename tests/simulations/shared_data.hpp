// Tests on the data sets of the folder ATTEST_DATA skip where it is not set.
#pragma once

#include <gtest/gtest.h>

#include "simulations/data/catalogue/catalogue.hpp"

/// Skips the test, with the reason, when the data set is not there.
#define ATTEST_NEEDS_DATA(name)                                            \
  if (!attest::data::is_available(*attest::data::find_data_set(name), "")) \
  GTEST_SKIP() << "the data set " << (name) << " is not below ATTEST_DATA; set it to the folder of data sets"
