//! Any bytes as a DXP message. What is read can be written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use manoury::protocol::dxp::Message;

fuzz_target!(|bytes: &[u8]| {
    let Ok(message) = Message::parse(bytes) else {
        return;
    };
    if let Ok(text) = message.format() {
        assert_eq!(Message::parse(text.as_bytes()), Ok(message));
    }
});
