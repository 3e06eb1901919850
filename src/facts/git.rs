//! Where a push really goes and what it would send, by a fixed git in a clean environment.

use std::path::Path;
use std::time::Duration;

use super::FactsError;
use crate::domain::PushSpec;
use crate::domain::push::CanonicalPush;

/// Resolves a push: the address after all rewriting, the refs with their commits, and what would go out.
pub fn push(spec: &PushSpec, home: Option<&Path>, limit: Duration) -> Result<CanonicalPush, FactsError> {
    let _ = (spec, home, limit);
    Err(FactsError::Unclear("not read".to_owned()))
}
