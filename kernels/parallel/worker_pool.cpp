#include "kernels/parallel/worker_pool.hpp"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace attest::parallel {
namespace {

class WorkerPool {
 public:
  /// False without having run anything: somebody else uses the pool.
  bool run(unsigned helpers, const std::function<void()>& work) {
    const std::unique_lock use(in_use_, std::try_to_lock);
    if (!use.owns_lock()) return false;
    {
      const std::scoped_lock lock(mutex_);
      // Detached: at the end of the program they wait for work that never comes.
      for (; threads_ < helpers; ++threads_) std::thread([this, index = threads_] { wait_for_work(index); }).detach();
      work_ = &work;
      helpers_ = helpers;
      ++job_;
    }
    wake_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    work_ = nullptr;
    idle_.wait(lock, [this] { return busy_ == 0; });
    return true;
  }

 private:
  void wait_for_work(unsigned index) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t done = 0;;) {
      wake_.wait(lock, [&] { return job_ != done; });
      done = job_;
      if (work_ == nullptr || index >= helpers_) continue;
      const std::function<void()>& work = *work_;
      ++busy_;
      lock.unlock();
      work();
      lock.lock();
      if (--busy_ == 0) idle_.notify_all();
    }
  }

  std::mutex in_use_, mutex_;
  std::condition_variable wake_, idle_;
  const std::function<void()>* work_ = nullptr;
  std::uint64_t job_ = 0;
  unsigned threads_ = 0, helpers_ = 0, busy_ = 0;
};

// Never destroyed: its threads outlive `main`.
WorkerPool& pool() {
  static auto* const result = new WorkerPool;
  return *result;
}

}  // namespace

void run_together(unsigned helpers, const std::function<void()>& work) {
  // Inside `work` the calling thread may hold the pool itself: std::mutex must not be tried then.
  thread_local bool working = false;
  const auto marked = [&work] {
    working = true;
    work();
    working = false;
  };
  if (!working) {
    working = true;
    const bool done = pool().run(helpers, marked);
    working = false;
    if (done) return;
  }
  std::vector<std::jthread> own;
  own.reserve(helpers);
  for (unsigned i = 0; i < helpers; ++i) own.emplace_back(work);
  work();
}

}  // namespace attest::parallel
