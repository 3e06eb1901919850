//! The two sockets. Each has a router of its own: what is not in a router does not exist on its socket.

mod agent;
mod common;
mod events;
mod owner;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use tokio::net::UnixListener;
use tokio::task::JoinHandle;

use super::Core;
use super::caller::Peer;
use crate::wire::{ErrorBody, ErrorKind};

impl Connected<IncomingStream<'_, UnixListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, UnixListener>) -> Self {
        match stream.io().peer_cred() {
            Ok(cred) => Self { pid: cred.pid().and_then(|pid| u32::try_from(pid).ok()), uid: cred.uid() },
            // Nobody has this user id, so whoever it is is refused.
            Err(_) => Self { pid: None, uid: u32::MAX },
        }
    }
}

/// Binds both sockets, in place of what an earlier core left behind. Only the holder of the lock comes here.
pub(super) fn open(core: &Arc<Core>) -> Result<Vec<JoinHandle<()>>, ErrorBody> {
    let owner_at = bind(&core.paths.owner_socket())?;
    let agent_at = bind(&core.paths.agent_socket())?;
    let owner = owner::router(Arc::clone(core)).into_make_service_with_connect_info::<Peer>();
    let agent = agent::router(Arc::clone(core)).into_make_service_with_connect_info::<Peer>();
    Ok(vec![
        tokio::spawn(async move {
            if let Err(error) = axum::serve(owner_at, owner).await {
                tracing::error!(%error, "the owner socket ended");
            }
        }),
        tokio::spawn(async move {
            if let Err(error) = axum::serve(agent_at, agent).await {
                tracing::error!(%error, "the agent socket ended");
            }
        }),
    ])
}

fn bind(path: &Path) -> Result<UnixListener, ErrorBody> {
    let failed = |error: std::io::Error| {
        ErrorBody::new(
            ErrorKind::Unreachable,
            format!("The core cannot open its socket {}: {error}.", path.display()),
            "Check that the folder is yours and can be written.",
        )
    };
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(listener)
}
