// Tasks of texts: predicting the next token, and classes of whole texts. load_task sets their kind.
#pragma once

#include <filesystem>

#include "simulations/tasks/task.hpp"

namespace attest::tasks {

/// A text as one stream of tokens. Errors: as load_task.
Task load_language_task(const DataSpec& data, Index context, const std::filesystem::path& data_dir);

/// Labelled texts as token sequences: ListOps in its own vocabulary, others by DataSpec::unit. Errors: as load_task.
Task load_sequence_task(const DataSpec& data, const std::filesystem::path& data_dir);

/// Pairs of labelled texts, by DataSpec::unit: byte or character. Errors: as load_task.
Task load_pairs_task(const DataSpec& data, const std::filesystem::path& data_dir);

}  // namespace attest::tasks
