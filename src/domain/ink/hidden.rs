//! The characters that have no look of their own or change their neighbours: control, format, separators other than the
//! space, private use, default-ignorable, noncharacters and the blank Braille pattern. A test compares the table with the
//! Unicode properties of another crate.

/// Whether the character must never be drawn as it is.
pub fn is_hidden(c: char) -> bool {
    HIDDEN
        .binary_search_by(|&(first, last)| {
            if last < c {
                std::cmp::Ordering::Less
            } else if first > c {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

const HIDDEN: &[(char, char)] = &[
    ('\u{0000}', '\u{001F}'),
    ('\u{007F}', '\u{00A0}'),
    ('\u{00AD}', '\u{00AD}'),
    ('\u{034F}', '\u{034F}'),
    ('\u{0600}', '\u{0605}'),
    ('\u{061C}', '\u{061C}'),
    ('\u{06DD}', '\u{06DD}'),
    ('\u{070F}', '\u{070F}'),
    ('\u{0890}', '\u{0891}'),
    ('\u{08E2}', '\u{08E2}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{2000}', '\u{200F}'),
    ('\u{2028}', '\u{202F}'),
    ('\u{205F}', '\u{206F}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{E000}', '\u{F8FF}'),
    ('\u{FDD0}', '\u{FDEF}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFFB}'),
    ('\u{FFFE}', '\u{FFFF}'),
    ('\u{110BD}', '\u{110BD}'),
    ('\u{110CD}', '\u{110CD}'),
    ('\u{13430}', '\u{1343F}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{1FFFE}', '\u{1FFFF}'),
    ('\u{2FFFE}', '\u{2FFFF}'),
    ('\u{3FFFE}', '\u{3FFFF}'),
    ('\u{4FFFE}', '\u{4FFFF}'),
    ('\u{5FFFE}', '\u{5FFFF}'),
    ('\u{6FFFE}', '\u{6FFFF}'),
    ('\u{7FFFE}', '\u{7FFFF}'),
    ('\u{8FFFE}', '\u{8FFFF}'),
    ('\u{9FFFE}', '\u{9FFFF}'),
    ('\u{AFFFE}', '\u{AFFFF}'),
    ('\u{BFFFE}', '\u{BFFFF}'),
    ('\u{CFFFE}', '\u{CFFFF}'),
    ('\u{DFFFE}', '\u{E0FFF}'),
    ('\u{EFFFE}', '\u{10FFFF}'),
];
