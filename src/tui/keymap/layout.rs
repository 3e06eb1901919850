//! The Latin letter on the same key, for keyboards that type another script. Used where letters are commands, never in
//! text.

/// Letters in the order of `LATIN`, row by row, for each script: lower case.
const LATIN: &str = "qwertyuiop[]asdfghjkl;'zxcvbnm,./";
const OTHERS: [&str; 4] = [
    "йцукенгшщзхъфывапролджэячсмитьбю.",
    "йцукенгшщзхїфівапролджєячсмитьбю.",
    ";ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./",
    "/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ.",
];

/// The Latin character of the key that typed `c` on another layout.
pub fn latin(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let lower: Vec<char> = c.to_lowercase().collect();
    let [letter] = lower.as_slice() else { return None };
    let place = OTHERS.iter().find_map(|row| row.chars().position(|other| other == *letter))?;
    let found = LATIN.chars().nth(place)?;
    Some(if *letter == c { found } else { found.to_ascii_uppercase() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_means_the_same_on_another_layout() {
        assert_eq!(latin('ф'), Some('a'));
        assert_eq!(latin('Ф'), Some('A'));
        assert_eq!(latin('н'), Some('y'));
        assert_eq!(latin('υ'), Some('y'));
        assert_eq!(latin('ט'), Some('y'));
        assert_eq!(latin('a'), None);
        assert_eq!(latin('é'), None);
    }

    #[test]
    fn every_row_is_as_long_as_the_latin_one() {
        for row in OTHERS {
            assert_eq!(row.chars().count(), LATIN.chars().count(), "{row}");
        }
    }
}
