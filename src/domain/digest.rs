//! SHA-256 over canonical JSON: what a decision and a use are bound to.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// A SHA-256 in lower-case hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(pub String);

impl Digest {
    /// Of bytes.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let sum = Sha256::digest(bytes);
        let mut hex = String::with_capacity(64);
        for byte in sum {
            hex.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
            hex.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
        }
        Self(hex)
    }

    /// Of a value as JSON with sorted keys (`serde_json` keeps object keys sorted), so equal values have equal digests.
    pub fn of(value: &serde_json::Value) -> Self {
        Self::of_bytes(value.to_string().as_bytes())
    }

    /// The first eight digits, for people.
    pub fn short(&self) -> &str {
        self.0.get(..8).unwrap_or(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_have_equal_digests_whatever_the_order_of_keys() {
        let a: serde_json::Value = serde_json::from_str(r#"{"a":1,"b":[2]}"#).unwrap();
        assert_eq!(Digest::of(&a), Digest::of(&json!({"b": [2], "a": 1})));
        assert_ne!(Digest::of(&a), Digest::of(&json!({"b": [2], "a": 2})));
        assert_eq!(Digest::of_bytes(b"").0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
