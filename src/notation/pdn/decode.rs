//! The text of a file from its bytes.

use yore::CodePage;
use yore::code_pages::CP1252;

/// The text of a file: UTF-8 with or without a byte order mark, otherwise ISO 8859-1, as in old
/// files (decoded as its superset Windows-1252). Line ends become `\n`.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => CP1252.decode_lossy(bytes),
    };
    text.replace("\r\n", "\n").replace('\r', "\n")
}
