//! Any bytes as a DXP message. What is read can be written and read again.

use manoury::protocol::dxp::Message;

/// Looks at one input.
pub fn check(bytes: &[u8]) {
    let Ok(message) = Message::parse(bytes) else {
        return;
    };
    if let Ok(text) = message.format() {
        assert_eq!(Message::parse(text.as_bytes()), Ok(message));
    }
}
