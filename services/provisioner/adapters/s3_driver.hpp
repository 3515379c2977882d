#pragma once
#include "common/blob/store.hpp"
#include "common/http/pool.hpp"
#include "common/time/clock.hpp"
#include "services/provisioner/shell/driver.hpp"
#include "services/systems/buckety/s3/parameters.hpp"

namespace kopiur::provisioner {

/// Buckets of a service that speaks the S3 API.
class s3_driver final : public driver {
 public:
  s3_driver(std::unique_ptr<blob::store> store, buckety::s3::backend_config config)
      : store_(std::move(store)), config_(std::move(config)) {}

  answer<buckety::inspection> inspect(std::string name, bool content) override;
  answer<buckety::create_result> create(std::string name, buckety::parameters wanted) override;
  settled settle(std::string name, buckety::parameters wanted, bool writes) override;
  answer<removal> remove(std::string name) override;

 private:
  template <class T>
  using result = boost::asio::awaitable<blob::result<T>>;
  result<bool> settle_versioning(std::string name, bool wanted, bool writes);
  result<bool> settle_lifecycle(std::string name, buckety::s3::lifecycle_rules wanted, bool writes);
  result<bool> is_empty(std::string name);
  result<bool> remove_some(std::string name);
  result<bool> remove_all_of(std::string name, std::vector<blob::object_name> some);

  std::unique_ptr<blob::store> store_;
  buckety::s3::backend_config config_;
};

/// `time` and `connections` outlive it.
std::unique_ptr<driver> make_s3_driver(clock& time, http::pool& connections, buckety::s3::backend_config const& config);

}  // namespace kopiur::provisioner
