#include <vector>
#include "matrix.hpp"

namespace math {

using Row = std::vector<double>;
constexpr int kSide = 4;

/// A square matrix.
template <typename T>
class Matrix : public Base {
public:
    explicit Matrix(int side) : side_(side) {}
    ~Matrix() = default;
    T at(int r, int c) const;
    Matrix operator+(const Matrix& other) const { return add(other); }

private:
    int side_;
};

struct Cell { int row; };

enum class Mode { Fast, Safe };

} // namespace math

// Reads one cell.
template <typename T>
T math::Matrix<T>::at(int r, int c) const {
    check(r);
    return rows_.get(r)->cell(c);
}

int* start(int argc) {
    auto m = std::make_unique<math::Matrix<int>>(kSide);
    return run([&](int x) { return x; });
}
