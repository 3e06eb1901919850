//! The one integration binary.
mod suite;
mod support;
