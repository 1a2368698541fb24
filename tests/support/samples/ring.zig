const std = @import("std");

pub const Size = 8;

/// A ring buffer.
pub const Ring = struct {
    items: [Size]u8,

    /// Puts one.
    pub fn put(self: *Ring, item: u8) void {
        self.items[0] = next(item);
    }
};

fn next(i: u8) u8 {
    return std.math.add(u8, i, 1);
}

test "put works" {
    try std.testing.expect(true);
}
