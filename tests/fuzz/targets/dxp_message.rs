//! Any bytes as a DXP message: a message that can be parsed can be formatted and parsed again.

use manoury::protocol::dxp::Message;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(message) = Message::parse(bytes) else {
        return;
    };
    if let Ok(text) = message.format() {
        assert_eq!(Message::parse(text.as_bytes()), Ok(message));
    }
}
