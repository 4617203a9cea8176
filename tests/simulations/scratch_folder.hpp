// A folder of a test's own that can also hold compressed files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/support/scratch_folder.hpp"

namespace attest {

using test_support::content_of;
using test_support::message_of;

class ScratchFolder : public test_support::ScratchFolder {
 public:
  std::filesystem::path write_gzip(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    gzFile stream = gzopen(file.c_str(), "wb");
    EXPECT_EQ(gzwrite(stream, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
    EXPECT_EQ(gzclose(stream), Z_OK);
    return file;
  }
};

}  // namespace attest
