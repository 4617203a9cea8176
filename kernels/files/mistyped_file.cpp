#include "kernels/files/mistyped_file.hpp"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/names/nearest.hpp"

namespace attest::files {

std::string mistyped_file(const std::filesystem::path& file, std::string_view ending) {
  constexpr std::size_t most_entries = 10'000;  // a folder of data may hold millions
  std::error_code failed;
  std::vector<std::string> beside;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, failed), end;
       !failed && entry != end && beside.size() < most_entries; entry.increment(failed))
    // Its own name may be there: of a link that leads nowhere.
    if (std::string name = entry->path().filename().string(); name.ends_with(ending) && name != file.filename())
      beside.push_back(std::move(name));
  std::ranges::sort(beside);  // folders have no order of their own
  const std::vector<std::string> meant = names::nearest(std::move(beside), file.filename().string(), 1);
  return meant.empty() ? std::string() : (file.parent_path() / meant.front()).string();
}

}  // namespace attest::files
