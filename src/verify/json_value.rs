//! The four things that a key of a JSON certificate may have as its value: an object, an array, a number, a string.
//!
//! They are stricter than what serde derives. An object is never an array of its values, which serde takes for a
//! struct; and the message for a string in a wrong place does not repeat the string, which could be as long as the
//! file and several times longer in the message.
//!
//! Source: `docs/certificate-format.md`, *JSON*.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A JSON object with the keys of a struct.
pub(super) struct Object<T>(pub(super) T);

/// A JSON array, of no more than so many values.
pub(super) struct List<T, const MOST: usize = { usize::MAX }>(pub(super) Vec<T>);

/// A JSON number that is an unsigned integer.
pub(super) struct Number<T>(pub(super) T);

/// A JSON string that stands for something.
pub(super) struct Text<T>(pub(super) T);

/// The visitor that makes a value.
struct As<V>(PhantomData<V>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(As::<Self>(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for As<Object<T>> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Object<T>, E> {
        Err(E::custom("a string in the place of an object"))
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(As::<Self>(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for As<List<T, MOST>> {
    type Value = List<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T, MOST>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::custom(format_args!(
                    "an array of more than {MOST} values"
                )));
            }
            list.push(item);
        }
        Ok(List(list))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<List<T, MOST>, E> {
        Err(E::custom("a string in the place of an array"))
    }
}

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(As::<Self>(PhantomData))
    }
}

impl<T: TryFrom<u64>> Visitor<'_> for As<Number<T>> {
    type Value = Number<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an unsigned integer")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Number<T>, E> {
        let number = T::try_from(number).ok().map(Number);
        number.ok_or_else(|| E::custom("a number out of range"))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Number<T>, E> {
        Err(E::custom("a string in the place of a number"))
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(As::<Self>(PhantomData))
    }
}

impl<T: FromStr<Err: Display>> Visitor<'_> for As<Text<T>> {
    type Value = Text<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Text<T>, E> {
        text.parse().map(Text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Pair {
        left: Number<u16>,
        right: List<Text<String>>,
    }

    fn read(text: &str) -> Result<Object<Pair>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn values_of_the_right_type_are_taken() {
        let Object(pair) = read(r#"{"right": ["a", ""], "left": 65535}"#).ok().unwrap();
        assert_eq!(pair.left.0, 65535);
        let texts: Vec<String> = pair.right.0.into_iter().map(|text| text.0).collect();
        assert_eq!(texts, ["a", ""]);
    }

    #[test]
    fn other_values_are_refused_and_strings_are_not_repeated() {
        let long = "\u{80}".repeat(1000);
        let texts = [
            format!("\"{long}\""),
            r#"[1, ["a"]]"#.to_string(),
            format!(r#"{{"left": "{long}", "right": []}}"#),
            format!(r#"{{"left": 1, "right": "{long}"}}"#),
            r#"{"left": 1, "right": {}}"#.to_string(),
            r#"{"left": 1, "right": [1]}"#.to_string(),
            r#"{"left": 65536, "right": []}"#.to_string(),
            r#"{"left": 1.0, "right": []}"#.to_string(),
            r#"{"left": -1, "right": []}"#.to_string(),
            r#"{"left": null, "right": []}"#.to_string(),
        ];
        for text in texts {
            let error = read(&text).err().unwrap();
            assert!(error.len() < 100, "{error}");
        }
    }
}
