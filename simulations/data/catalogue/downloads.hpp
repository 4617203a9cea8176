// Where data sets come from, as their authors document it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attest::data {

/// One file to fetch.
struct Download {
  std::string url;            ///< the documented original address
  std::string file;           ///< its name in the data set's folder
  std::string sha256;         ///< 64 hexadecimal digits; empty where none could be verified
  std::string sha256_source;  ///< who says so; empty where sha256 is
};

/// What must be fetched for the data set of that name; nothing for sets without a documented address (generated sets,
/// samples). The addresses are the documented ones and none of them is known to answer still.
std::vector<Download> downloads_of(std::string_view data_set);

/// The command that unpacks an archive in its folder; empty when the file is read as it is.
std::string unpacking(const Download& download, const std::string& folder);

}  // namespace attest::data
