//! Other hosts by shell or copy: `ssh`, `scp`, `rsync`, `sftp`.

mod copy;

use super::far::Far;
use super::options::host_of;
use super::verbs::has;
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Stdin, Text};

/// Hosts whose ssh is a door to repositories only.
const FORGES: &str = "github.com, ssh.github.com, gitlab.com, altssh.gitlab.com, bitbucket.org, codeberg.org, ssh.dev.azure.com, vs-ssh.visualstudio.com, \
    git.sr.ht, gitea.com, hf.co, huggingface.co, aur.archlinux.org, git.launchpad.net";
/// Options of ssh's configuration that run a program on this machine.
const RUNS: &str = "proxycommand, localcommand, knownhostscommand";

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let act = match call.name {
        "ssh" | "slogin" | "autossh" | "tsh" | "tailscale" | "kitten" | "mosh" => ssh(reader, call),
        "ssh-copy-id" => copy_id(call),
        "pssh" | "parallel-ssh" | "pdsh" | "clush" => many(reader, call),
        _ => return copy::look(reader, call),
    };
    Some(act.into_iter().collect())
}

/// The words of an ssh call.
#[derive(Default)]
struct Session<'f> {
    host: Option<&'f Field>,
    user: Option<&'f Field>,
    /// `-o NAME=VALUE`, names in small letters.
    settings: Vec<(String, Text)>,
    command: &'f [Field],
    /// It asks ssh something, or opens no command.
    silent: bool,
    informs: bool,
}

impl<'f> Session<'f> {
    /// Options may stand in front of the host and behind it; the first other word behind it begins the command.
    fn read(args: &'f [Field], letters: &str) -> Self {
        let mut session = Self::default();
        let mut at = 0;
        while let Some(field) = args.get(at) {
            let text = field.text.as_str();
            if text == "--" || text.len() < 2 || !text.starts_with('-') {
                if text == "--" {
                    at += 1;
                }
                if session.host.is_some() {
                    break;
                }
                session.host = args.get(at);
                at += 1;
                continue;
            }
            at += 1 + session.option(field, letters, args.get(at + 1));
        }
        session.command = args.get(at..).unwrap_or(&[]);
        session
    }

    /// Takes one word of options; how many more words it took.
    fn option(&mut self, field: &'f Field, letters: &str, next: Option<&'f Field>) -> usize {
        let text = field.text.as_str();
        for (i, letter) in text.char_indices().skip(1) {
            match letter {
                'N' => self.silent = true,
                'V' | 'G' => self.informs = true,
                'Q' | 'O' | 'W' => self.informs = true,
                _ => {}
            }
            if !letters.contains(letter) {
                continue;
            }
            let attached = text.get(i + 1..).unwrap_or("");
            let (value, taken) =
                if attached.is_empty() { (next.map(|f| f.text.as_str()), 1) } else { (Some(attached), 0) };
            let holes = if taken == 1 { next.is_some_and(|f| f.holes) } else { field.holes };
            match letter {
                'o' => self.setting(value.unwrap_or(""), holes),
                'l' => self.user = next.filter(|_| taken == 1).or(self.user),
                _ => {}
            }
            if let ('l', Some(value), 0) = (letter, value, taken) {
                self.settings.push(("user".to_owned(), Text { text: value.to_owned(), holes }));
            }
            return taken;
        }
        0
    }

    fn setting(&mut self, text: &str, holes: bool) {
        let at = text.find(['=', ' ', '\t']).unwrap_or(text.len());
        let (name, value) = text.split_at(at);
        let value = value.trim_start_matches(['=', ' ', '\t']).trim_matches('"');
        self.settings.push((name.to_ascii_lowercase(), Text { text: value.to_owned(), holes }));
    }

    fn value(&self, name: &str) -> Option<&Text> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// `[USER@]HOST` without scheme and port, and the host alone.
    fn address(&self) -> (String, Option<String>) {
        let Some(host) = self.host else { return ("-".to_owned(), None) };
        let user = self.user.map(|f| f.text.clone()).or_else(|| self.value("user").map(|t| t.text.clone()));
        address(&host.text, user.as_deref())
    }
}

/// `[USER@]HOST` of an address, and the host alone where it is known.
fn address(text: &str, user: Option<&str>) -> (String, Option<String>) {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let rest = if text.contains("://") { rest.split('/').next().unwrap_or(rest) } else { rest };
    let (own, host) = rest.rsplit_once('@').map_or((None, rest), |(user, host)| (Some(user), host));
    let host = if text.contains("://") {
        host_of(host)
    } else {
        host.trim_start_matches('[').split(']').next().unwrap_or(host).to_owned()
    };
    // A password has no place in a target.
    let own = own.map(|user| user.split(':').next().unwrap_or(user));
    let shown = own.or(user).map_or_else(|| host.clone(), |user| format!("{user}@{host}"));
    let known = !host.contains('?') && !host.is_empty();
    (shown, known.then_some(host))
}

/// An act at another host.
fn at_host(call: &Call<'_>, (shown, host): (String, Option<String>), mode: &str) -> Act {
    let name = if matches!(call.name, "autossh" | "slogin") { "ssh" } else { call.name };
    Act::new(ActionKind::Ssh, format!("{name}:{shown}"), mode).at(Facet::Host, host.as_deref())
}

fn mode_of(far: Far) -> Option<&'static str> {
    match far {
        Far::Reads => None,
        Far::Unknown => Some("unknown"),
        Far::Writes => Some("write"),
    }
}

/// Looks at what ssh's own settings run on this machine. Whether there is any.
fn runs_here(reader: &mut Reader<'_>, call: &Call<'_>, settings: &[(String, Text)]) -> bool {
    let own = settings.iter().filter(|(name, value)| has(RUNS, name) && !value.text.eq_ignore_ascii_case("none"));
    let mut found = false;
    for (name, value) in own {
        found = true;
        let mut scene = call.scene.clone();
        if reader.enter() {
            reader.text_runs(value, &mut scene, &format!("ssh -o {name}"));
            reader.leave();
        }
    }
    found
}

fn ssh(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let args = match call.name {
        // Front ends with an ssh of their own behind their first word.
        "tsh" | "tailscale" | "kitten" => match call.args.split_first() {
            Some((first, rest)) if first.text == "ssh" => rest,
            _ => return None,
        },
        _ => call.args,
    };
    if args.iter().take(2).any(|f| matches!(f.text.as_str(), "--help" | "--version")) {
        return None;
    }
    let letters = if call.name == "mosh" { "p" } else { "BbcDEeFIiJLlMmOoPpQRSWw" };
    let letters = if matches!(call.name, "autossh" | "mosh") { letters.to_owned() } else { letters.replace('M', "") };
    let session = Session::read(args, &letters);
    let mut noise = runs_here(reader, call, &session.settings) || call.name == "autossh";
    noise |= args.iter().any(|f| f.text.starts_with("--ssh="));
    if session.informs {
        return None;
    }
    let host = session.address();
    let forge = host.1.as_deref().is_some_and(|host| has(FORGES, host));
    let far = match (session.command, session.value("remotecommand")) {
        _ if forge && !session.command.iter().any(|f| f.text.contains("receive-pack")) => Far::Reads,
        ([], Some(text)) if !text.text.eq_ignore_ascii_case("none") => reader.far_text(&text.clone(), call.stdin),
        ([], _) if session.silent || matches!(call.stdin, Stdin::Inherited | Stdin::Empty) => Far::Reads,
        ([], _) => reader.far_input(call.stdin),
        (words, _) => {
            let text = words.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
            reader.far_text(&Text { text, holes: words.iter().any(|f| f.holes) }, call.stdin)
        }
    };
    let mut act = at_host(call, host, mode_of(far)?);
    act.noise = noise;
    let real = session.value("hostname").filter(|text| !text.holes).map(|text| text.text.as_str());
    Some(act.at(Facet::Host, real))
}

fn copy_id(call: &Call<'_>) -> Option<Act> {
    let session = Session::read(call.args, "iopFtu");
    let dry = call.args.iter().any(|f| matches!(f.text.as_str(), "-n" | "-h" | "-?"));
    session.host.filter(|_| !dry)?;
    Some(at_host(call, session.address(), "write"))
}

/// One command on many hosts.
fn many(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let letters = if matches!(call.name, "pdsh" | "clush") { "wgxlRftuX" } else { "hHlpotexOg" };
    let words = super::verbs::read(
        call.args,
        letters,
        "hosts, host, user, par, timeout, options, group, nodes, worker, hostfile, exclude",
    );
    let inner: Vec<Field> = words.from(0).cloned().collect();
    if inner.is_empty() || words.has(&["--help", "--version", "-V", "-q"]) {
        return None;
    }
    let text = inner.iter().map(|f| f.text.as_str()).collect::<Vec<_>>().join(" ");
    let far = reader.far_text(&Text { text, holes: inner.iter().any(|f| f.holes) }, call.stdin);
    let hosts = words.value(&["-w", "-h", "-H", "-g", "--hosts", "--host", "--nodes", "--hostfile"]);
    let shown = super::options::shown(hosts);
    let known = hosts.and_then(|f| f.known()).map(str::to_owned);
    Some(at_host(call, (shown, known), mode_of(far)?))
}

#[cfg(test)]
mod tests {
    use crate::domain::Shape;
    use crate::guard::outside::tests::{check, facets};
    use crate::guard::tests::report;

    #[test]
    fn what_changes_another_host() {
        check(&[
            ("ssh h1 sudo reboot", "ssh:h1 write"),
            ("ssh -p 22 -i k ann@h1 -t 'cd /x && git pull'", "ssh:ann@h1 write"),
            ("ssh -lann h1 'touch x'", "ssh:ann@h1 write"),
            ("ssh -o User=ann h1 'touch x'", "ssh:ann@h1 write"),
            ("ssh ssh://ann@h1:22 reboot", "ssh:ann@h1 write"),
            ("ssh -J b h1 -- sudo systemctl stop web", "ssh:h1 write"),
            ("ssh \"$HOST\" reboot", "ssh:? write"),
            ("ssh h1 \"$CMD\"", "ssh:h1 unknown"),
            ("ssh h1 \"systemctl restart $SVC\"", "ssh:h1 write"),
            ("ssh h1 bash <<'EOF'\nsystemctl restart x\nEOF", "ssh:h1 write"),
            ("ssh h1 <<'EOF'\nreboot\nEOF", "ssh:h1 write"),
            ("echo reboot | ssh h1 bash -s", "ssh:h1 write"),
            ("ssh h1 'bash -s' < deploy.sh", "ssh:h1 unknown"),
            ("make_script | ssh h1 sh", "ssh:h1 unknown"),
            ("tar cz d | ssh h1 'tar xz -C /x'", "ssh:h1 write"),
            ("ssh -o RemoteCommand='rm x' h1", "ssh:h1 write"),
            ("ssh h1 kubectl apply -f x", "ssh:h1 write"),
            ("mosh h1 -- rm x", "mosh:h1 write"),
            ("ssh-copy-id ann@h1", "ssh-copy-id:ann@h1 write"),
            ("pdsh -w h1,h2 'rm x'", "pdsh:h1,h2 write"),
            ("ssh -o ProxyCommand='git push origin main' h1", "origin/main plain"),
        ]);
        assert_eq!(facets("ssh -p 22 ann@h1 reboot"), "Host h1");
        assert_eq!(report("ssh -o ProxyCommand='nc %h %p' h1 reboot").shape, Shape::WithOthers);
        assert_eq!(report("ssh -o ConnectTimeout=5 h1 reboot").shape, Shape::Alone);
        assert_eq!(report("autossh -M 0 h1 reboot").shape, Shape::WithOthers);
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("ssh h1", ""),
            ("ssh -V", ""),
            ("ssh -G h1", ""),
            ("ssh -Q cipher", ""),
            ("ssh -T git@github.com", ""),
            ("ssh -fN -L 80:localhost:80 h1", ""),
            ("ssh -O exit h1", ""),
            ("ssh h1 uptime", ""),
            ("ssh h1 -p 22 uptime", ""),
            ("ssh $HOST 'df -h'", ""),
            ("ssh h1 'sudo journalctl -u web -n 50 2>/dev/null | grep x && docker ps'", ""),
            ("ssh h1 bash <<'EOF'\ndf -h\nuptime\nEOF", ""),
            ("ssh h1 'tar czf - /srv' > x.tgz", ""),
            ("for h in a b; do ssh $h uptime; done", ""),
            ("ssh h1 kubectl get pods", ""),
            ("pdsh -w h1,h2 uptime", ""),
            ("tsh ls", ""),
        ]);
    }
}
