//! Character encodings of PDN files. Files do not name their encoding, so it is detected from their
//! bytes.
//!
//! UTF-8 and UTF-16 are detected by their structure. Among the single-byte encodings, Western and
//! Cyrillic ones are distinguished by how often non-ASCII letters are adjacent, and the Cyrillic
//! ones by letter frequencies in the decoded text. A file joined from several may contain both UTF-8
//! and a single-byte encoding, so that is decided line by line. Implemented here because the common crates take
//! 8 s to compile and add 0.4 MB for Chinese, Japanese and Korean encodings.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use yore::CodePage;
use yore::code_pages::{CP866, CP1251, CP1252};

/// A character encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16 with a byte order mark, little-endian.
    Utf16Le,
    /// UTF-16 with a byte order mark, big-endian.
    Utf16Be,
    /// Western European languages; a superset of ISO 8859-1 (Latin-1).
    Windows1252,
    /// Cyrillic on Windows.
    Windows1251,
    /// Cyrillic on Unix.
    Koi8R,
    /// Cyrillic on DOS.
    Cp866,
}

/// An unknown encoding name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "unknown encoding {0:?}; expected utf-8, utf-16le, utf-16be, windows-1252, windows-1251, koi8-r or cp866"
)]
pub struct UnknownEncoding(String);

impl Encoding {
    /// The Cyrillic encodings, most common first.
    const CYRILLIC: [Encoding; 3] = [Encoding::Windows1251, Encoding::Cp866, Encoding::Koi8R];

    /// Guesses the encoding of a text from its first bytes; 100 kB are enough. For a text that is
    /// only partly UTF-8, guesses the encoding of the rest.
    pub fn guess(bytes: &[u8]) -> Encoding {
        match bytes {
            [0xff, 0xfe, ..] => return Encoding::Utf16Le,
            [0xfe, 0xff, ..] => return Encoding::Utf16Be,
            _ => {}
        }
        match std::str::from_utf8(bytes) {
            Ok(_) => return Encoding::Utf8,
            // Only the last character is cut off.
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
                return Encoding::Utf8;
            }
            Err(_) => {}
        }
        let bytes = &single_byte_parts(bytes)[..];
        let is_high = |byte: &&u8| !byte.is_ascii();
        let high = bytes.iter().filter(is_high).count();
        let adjacent = bytes.windows(2).filter(|pair| pair.iter().all(|byte| !byte.is_ascii()));
        // Accented letters are rare within words, whereas Cyrillic words consist entirely of
        // non-ASCII letters.
        if 2 * adjacent.count() < high {
            return Encoding::Windows1252;
        }
        let best = Encoding::CYRILLIC.into_iter().rev();
        let best = best.max_by_key(|encoding| russian_likeness(&encoding.decode(bytes)));
        best.unwrap_or(Encoding::Windows1251)
    }

    /// Decodes a text. Invalid parts of UTF-16 become replacement characters; bytes that are not
    /// part of valid UTF-8 are decoded as Windows-1252.
    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Encoding::Utf8 => decode_utf8(without_mark(bytes), Encoding::Windows1252),
            Encoding::Utf16Le => decode_utf16(bytes, u16::from_le_bytes),
            Encoding::Utf16Be => decode_utf16(bytes, u16::from_be_bytes),
            Encoding::Windows1252 => CP1252.decode_lossy(bytes).into_owned(),
            Encoding::Windows1251 => CP1251.decode_lossy(bytes).into_owned(),
            Encoding::Koi8R => bytes.iter().map(|&byte| koi8r(byte)).collect(),
            Encoding::Cp866 => CP866.decode_lossy(bytes).into_owned(),
        }
    }

    fn is_single_byte(self) -> bool {
        !matches!(self, Encoding::Utf8 | Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// Whether the bytes can be split at line feeds and each line decoded separately.
    pub fn has_byte_lines(self) -> bool {
        !matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }
}

/// How to decode a file: in a given encoding, or as guessed from its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decoder {
    encoding: Encoding,
    is_guessed: bool,
}

impl From<Encoding> for Decoder {
    fn from(encoding: Encoding) -> Self {
        Decoder { encoding, is_guessed: false }
    }
}

impl Decoder {
    /// The decoder for the encoding guessed by [`Encoding::guess`].
    pub fn guess(bytes: &[u8]) -> Decoder {
        Decoder { encoding: Encoding::guess(bytes), is_guessed: true }
    }

    /// The encoding of the file, except for any parts in UTF-8.
    pub fn encoding(self) -> Encoding {
        self.encoding
    }

    /// Decodes a text. Line ends become `\n`. If the encoding is guessed, lines in UTF-8 are decoded
    /// as such.
    pub fn decode(self, bytes: &[u8]) -> String {
        let text = match self.is_guessed && self.encoding.is_single_byte() {
            true => lines(without_mark(bytes)).map(|line| self.decode_line(line)).collect(),
            false => self.encoding.decode(bytes),
        };
        text.replace("\r\n", "\n").replace('\r', "\n")
    }

    fn decode_line(self, line: &[u8]) -> String {
        match is_utf8(line) {
            true => decode_utf8(line, self.encoding),
            false => self.encoding.decode(line),
        }
    }
}

/// Whether some lines of a text contain characters in UTF-8.
pub fn contains_utf8(bytes: &[u8]) -> bool {
    lines(without_mark(bytes)).any(|line| !line.is_ascii() && is_utf8(line))
}

/// The text without the byte order mark of UTF-8.
fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The lines of a text, with their line ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Whether a line is UTF-8, perhaps with a few stray bytes. Letters of a single-byte encoding that
/// happen to form UTF-8 hardly ever do so throughout a line, or form characters that are not in
/// names or comments.
fn is_utf8(line: &[u8]) -> bool {
    let (mut characters, mut strays) = (0, 0);
    for part in line.utf8_chunks() {
        strays += part.invalid().len();
        for character in part.valid().chars().filter(|character| !character.is_ascii()) {
            match is_expected(character) {
                true => characters += 1,
                false => strays += 1,
            }
        }
    }
    strays == 0 || characters > strays
}

/// Whether a character is one of those that names and comments in UTF-8 usually consist of: Latin,
/// Greek and Cyrillic letters, punctuation, and symbols such as arrows and pieces.
fn is_expected(character: char) -> bool {
    matches!(character,
        '\u{a0}'..='\u{52f}' | '\u{1e00}'..='\u{22ff}' | '\u{2500}'..='\u{27bf}')
}

/// The parts of a text that are not UTF-8: lines, and stray bytes in lines of UTF-8.
fn single_byte_parts(bytes: &[u8]) -> Vec<u8> {
    let mut parts = Vec::new();
    for line in lines(without_mark(bytes)) {
        if is_utf8(line) {
            let strays = line.utf8_chunks().map(|part| part.invalid());
            strays.for_each(|stray| parts.extend([stray, b" "].concat()));
        } else {
            parts.extend(line);
        }
    }
    parts
}

/// Decodes UTF-8; stray bytes are decoded in the given encoding, which must be another one.
fn decode_utf8(bytes: &[u8], of_strays: Encoding) -> String {
    let parts = bytes.utf8_chunks();
    parts.map(|part| part.valid().to_owned() + &of_strays.decode(part.invalid())).collect()
}

fn decode_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.as_chunks().0.iter().map(|&pair| unit(pair)).collect();
    let text = String::from_utf16_lossy(&units);
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

/// A character of KOI8-R (RFC 1489). Its box-drawing characters, which no name contains, become
/// replacement characters.
fn koi8r(byte: u8) -> char {
    const LETTERS: &str = "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";
    match byte {
        0..0x80 => char::from(byte),
        0xa3 => 'ё',
        0xb3 => 'Ё',
        0xc0.. => LETTERS.chars().nth(usize::from(byte - 0xc0)).unwrap_or('\u{fffd}'),
        _ => '\u{fffd}',
    }
}

/// How much a text looks like Russian: frequent letters score more; capitals after lower-case
/// letters and other non-ASCII characters score negatively.
fn russian_likeness(text: &str) -> i64 {
    /// The letters of Russian, most frequent first.
    const BY_FREQUENCY: &str = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъ";
    let mut before = ' ';
    text.chars()
        .map(|letter| {
            let small = letter.to_lowercase().next().unwrap_or(letter);
            let rank = BY_FREQUENCY.chars().position(|known| known == small);
            let is_inverted = letter.is_uppercase() && before.is_lowercase();
            before = letter;
            match rank {
                _ if letter.is_ascii() => 0,
                _ if is_inverted => -40,
                Some(rank) => 32 - rank as i64,
                None if small == 'ё' => 1,
                None => -40,
            }
        })
        .sum()
}

/// The names accepted on the command line. Messages show the first one.
const NAMES: [(Encoding, &[&str]); 7] = [
    (Encoding::Utf8, &["utf-8", "utf8"]),
    (Encoding::Utf16Le, &["utf-16le"]),
    (Encoding::Utf16Be, &["utf-16be"]),
    (Encoding::Windows1252, &["windows-1252", "latin1", "latin-1", "iso-8859-1", "cp1252"]),
    (Encoding::Windows1251, &["windows-1251", "cp1251"]),
    (Encoding::Koi8R, &["koi8-r", "koi8r"]),
    (Encoding::Cp866, &["cp866", "ibm866"]),
];

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Self, UnknownEncoding> {
        let wanted = text.to_ascii_lowercase();
        let found = NAMES.iter().find(|(_, names)| names.contains(&&wanted[..]));
        found
            .map(|&(encoding, _)| encoding)
            .ok_or_else(|| UnknownEncoding(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = NAMES.iter().find(|(encoding, _)| encoding == self);
        f.write_str(known.and_then(|(_, names)| names.first()).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of a text in a single-byte encoding.
    fn encoded(text: &str, encoding: Encoding) -> Vec<u8> {
        let byte =
            |letter| (0..=255).find(|&byte| encoding.decode(&[byte]).chars().eq([letter])).unwrap();
        text.chars().map(byte).collect()
    }

    #[test]
    fn cyrillic_encodings_are_told_apart() {
        for text in [
            "[White \"Щеголев В.\"]\n[Black \"Иванов\"]\n1. c3-d4 1-1",
            "[Event \"Чемпионат СССР, Москва\"]\n[White \"Куперман И.\"]",
            "1. 32-28 {Хороший ход, но белые могли выиграть шашку} *",
        ] {
            for encoding in Encoding::CYRILLIC {
                let bytes = encoded(text, encoding);
                assert_eq!(Encoding::guess(&bytes), encoding, "{text}");
                assert_eq!(encoding.decode(&bytes), text);
            }
        }
    }

    #[test]
    fn western_and_unicode_texts_are_recognized() {
        let cases: [(&[u8], Encoding); 6] = [
            (b"M\xe9ar Gu\xe8ye \x93Fran\xe7ois\x94", Encoding::Windows1252),
            (b"Gro\xdfe Stra\xdfe, \xd6l", Encoding::Windows1252),
            (b"plain", Encoding::Utf8),
            ("Méar, Щеголев".as_bytes(), Encoding::Utf8),
            (b"\xff\xfe[\0", Encoding::Utf16Le),
            (b"\xfe\xff\0[", Encoding::Utf16Be),
        ];
        for (bytes, encoding) in cases {
            assert_eq!(Encoding::guess(bytes), encoding, "{bytes:?}");
        }
        let cut = "Щеголев".as_bytes();
        assert_eq!(Encoding::guess(&cut[..cut.len() - 1]), Encoding::Utf8);
        assert_eq!(Encoding::Utf16Le.decode(b"\xff\xfe[\0\xeb\0\x01"), "[ë");
        assert_eq!(Encoding::Utf16Be.decode(b"\xfe\xff\0[\0\xeb"), "[ë");
    }

    #[test]
    fn utf8_stays_utf8_next_to_other_encodings() {
        // The bytes after `|` are Windows-1251, those after `~` Latin-1, those after `^` CP 866.
        let cases = [
            ("NK 2003 – Amsterdam\n~André\n", Encoding::Windows1252),
            ("Méar – François\n~Guèye «Spaß»\r~«É»\r\n", Encoding::Windows1252),
            ("Щеголев\n|Иванов, Куперман\n~plain", Encoding::Windows1251),
            ("é\n^раб, рак и сам\n^Чемпионат СССР", Encoding::Cp866),
            ("^Чемпионат СССР\n^рак", Encoding::Cp866),
            ("|Хрущёв, «СССР»\n|Ліс", Encoding::Windows1251),
        ];
        for (text, encoding) in cases {
            let bytes: Vec<u8> = text
                .split_inclusive(['\n', '\r'])
                .flat_map(|line| match line.split_at_checked(1) {
                    Some(("|", line)) => encoded(line, Encoding::Windows1251),
                    Some(("~", line)) => encoded(line, Encoding::Windows1252),
                    Some(("^", line)) => encoded(line, Encoding::Cp866),
                    _ => line.as_bytes().to_vec(),
                })
                .collect();
            assert_eq!(Encoding::guess(&bytes), encoding, "{text}");
            let expected = text.replace(['|', '~', '^'], "").replace("\r\n", "\n");
            assert_eq!(Decoder::guess(&bytes).decode(&bytes), expected.replace('\r', "\n"));
        }
        // A stray byte, or a character cut off in the middle, leaves the rest of its line as it is.
        let bytes = b"Andr\xc3\xa9, M\xc3\xa9ar, Ren\xc3\xa9, Gu\xe8ye, Fran\xc3";
        assert_eq!(Decoder::guess(bytes).decode(bytes), "André, Méar, René, Guèye, FranÃ");
        assert_eq!(Encoding::Utf8.decode(b"\xef\xbb\xbf\xc3\xa9 \xe9"), "é é");
        // An encoding that is given applies to all lines.
        assert_eq!(Decoder::from(Encoding::Windows1252).decode("é".as_bytes()), "Ã©");
    }

    #[test]
    fn names_round_trip() {
        for (encoding, names) in NAMES {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
            assert!(names.iter().all(|name| name.to_uppercase().parse() == Ok(encoding)));
        }
        let error = "utf-7".parse::<Encoding>().unwrap_err();
        assert!(error.to_string().contains("koi8-r"), "{error}");
    }
}
