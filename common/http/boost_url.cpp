/// Boost.URL, compiled into ours: the library is not needed where kopiur runs.
#include <boost/url/src.hpp>
