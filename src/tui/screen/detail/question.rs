//! The page of a question: what is asked, the options, what happens without an answer, what became of it.

use crate::domain::question::QuestionState;
use crate::domain::{Untrusted, ink};
use crate::tui::sheet::{Row, Sheet, bit, foreign_line};
use crate::tui::theme::Role;
use crate::tui::time;
use crate::wire::agent::QuestionOption;
use crate::wire::view::{QuestionView, RequestView};

use super::{Now, receipts};

/// The page, with the option that is taken.
pub fn page(view: &RequestView, body: &QuestionView, choice: Option<usize>, columns: usize, now: &Now<'_>) -> Sheet {
    let mut sheet = Sheet::new(columns);
    receipts::rows(&mut sheet, view, now);
    sheet.prose(1, &body.text, Role::Strong);
    sheet.blank();
    options(&mut sheet, body, choice);
    let lead = match (body.state, view.row.blocking) {
        (QuestionState::Open, true) => "the run waits; its own default: ",
        (QuestionState::Open, false) => "if you say nothing: ",
        (QuestionState::Defaulted, _) => "the run went on with its default: ",
        _ => "its default was: ",
    };
    let mut default = vec![bit(Role::Label, lead)];
    default.extend(foreign_line(&body.default, Role::Text));
    sheet.words(1, &default);
    sheet.blank();
    let told = body.state == QuestionState::Answered && view.row.decision.is_some();
    if let Some(line) = ended(body, now).filter(|_| !told) {
        sheet.words(1, &[bit(Role::Strong, line)]);
        sheet.blank();
    }
    if let Some(answer) = body.answer.as_ref().filter(|_| view.row.decision.is_none()) {
        sheet.heading(Role::Label, "ANSWER", "");
        sheet.prose(3, answer, Role::Text);
        sheet.blank();
    }
    sheet
}

fn options(sheet: &mut Sheet, body: &QuestionView, choice: Option<usize>) {
    if body.options.is_empty() {
        return;
    }
    for (i, QuestionOption { label, description }) in body.options.iter().enumerate() {
        let chosen = choice == Some(i);
        let (mark, role) = if chosen { ("›", Role::Chosen) } else { (" ", Role::Text) };
        let mut bits = vec![bit(role, format!("{mark} {}  ", (i + 1) % 10))];
        bits.extend(foreign_line(label, role));
        sheet.words(1, &bits);
        if !description.is_blank() {
            sheet.words(6, &foreign_line(description, Role::Dim));
        }
    }
    sheet.blank();
}

fn ended(body: &QuestionView, now: &Now<'_>) -> Option<String> {
    let what = match body.state {
        QuestionState::Open => return None,
        QuestionState::Answered => "answered",
        QuestionState::Defaulted => "the default was taken",
        QuestionState::AnsweredLate => "answered after the default was taken",
        QuestionState::Withdrawn => "withdrawn",
    };
    let at = body.closed_at.map(|ms| format!(" {}", time::clock(ms, now.ms, now.zone))).unwrap_or_default();
    Some(format!("{what}{at}"))
}

/// What would be sent: the option's words, the owner's words, or both.
pub fn answer(body: &QuestionView, choice: Option<usize>, words: &str) -> String {
    let label = choice.and_then(|i| body.options.get(i)).map(|option| option.label.raw()).unwrap_or_default();
    let words = words.trim();
    match (label, words) {
        (label, "") => label.to_owned(),
        ("", words) => words.to_owned(),
        (label, words) => {
            let stop = if label.ends_with(['.', '!', '?', ':', ',', ';']) { " " } else { ". " };
            format!("{label}{stop}{words}")
        }
    }
}

/// The page that shows an answer once more before it goes.
pub fn last_look(text: &str, run: Option<i64>, columns: usize, rows: usize) -> Sheet {
    let mut sheet = Sheet::new(columns);
    let to = run.map_or_else(|| "to the agent".to_owned(), |run| format!("to run {run}"));
    sheet.heading(Role::Confirm, "WILL BE SENT", &format!("{to}, word for word"));
    sheet.blank();
    sheet.prose(3, &Untrusted::from(text), Role::Strong);
    let over = sheet.rows.len().saturating_sub(rows);
    if over > 0 && rows > 1 {
        sheet.rows.truncate(rows - 1);
        let note = format!("   … and {} more lines, as in the box", over + 1);
        sheet.rows.push(Row::new(vec![bit(Role::Dim, note)]));
    }
    sheet
}

/// The line under the box: what would be sent, cut to the width.
pub fn preview(body: &QuestionView, choice: Option<usize>, words: &str, columns: usize) -> Vec<(Role, String)> {
    let text = answer(body, choice, words);
    if text.is_empty() {
        return vec![bit(Role::Dim, " nothing to send yet")];
    }
    let room = columns.saturating_sub(ink::width(" will be sent: "));
    let shown = ink::fit(&ink::line(&Untrusted::from(text)), room);
    vec![bit(Role::Label, " will be sent: "), bit(Role::Text, shown)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(labels: &[&str]) -> QuestionView {
        let option =
            |label: &&str| QuestionOption { label: Untrusted::from(*label), description: Untrusted::default() };
        QuestionView {
            state: QuestionState::Open,
            text: "?".into(),
            default: "keep".into(),
            options: labels.iter().map(option).collect(),
            answer: None,
            closed_at: None,
        }
    }

    #[test]
    fn an_answer_is_option_words_or_both() {
        let body = body(&["drop now", "Keep it."]);
        assert_eq!(answer(&body, None, "  as before\nplease \n"), "as before\nplease");
        assert_eq!(answer(&body, Some(0), ""), "drop now");
        assert_eq!(answer(&body, Some(0), "But keep the PDF."), "drop now. But keep the PDF.");
        assert_eq!(answer(&body, Some(1), "Thanks"), "Keep it. Thanks");
        assert_eq!(answer(&body, Some(7), ""), "");
    }

    #[test]
    fn a_long_answer_says_how_much_is_not_shown() {
        let text = vec!["line"; 40].join("\n");
        let sheet = last_look(&text, Some(12), 40, 10);
        assert_eq!(sheet.rows.len(), 10);
        assert_eq!(sheet.rows[9].text(), "   … and 33 more lines, as in the box".to_owned());
    }
}
