//! Report languages. Each has a file of UI strings, shared with the page.

use std::collections::BTreeMap;
use std::str::FromStr;

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// French.
    French,
    /// Dutch.
    Dutch,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 3] = [Language::English, Language::French, Language::Dutch];

    /// The code of the language: `en`, `fr`, `nl`.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::French => "fr",
            Language::Dutch => "nl",
        }
    }

    /// The UI strings by key, as a JSON object.
    pub fn texts(self) -> &'static str {
        match self {
            Language::English => include_str!("../page/language/en.json"),
            Language::French => include_str!("../page/language/fr.json"),
            Language::Dutch => include_str!("../page/language/nl.json"),
        }
    }

    /// The text with a key; `None` if there is none.
    pub fn text(self, key: &str) -> Option<String> {
        serde_json::from_str::<BTreeMap<String, String>>(self.texts()).ok()?.remove(key)
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Language::ALL.into_iter().find(|language| language.code() == text);
        known.ok_or_else(|| "expected en, fr or nl".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use serde::Deserialize;
    use serde::de::{Deserializer, MapAccess, Visitor};

    use super::*;

    /// The keys of a JSON object in order. Unlike in a map, equal keys are kept.
    #[derive(Debug)]
    struct Keys(Vec<String>);

    impl<'de> Deserialize<'de> for Keys {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(KeyVisitor)
        }
    }

    struct KeyVisitor;

    impl<'de> Visitor<'de> for KeyVisitor {
        type Value = Keys;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of texts")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
            let mut keys = Vec::new();
            while let Some((key, _)) = map.next_entry::<String, String>()? {
                keys.push(key);
            }
            Ok(Keys(keys))
        }
    }

    #[test]
    fn every_key_is_unique() {
        for language in Language::ALL {
            let Keys(mut keys) = serde_json::from_str(language.texts()).unwrap();
            keys.sort_unstable();
            let duplicates: Vec<_> = keys.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(duplicates.is_empty(), "{language:?}: {duplicates:?}");
        }
    }

    #[test]
    fn every_language_has_every_text() {
        let texts = |language: Language| {
            let texts: BTreeMap<String, String> = serde_json::from_str(language.texts()).unwrap();
            assert!(texts.values().all(|text| !text.is_empty()));
            texts.into_keys().collect::<Vec<_>>()
        };
        for language in Language::ALL {
            assert_eq!(texts(language), texts(Language::English), "{language:?}");
            assert_eq!(language.code().parse(), Ok(language));
            assert_eq!(language.text("no such text"), None);
        }
    }
}
