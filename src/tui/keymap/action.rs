//! The one vocabulary: what can be done, where, by which name. Files, footers and help all speak it.

/// Where a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Outside text fields and questions to the owner.
    Global,
    /// The Inbox.
    List,
    /// The detail of any request.
    Item,
    /// The detail of a question.
    Question,
    /// The detail of an approval.
    Approval,
    /// The answer box.
    Answer,
    /// The line that goes with a refusal.
    Refuse,
    /// The line that goes with an approval.
    Note,
    /// Any text field.
    Text,
    /// The second step of a decision.
    Confirm,
    /// The help.
    Help,
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is described for the owner in TABLE")]
pub enum Action {
    Help,
    Back,
    Leave,
    Redraw,
    Down,
    Up,
    PageDown,
    PageUp,
    Top,
    Bottom,
    Open,
    Answer,
    Fold,
    FoldOpen,
    FoldClose,
    FoldAll,
    UnfoldAll,
    ShowNew,
    TakeBack,
    Next,
    Previous,
    Write,
    Choose,
    Send,
    LeaveBox,
    Clear,
    Approve,
    Refuse,
    Reread,
    Yes,
    AddLine,
    Done,
    Cancel,
    Left,
    Right,
    LineStart,
    LineEnd,
    WordLeft,
    WordRight,
    DeleteWord,
    Undo,
}

impl Context {
    /// All of them, in the order of the file.
    pub const ALL: [Self; 11] = [
        Self::Global,
        Self::List,
        Self::Item,
        Self::Question,
        Self::Approval,
        Self::Answer,
        Self::Refuse,
        Self::Note,
        Self::Text,
        Self::Confirm,
        Self::Help,
    ];

    /// The table's name in a file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::List => "list",
            Self::Item => "item",
            Self::Question => "question",
            Self::Approval => "approval",
            Self::Answer => "answer",
            Self::Refuse => "refuse",
            Self::Note => "note",
            Self::Text => "text",
            Self::Confirm => "confirm",
            Self::Help => "help",
        }
    }

    /// The heading in the help.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Global => "Everywhere",
            Self::List => "Inbox",
            Self::Item => "Any request",
            Self::Question => "Question",
            Self::Approval => "Approval",
            Self::Answer => "Answer box",
            Self::Refuse => "Line with a refusal",
            Self::Note => "Line with an approval",
            Self::Text => "Any text field",
            Self::Confirm => "Second step of a decision",
            Self::Help => "Help",
        }
    }

    /// Whether plain characters are text here.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Answer | Self::Refuse | Self::Note | Self::Text)
    }
}

/// An action in a context.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where.
    pub context: Context,
    /// What.
    pub action: Action,
    /// The name in a file.
    pub name: &'static str,
    /// The word behind the key in a footer.
    pub hint: &'static str,
    /// The line in the help.
    pub help: &'static str,
}

/// The entry of an action in a context.
pub fn entry(context: Context, action: Action) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.context == context && entry.action == action)
}

macro_rules! table {
    ($($context:ident { $($action:ident $name:literal $hint:literal $help:literal),* $(,)? })*) => {
        /// Everything that can be bound.
        pub const TABLE: &[Entry] = &[$($(Entry {
            context: Context::$context, action: Action::$action, name: $name, hint: $hint, help: $help,
        },)*)*];
    };
}

table! {
    Global {
        Help "help" "help" "this help",
        Back "back" "back" "one step back; never leaves",
        Leave "leave" "quit" "leave the app; core and runs go on",
        Redraw "redraw" "redraw" "draw the screen anew",
    }
    List {
        Open "open" "open" "open the request",
        Answer "answer" "answer" "open the question and write",
        ShowNew "show_new" "show new" "show what has come in",
        TakeBack "take_back" "take back" "take back your word, while it can be",
        Fold "fold" "fold" "close or open the group",
        FoldOpen "fold_open" "open group" "open the group",
        FoldClose "fold_close" "close group" "close the group",
        UnfoldAll "unfold_all" "open all" "open all groups",
        FoldAll "fold_all" "close all" "close all groups",
        Down "down" "down" "next row",
        Up "up" "up" "row before",
        PageDown "page_down" "page down" "half a page down",
        PageUp "page_up" "page up" "half a page up",
        Top "top" "top" "first row",
        Bottom "bottom" "end" "last row",
    }
    Item {
        Next "next" "next" "next request",
        Previous "previous" "previous" "request before",
        TakeBack "take_back" "take back" "take back your word or an unused approval",
        Fold "fold" "fold" "close or open what Sayso checked",
        Down "down" "down" "one line down",
        Up "up" "up" "one line up",
        PageDown "page_down" "page down" "half a page down",
        PageUp "page_up" "page up" "half a page up",
        Top "top" "top" "to the top",
        Bottom "bottom" "end" "to the end",
    }
    Question {
        Choose "choose" "choose" "take this option (again: drop it)",
        Write "write" "write" "write in the answer box",
        Send "send" "send" "show the answer once more, then yes sends it",
    }
    Approval {
        Approve "approve" "approve" "approve, then yes",
        Refuse "refuse" "refuse" "refuse, with a line if you like",
        Reread "reread" "read again" "show the facts as they are now",
    }
    Answer {
        Send "send" "send" "show the answer once more, then yes sends it",
        LeaveBox "leave_box" "leave box" "leave the box; the draft is kept",
        Clear "clear" "clear" "empty the box (press twice)",
    }
    Refuse {
        Send "send" "refuse" "refuse now, with the line as it stands",
        Cancel "cancel" "cancel" "do not refuse; the line is kept",
    }
    Note {
        Done "done" "done" "back to the question, with this line",
        Cancel "cancel" "drop line" "back to the question, without a line",
    }
    Text {
        Left "left" "left" "one character left",
        Right "right" "right" "one character right",
        Up "up" "up" "one line up",
        Down "down" "down" "one line down",
        LineStart "line_start" "line start" "start of the line",
        LineEnd "line_end" "line end" "end of the line",
        WordLeft "word_left" "word left" "one word left",
        WordRight "word_right" "word right" "one word right",
        DeleteWord "delete_word" "delete word" "delete the word before",
        Undo "undo" "undo" "undo the last change of the text",
    }
    Confirm {
        Yes "yes" "yes" "decide, about what is on the screen",
        AddLine "add_line" "add a line" "add a line that goes with the approval",
    }
    Help {
        Back "close" "close" "close the help",
        Down "down" "down" "one line down",
        Up "up" "up" "one line up",
        PageDown "page_down" "page down" "half a page down",
        PageUp "page_up" "page up" "half a page up",
    }
}
