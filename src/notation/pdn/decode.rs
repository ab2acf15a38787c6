//! The text of a file from its bytes.

/// The text of a file: UTF-8 with or without a byte order mark, otherwise ISO 8859-1, as in old
/// files (decoded as its superset Windows-1252). Line ends become `\n`.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    };
    text.replace("\r\n", "\n").replace('\r', "\n")
}
