//! Command text → tree of simple commands. The parser crate is seen only here.
