//! Requests to the interface of a forge that push or merge: `gh api`, `curl` to its address.
