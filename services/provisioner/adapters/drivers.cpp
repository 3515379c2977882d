#include "services/provisioner/adapters/drivers.hpp"

#include "services/provisioner/adapters/kadm_driver.hpp"
#include "services/provisioner/adapters/s3_driver.hpp"

namespace kopiur::provisioner {

driver_maker make_drivers(clock& time, boost::asio::any_io_executor loop) {
  struct make_driver {
    clock& time;
    boost::asio::any_io_executor loop;
    std::shared_ptr<http::pool> connections;

    std::unique_ptr<driver> operator()(buckety::s3::backend_config const& config) const {
      return make_s3_driver(time, *connections, config);
    }
    std::unique_ptr<driver> operator()(buckety::kadm::backend_config const& config) const { return make_kadm_driver(time, loop, config); }
    std::unique_ptr<driver> operator()(buckety::backend const& one) const { return std::visit(*this, one.config); }
  };
  return make_driver{time, loop, std::make_shared<http::pool>(time, loop)};
}

}  // namespace kopiur::provisioner
