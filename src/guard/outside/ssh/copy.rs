//! Copies to and from another host: `scp`, `rsync`, `sftp`.

use super::super::options::Words;
use super::super::verbs::{has, only_shows, read};
use super::super::{Act, Call};
use super::{address, at_host, runs_here};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin, Text};

const RSYNC_LONG: &str = "rsh, rsync-path, exclude, include, exclude-from, include-from, files-from, filter, backup-dir, suffix, block-size, bwlimit, chmod, \
    chown, compare-dest, copy-dest, link-dest, compress-level, compress-choice, log-file, log-file-format, max-size, min-size, max-delete, max-alloc, \
    out-format, partial-dir, password-file, early-input, port, temp-dir, timeout, contimeout, modify-window, usermap, groupmap, info, debug, \
    only-write-batch, write-batch, read-batch, protocol, iconv, checksum-seed, checksum-choice, sockopts, address, remote-option, skip-compress, outbuf, \
    stop-at, stop-after, config, dparam, copy-as";
/// Words of sftp's own language that change nothing on the host.
const SFTP_READS: &str = "get, reget, mget, ls, dir, cd, lcd, pwd, lpwd, lls, lmkdir, lumask, bye, exit, quit, help, ?, version, df, progress";

/// What the call does; `None` for another program, no act for a copy that changes no host.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    match call.name {
        "scp" | "pscp" => Some(scp(reader, call).into_iter().collect()),
        "rsync" => Some(rsync(reader, call).into_iter().collect()),
        "sftp" => Some(sftp(reader, call).into_iter().collect()),
        "lftp" => Some(lftp(reader, call).into_iter().collect()),
        _ => None,
    }
}

/// The host of `[USER@]HOST:PATH`, `HOST::MODULE` or a URL; `None` for a file of this machine.
fn host(field: &Field) -> Option<(String, Option<String>)> {
    let text = field.text.as_str();
    if text.contains("://") {
        return Some(address(text, None));
    }
    let before = match text.strip_prefix('[').or_else(|| text.split_once("@[").map(|(_, rest)| rest)) {
        Some(_) => text.split_once("]:").map(|(host, _)| host)?,
        None => text.split_once(':').map(|(host, _)| host)?,
    };
    (!before.contains('/') && !before.is_empty()).then(|| address(before, None))
}

/// Where a copy goes that ends in `to`; a place that is not known counts as another host unless it is plainly one here.
fn goes_to(to: &Field, from: &[Field]) -> Option<(String, Option<String>)> {
    if let Some(host) = host(to) {
        return Some(host);
    }
    let unknown = to.known().is_none() && to.text.starts_with('?');
    let comes_from_host = from.iter().any(|f| host(f).is_some());
    (unknown && !comes_from_host).then(|| ("?".to_owned(), None))
}

fn settings(words: &Words) -> Vec<(String, Text)> {
    let own = words.values(&["-o"]).filter_map(|f| {
        let (name, value) = f.text.split_once(['=', ' '])?;
        Some((name.to_ascii_lowercase(), Text { text: value.to_owned(), holes: f.holes }))
    });
    own.collect()
}

fn scp(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "cDFiJloPSX", "");
    let noise = runs_here(reader, call, &settings(&words)) || words.has(&["-S"]);
    let all: Vec<Field> = words.from(0).cloned().collect();
    let (to, from) = all.split_last().filter(|(_, from)| !from.is_empty())?;
    Some(Act { noise, ..at_host(call, goes_to(to, from)?, "write") })
}

/// Whether the program that rsync starts for the way is another one than ssh.
fn other_way(reader: &mut Reader<'_>, call: &Call<'_>, shell: &Text) -> bool {
    let first = shell.text.split_whitespace().next().unwrap_or("");
    let plain =
        first.rsplit('/').next() == Some("ssh") && !shell.text.to_ascii_lowercase().contains("command") && !shell.holes;
    if !plain && reader.enter() {
        reader.text_runs(shell, &mut call.scene.clone(), "rsync -e");
        reader.leave();
    }
    !plain
}

fn rsync(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "eBTfM", RSYNC_LONG);
    let shell = words.value(&["-e", "--rsh"]).map(|f| Text { text: f.text.clone(), holes: f.holes });
    let shell = shell.or_else(|| call.variable("RSYNC_RSH").cloned());
    let noise = shell.is_some_and(|shell| other_way(reader, call, &shell));
    if only_shows(&words, "-n, --dry-run, --list-only, --help, --version, -V, --daemon") {
        return None;
    }
    let all: Vec<Field> = words.from(0).cloned().collect();
    let (to, from) = all.split_last().filter(|(_, from)| !from.is_empty())?;
    let start = words.value(&["--rsync-path"]);
    let usual = start.is_none_or(|f| {
        f.text.split_whitespace().all(|w| w == "sudo" || w == "-n" || w.rsplit('/').next() == Some("rsync")) && !f.holes
    });
    // What a copy from a host changes there: the files that it takes away, or what is started in place of rsync.
    let there = || {
        from.iter().find_map(host).filter(|_| !usual || words.has(&["--remove-source-files", "--remove-sent-files"]))
    };
    let place = goes_to(to, from).or_else(there)?;
    Some(Act { noise, ..at_host(call, place, "write") })
}

fn sftp(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "bBcDFiJloPRSsX", "");
    let noise = runs_here(reader, call, &settings(&words)) || words.has(&["-S"]);
    let place = words.plain.first()?;
    let named = host(place).unwrap_or_else(|| address(&place.text, None));
    let batch = words.value(&["-b"]).filter(|f| f.text != "-");
    let mode = match (batch, call.stdin) {
        (Some(file), _) => {
            let path = file.known().and_then(|text| call.scene.path(text, None));
            let text = path.and_then(|path| reader.script(&path, call.scene));
            if text.is_some_and(|text| only_gets(&text)) {
                return None;
            }
            "unknown"
        }
        // `sftp HOST:FILE` fetches it.
        (None, Stdin::Inherited)
            if place.text.split_once(':').is_some_and(|(_, path)| !path.is_empty() && !path.ends_with('/')) =>
        {
            return None;
        }
        (None, Stdin::Empty) => return None,
        (None, Stdin::Inherited | Stdin::Unknown) => "unknown",
        (None, stdin) => match reader.comes_in(stdin) {
            Some(text) if only_gets(&text) => return None,
            Some(text) if !text.holes && !matches!(stdin, Stdin::File(_)) => "write",
            _ => "unknown",
        },
    };
    Some(Act { noise, ..at_host(call, named, mode) })
}

fn only_gets(text: &Text) -> bool {
    let reads = |line: &str| {
        let first = line.trim().trim_start_matches(['-', '@']).split_whitespace().next().unwrap_or("");
        first.is_empty() || first.starts_with('#') || has(SFTP_READS, first)
    };
    !text.holes && text.text.lines().all(reads)
}

fn lftp(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "cefup", "user, port");
    if words.has(&["--help", "--version", "-v"]) {
        return None;
    }
    let text = words.value(&["-c", "-e"]).map(|f| Text { text: f.text.clone(), holes: f.holes });
    let text = text.or_else(|| reader.comes_in(call.stdin));
    let far = words.plain.first().map(|f| address(&f.text, None));
    let named =
        text.as_ref().and_then(|t| t.text.split([' ', ';']).find(|w| w.contains("://")).map(|w| address(w, None)));
    let mode = match &text {
        None if matches!(call.stdin, Stdin::Inherited | Stdin::Empty) && !words.has(&["-f"]) => return None,
        None => "unknown",
        Some(text) => {
            let writes = |part: &str| {
                let words: Vec<&str> = part.split_whitespace().collect();
                match words.split_first() {
                    Some((&"mirror", rest)) => rest
                        .iter()
                        .any(|w| *w == "--reverse" || (w.starts_with('-') && !w.starts_with("--") && w.contains('R'))),
                    Some((first, _)) => has("put, mput, rm, mrm, mv, mkdir, rmdir, chmod, ln, site, reput", first),
                    None => false,
                }
            };
            let any = text.text.split([';', '\n']).any(writes);
            if text.holes && !any {
                "unknown"
            } else if any {
                "write"
            } else {
                return None;
            }
        }
    };
    Some(at_host(call, far.or(named).unwrap_or(("-".to_owned(), None)), mode))
}

#[cfg(test)]
mod tests {
    use crate::domain::Shape;
    use crate::guard::outside::tests::{check, facets};
    use crate::guard::tests::report;

    #[test]
    fn what_goes_to_a_host() {
        check(&[
            ("scp x ann@h1:/srv/", "scp:ann@h1 write"),
            ("scp -P 22 -i k -r d h1:", "scp:h1 write"),
            ("scp -3 h1:a h2:b", "scp:h2 write"),
            ("scp x scp://ann@h1:22/srv", "scp:ann@h1 write"),
            ("scp x \"$HOST:/srv\"", "scp:? write"),
            ("scp x \"$DEST\"", "scp:? write"),
            ("rsync -az --delete d/ ann@h1:/srv", "rsync:ann@h1 write"),
            ("rsync -e 'ssh -p 22' -a d/ h1:/srv", "rsync:h1 write"),
            ("rsync -a d/ h1::mod/x", "rsync:h1 write"),
            ("rsync -a d/ rsync://ann@h1:873/mod", "rsync:ann@h1 write"),
            ("rsync -a --remove-source-files h1:/x .", "rsync:h1 write"),
            ("sftp -b batch h1", "sftp:h1 unknown"),
            ("sftp ann@h1 <<'EOF'\nput x\nEOF", "sftp:ann@h1 write"),
            ("lftp -e 'mirror -R d /srv; quit' sftp://ann@h1", "lftp:ann@h1 write"),
        ]);
        assert_eq!(facets("rsync -a d/ ann@h1:/srv"), "Host h1");
        assert_eq!(report("rsync -a d/ h1:/srv").shape, Shape::Alone);
        assert_eq!(report("rsync -e 'ssh -p 22' -a d/ h1:/srv").shape, Shape::WithOthers, "it chooses a program");
        assert_eq!(report("rsync -e ./x -a d/ h1:/srv").shape, Shape::WithOthers);
    }

    #[test]
    fn what_comes_from_one_or_stays() {
        check(&[
            ("scp h1:/x .", ""),
            ("scp h1:/x \"$OUT\"", ""),
            ("scp a b", ""),
            ("scp a ./x:y", ""),
            ("rsync -a h1:/x/ ./y", ""),
            ("rsync -a a/ b/", ""),
            ("rsync -avn d/ h1:/srv", ""),
            ("rsync -a --dry-run d/ h1:/srv", ""),
            ("rsync --list-only h1:/x", ""),
            ("rsync h1::", ""),
            ("sftp h1:/x/y.txt", ""),
            ("sftp h1 <<'EOF'\nget x\nbye\nEOF", ""),
            ("lftp -e 'mirror /srv d; quit' sftp://h1", ""),
        ]);
    }
}
