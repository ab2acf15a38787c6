//! Numbers of things in words.

/// `1 ply`, `2 plies`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
