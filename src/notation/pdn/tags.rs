//! The tags of a game: `[White "Sijbrands, T."]`.

/// Names and values in file order. A name consists of ASCII letters, digits and `_`; a value is a
/// single line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of the first tag with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Sets the value of a tag, or adds the tag. Characters not allowed in a name are dropped from
    /// it; control characters in the value become blanks.
    pub fn set(&mut self, name: &str, value: &str) {
        let (name, value) = (clean_name(name), clean_value(value));
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None if name.is_empty() => {}
            None => self.0.push((name, value)),
        }
    }

    /// Adds a tag, even if one with this name exists.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.0.push((clean_name(name), clean_value(value)));
    }

    /// All names and values, in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }
}

/// Whether a name may contain a character.
pub(super) fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn clean_name(name: &str) -> String {
    name.chars().filter(|&character| is_name(character)).collect()
}

fn clean_value(value: &str) -> String {
    value.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}
