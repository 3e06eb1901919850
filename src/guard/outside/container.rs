//! Containers and images: `docker`, `podman`, `nerdctl`, `skopeo`, `crane`.

use super::{Act, Call};
use crate::guard::reader::Reader;

/// What the call does; `None` for a program of another file.
pub(super) fn look(_reader: &mut Reader<'_>, _call: &Call<'_>) -> Option<Vec<Act>> {
    None
}
