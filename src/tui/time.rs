//! Moments and spans in words. Time and zone come in as arguments.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A short age: `now`, `21m`, `3h`, `2d`.
pub fn age(ms: i64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        ..1 => "now".to_owned(),
        1..60 => format!("{minutes}m"),
        60..2_880 => format!("{}h", minutes / 60),
        _ => format!("{}d", minutes / 1_440),
    }
}

/// An age in a sentence: `just now`, `21 min ago`.
pub fn ago(ms: i64) -> String {
    let minutes = ms / 60_000;
    match minutes {
        ..1 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..2_880 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1_440),
    }
}

/// A time of day with seconds; with the day in front when it is another one.
pub fn clock(at: i64, now: i64, zone: &TimeZone) -> String {
    format(at, now, zone, "%H:%M:%S", "%b %-d %H:%M:%S")
}

/// A time of day without seconds; with the day in front when it is another one.
pub fn short(at: i64, now: i64, zone: &TimeZone) -> String {
    format(at, now, zone, "%H:%M", "%b %-d %H:%M")
}

fn format(at: i64, now: i64, zone: &TimeZone, today: &str, other: &str) -> String {
    let local = |ms| Timestamp::from_millisecond(ms).map(|stamp| stamp.to_zoned_datetime(zone.clone()));
    match (local(at), local(now)) {
        (Ok(at), Ok(now)) if at.date() == now.date() => at.strftime(today).to_string(),
        (Ok(at), _) => at.strftime(other).to_string(),
        (Err(_), _) => "?".to_owned(),
    }
}

/// Whole seconds that are left, counted up so that it never says 0 while something is left.
pub fn seconds_left(until: i64, now: i64) -> i64 {
    ((until - now).max(0) + 999) / 1_000
}

/// Minutes in words: `2 h`, `45 min`.
pub fn minutes(minutes: i64) -> String {
    if minutes >= 60 && minutes % 60 == 0 { format!("{} h", minutes / 60) } else { format!("{minutes} min") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_in_words() {
        assert_eq!([0, 59_999, 60_000, 3_600_000, 172_800_000].map(age), ["now", "now", "1m", "1h", "2d"]);
        assert_eq!(ago(21 * 60_000), "21 min ago");
        assert_eq!([1, 1_000, 1_001].map(|ms| seconds_left(ms, 0)), [1, 1, 2]);
        assert_eq!(seconds_left(0, 5), 0);
        assert_eq!([120, 45, 90].map(minutes), ["2 h", "45 min", "90 min"]);
    }

    #[test]
    fn another_day_is_named() {
        let (noon, zone) = (1_794_571_200_000, TimeZone::UTC);
        assert_eq!(short(noon, noon + 60_000, &zone), "12:00");
        assert_eq!(clock(noon - 86_400_000, noon, &zone), "Nov 12 12:00:00");
    }
}
