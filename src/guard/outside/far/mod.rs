//! Commands for another host or container: harmless where every program in them only reads.

mod programs;
mod tables;

use super::verbs::has;
use super::{Act, Call, Look, cloud, deploy, host, infra, kube};
use crate::domain::{ActionKind, Limits};
use crate::guard::reader::Reader;
use crate::guard::scene::{Field, Scene, Stdin, Text};
use crate::guard::{shells, wrapper};
use crate::shell::{self, Node, Piece, Redirect, Word};

/// What a command does where it runs, the more serious one last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Far {
    /// Every program in it only reads.
    Reads,
    /// A part of it cannot be read, and the rest only reads.
    Unknown,
    /// It may change something.
    Writes,
}

/// Clients of databases; their own look says whether their statements write.
const CLIENTS: &str = "psql, mysql, mariadb, mysqladmin, pg_restore, dropdb, createdb, redis-cli, valkey-cli, mongosh, mongo, \
    clickhouse-client, clickhouse, cqlsh, sqlcmd";
/// Looks that come to the same wherever the tool runs: it reaches a stand from there as from here.
const SAME_THERE: &[Look] = &[kube::look, infra::look, cloud::look, deploy::look, host::look];
/// Names under which a client finds a server beside itself.
const BESIDE: &[&str] = &["localhost", "127.0.0.1", "::1", "[::1]"];
/// How many programs that start each other are taken off to see which one is behind them.
const WRAPPERS: usize = 8;

impl Reader<'_> {
    /// What a text does as a shell's text on another host.
    pub(super) fn far_text(&mut self, text: &Text, stdin: &Stdin) -> Far {
        if !self.enter() {
            return Far::Unknown;
        }
        let tree = shell::parse(&text.text);
        let read = tree.limits == Limits::None && !tree.unsure;
        let far = tree.body.iter().map(|node| self.far_node(node, stdin)).max().unwrap_or(Far::Reads);
        self.leave();
        if text.holes || !read { far.max(Far::Unknown) } else { far }
    }

    fn far_node(&mut self, node: &Node, stdin: &Stdin) -> Far {
        match node {
            Node::Simple(simple) => {
                let inside = simple.words.iter().chain(simple.assigns.iter().flat_map(values));
                let inside = inside.map(|word| self.far_word(word)).max().unwrap_or(Far::Reads);
                let scene = Scene::default();
                let quiet = std::mem::replace(&mut self.quiet, true);
                let fields = self.fields(&simple.words, &scene);
                let own = self.redirects(&simple.redirects, &scene).stdin;
                self.quiet = quiet;
                let far =
                    if fields.is_empty() { Far::Reads } else { self.far_words(&fields, own.as_ref().unwrap_or(stdin)) };
                far.max(inside).max(self.far_redirects(&simple.redirects))
            }
            Node::List(items) => items.iter().map(|item| self.far_node(&item.node, stdin)).max().unwrap_or(Far::Reads),
            Node::Pipe(nodes) => {
                let first = nodes.first().map_or(Far::Reads, |node| self.far_node(node, stdin));
                let rest = nodes.iter().skip(1).map(|node| self.far_node(node, &Stdin::Unknown)).max();
                rest.map_or(first, |rest| rest.max(first))
            }
            Node::For { body, words, redirects, .. } => {
                let words = words.iter().flatten().map(|word| self.far_word(word)).max().unwrap_or(Far::Reads);
                self.far_node(body, stdin).max(words).max(self.far_redirects(redirects))
            }
            // It may be called by any name, that of a reading program too.
            Node::Function { body, .. } => self.far_node(body, stdin),
            Node::Subshell { body, redirects } => self.far_node(body, stdin).max(self.far_redirects(redirects)),
            Node::Block { words, parts, redirects, .. } => {
                let words = words.iter().map(|word| self.far_word(word)).max().unwrap_or(Far::Reads);
                let parts = parts.iter().map(|node| self.far_node(node, stdin)).max().unwrap_or(Far::Reads);
                words.max(parts).max(self.far_redirects(redirects))
            }
        }
    }

    /// What the substitutions in a word do.
    fn far_word(&mut self, word: &Word) -> Far {
        let each = word.pieces.iter().map(|piece| match piece {
            Piece::Run { body, .. } | Piece::Process { body } => {
                body.iter().map(|node| self.far_node(node, &Stdin::Inherited)).max().unwrap_or(Far::Reads)
            }
            Piece::Var { arg, .. } | Piece::Arithmetic(arg) | Piece::Beside(arg) => self.far_word(arg),
            Piece::Braces(words) => words.iter().map(|word| self.far_word(word)).max().unwrap_or(Far::Reads),
            Piece::Bare(_) | Piece::Quoted(_) | Piece::Unknown => Far::Reads,
        });
        each.max().unwrap_or(Far::Reads)
    }

    fn far_redirects(&mut self, redirects: &[Redirect]) -> Far {
        let quiet = std::mem::replace(&mut self.quiet, true);
        let writes = redirects.iter().any(|r| {
            let target = self.text(&r.target, &Scene::default()).text;
            let other_stream =
                r.op.ends_with('&') && target.trim_matches(|c: char| c.is_ascii_digit() || c == '-').is_empty();
            r.op.contains('>')
                && !other_stream
                && !matches!(target.as_str(), "/dev/null" | "/dev/stderr" | "/dev/stdout")
        });
        self.quiet = quiet;
        if writes { Far::Writes } else { Far::Reads }
    }

    /// What one command does on another host.
    pub(super) fn far_words(&mut self, fields: &[Field], stdin: &Stdin) -> Far {
        let Some((program, args)) = fields.split_first() else { return Far::Reads };
        // Where a part of the text is not known it stands as a question mark.
        if program.known().is_none() || program.text.contains('?') {
            return Far::Unknown;
        }
        if !self.enter() {
            return Far::Unknown;
        }
        let far = self.far_program(program, args, fields, stdin);
        self.leave();
        far
    }

    fn far_program(&mut self, program: &Field, args: &[Field], fields: &[Field], stdin: &Stdin) -> Far {
        let name = program.base();
        if shells::SHELLS.contains(&name) {
            return self.far_shell(args, stdin);
        }
        if has(CLIENTS, name) {
            let writes = self.client_writes(fields, stdin);
            self.beyond |= writes;
            return if writes { Far::Writes } else { Far::Reads };
        }
        self.beyond |= name == "git" && args.iter().any(|f| f.text == "push");
        if let Some(reads) = programs::reads(name, args) {
            if reads {
                return Far::Reads;
            }
            self.goes_on(name, args, stdin);
            return Far::Writes;
        }
        match wrapper::unwrap(name, args, &[]) {
            Some(wrapper::Call::Prefix { fields, .. } | wrapper::Call::Words { fields, .. }) => {
                return self.far_words(&fields, stdin);
            }
            Some(wrapper::Call::Xargs { fields, .. }) => return self.far_words(&fields, &Stdin::Unknown),
            Some(wrapper::Call::Text { text, .. }) => return self.far_text(&text, stdin),
            Some(wrapper::Call::Each { commands, .. }) => {
                let each = commands.iter().map(|fields| self.far_words(fields, &Stdin::Empty));
                return each.max().unwrap_or(Far::Reads);
            }
            Some(wrapper::Call::Nothing) => return Far::Reads,
            None => {}
        }
        if let ("docker" | "podman" | "nerdctl" | "docker-compose", Some(inner)) =
            (name, super::container::executed(name, args))
        {
            return self.far_words(&inner, stdin);
        }
        let scene = Scene::default();
        let call = Call { name, args, prefix: &[], scene: &scene, stdin };
        let acts = self.unreported(|reader| SAME_THERE.iter().find_map(|look| look(reader, &call)));
        if matches!(&acts, (Some(acts), 0) if acts.is_empty()) {
            return Far::Reads;
        }
        self.goes_on(name, args, stdin);
        Far::Writes
    }

    fn far_shell(&mut self, args: &[Field], stdin: &Stdin) -> Far {
        let words = shells::ShellWords::read(args);
        if words.only_checks {
            return Far::Reads;
        }
        match (words.text, words.rest.first()) {
            (Some(text), _) => self.far_text(&Text { text: text.text.clone(), holes: text.holes }, stdin),
            // A script that lies there.
            (None, Some(_)) if !words.from_stdin => Far::Writes,
            (None, _) => self.far_input(stdin),
        }
    }

    /// What a shell there does with what it is fed.
    pub(super) fn far_input(&mut self, stdin: &Stdin) -> Far {
        match (self.comes_in(stdin), stdin) {
            (_, Stdin::Empty) => Far::Reads,
            // A file may be another one by the time that it is sent.
            (Some(text), Stdin::File(_)) => self.far_text(&text, &Stdin::Unknown).min(Far::Unknown),
            (Some(text), _) => self.far_text(&text, &Stdin::Unknown),
            (None, _) => Far::Unknown,
        }
    }

    /// Notes when a command that runs over there goes to a place of its own from there.
    fn goes_on(&mut self, name: &str, args: &[Field], stdin: &Stdin) {
        let scene = Scene::default();
        let call = Call { name, args, prefix: &[], scene: &scene, stdin };
        let (seen, reported) = self.unreported(|reader| super::LOOKS.iter().find_map(|look| look(reader, &call)));
        self.beyond |= reported > 0 || seen.iter().flatten().any(Act::names_a_place);
    }

    /// Runs a look and takes back what it reported; how much that was.
    fn unreported<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> (T, usize) {
        let (actions, opaque, around) = (self.actions.len(), self.opaque.len(), self.around.clone());
        let (rules, by_rule) = (self.rules_hit.len(), self.by_rule);
        // What the policy leaves free here may be another matter from over there.
        let before = std::mem::replace(&mut self.weighs, true);
        let out = look(self);
        self.weighs = before;
        let found = self.found() - actions - opaque;
        self.actions.truncate(actions);
        self.opaque.truncate(opaque);
        self.around = around;
        self.rules_hit.truncate(rules);
        self.by_rule = by_rule;
        (out, found)
    }

    /// Whether a database's client, wherever its server is, does more than read.
    fn client_writes(&mut self, fields: &[Field], stdin: &Stdin) -> bool {
        let fields = elsewhere(fields);
        self.unreported(|reader| reader.command(&fields, &[], &mut Scene::default(), stdin)).1 > 0
    }

    /// A database's client started in a container: reports what it does to the database. `None` where it is no such
    /// client, or where a server in the container is meant.
    pub(super) fn client_inside(&mut self, fields: &[Field], call: &Call<'_>, far: bool) -> Option<()> {
        if !self.is_client(fields) || !self.enter() {
            return None;
        }
        let before = self.found();
        self.elsewhere += usize::from(far);
        self.command(fields, &[], &mut call.scene.clone(), call.stdin);
        self.elsewhere -= usize::from(far);
        let hidden = far && self.found() == before && self.client_writes(fields, call.stdin);
        self.leave();
        (!hidden).then_some(())
    }

    fn is_client(&mut self, fields: &[Field]) -> bool {
        let mut fields = fields.to_vec();
        for _ in 0..WRAPPERS {
            let Some((program, args)) = fields.split_first() else { return false };
            let name = program.base();
            if has(CLIENTS, name) {
                return true;
            }
            if shells::SHELLS.contains(&name) {
                let text = shells::ShellWords::read(args).text.map(|f| f.text.clone()).unwrap_or_default();
                let tree = shell::parse(&text);
                let [Node::Simple(simple)] = tree.body.as_slice() else { return false };
                let quiet = std::mem::replace(&mut self.quiet, true);
                let inner = self.fields(&simple.words, &Scene::default());
                self.quiet = quiet;
                fields = inner;
                continue;
            }
            match wrapper::unwrap(name, args, &[]) {
                Some(wrapper::Call::Prefix { fields: inner, .. } | wrapper::Call::Words { fields: inner, .. }) => {
                    fields = inner;
                }
                _ => return false,
            }
        }
        false
    }

    /// Looks at a command that runs in a container of this machine: what it does outside is done all the same.
    pub(super) fn runs_inside(&mut self, fields: &[Field], call: &Call<'_>, what: &str) {
        if fields.is_empty() {
            return;
        }
        if !self.enter() {
            return self.cannot_see(format!("{what}: commands within commands, deeper than is followed"), call.scene);
        }
        let before = self.actions.len();
        self.command(fields, &[], &mut call.scene.clone(), call.stdin);
        // A database's client in a container is used like one beside it; everything else is a wrapper's.
        for action in self.actions.iter_mut().skip(before).filter(|action| action.action != ActionKind::Sql) {
            action.via.insert(call.scene.via.len().min(action.via.len()), what.to_owned());
        }
        self.leave();
    }
}

/// The words that an assignment expands.
fn values(assign: &shell::Assign) -> Vec<&Word> {
    match &assign.value {
        shell::Value::One(word) => vec![word],
        shell::Value::Many(words) => words.iter().collect(),
        shell::Value::Named(pairs) => pairs.iter().flat_map(|(name, value)| [name, value]).collect(),
    }
}

/// The words with the server beside the client named as one elsewhere.
fn elsewhere(fields: &[Field]) -> Vec<Field> {
    fields
        .iter()
        .map(|field| {
            let text = BESIDE.iter().fold(field.text.clone(), |text, host| text.replace(host, "elsewhere"));
            Field { text, ..field.clone() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::outside::tests::reading;

    fn far(text: &str) -> Far {
        reading(|reader| reader.far_text(&Text { text: text.to_owned(), holes: false }, &Stdin::Inherited))
    }

    #[test]
    fn what_only_reads() {
        for text in [
            "ls -la /srv && df -h | tail -1",
            "sudo journalctl -u web -n 50 --no-pager 2>/dev/null | grep -c ERROR",
            "sudo -u postgres psql -h localhost -c 'select 1'",
            "docker ps --format '{{.Names}}'; docker compose -f x.yml logs web 2>&1 | tail",
            "docker exec web cat /etc/hosts",
            "for c in a b; do docker inspect $c; done",
            "if [ -f /x ]; then cat /x; else echo no; fi",
            "cd /srv/app && git -C . log -1 --oneline && git status -sb",
            "systemctl status nginx || systemctl is-active web",
            "kubectl get pods -A",
            "curl -s http://localhost:8080/health",
            "find /var/log -name '*.log' -mtime -1 -exec grep -l x {} +",
            "sed -n 1,20p /etc/hosts",
            "echo $(hostname) $(uptime -p)",
            "bash -lc 'node --version'",
            "tar tzf /srv/a.tgz",
            "ps aux | awk '{print $2}' | sort | uniq -c",
            "ls /x 2>&1 >/dev/null",
            "env | grep PATH",
            "pm2 list",
            "nginx -t",
            "crontab -l",
            "ss -ltnp",
            "ip -br addr",
            "timeout 5 tail -f /var/log/syslog",
            "",
        ] {
            assert_eq!(far(text), Far::Reads, "{text}");
        }
    }

    #[test]
    fn what_may_write() {
        for text in [
            "sudo systemctl restart nginx",
            "ls; rm -rf /srv",
            "cat x > /etc/y",
            "echo 1 >> /etc/y",
            "echo $(rm x)",
            "find / -delete",
            "find / -exec rm {} +",
            "sed -i s/a/b/ x",
            "sudo -u postgres psql -h localhost -c 'drop table t'",
            "docker compose up -d",
            "docker exec web rm x",
            "curl -X POST http://localhost/x",
            "git pull",
            "./deploy.sh",
            "xargs rm",
            "tar xzf a.tgz",
            "crontab -r",
            "for f in a; do rm $f; done",
            "if true; then reboot; fi",
            "bash -c 'reboot'",
            "bash deploy.sh",
            "date -s 12:00",
            "tee /etc/x",
            "awk 'BEGIN{system(\"rm x\")}'",
            "ip link set eth0 down",
            "apt-get install -y nginx",
            "pm2 restart all",
        ] {
            assert_eq!(far(text), Far::Writes, "{text}");
        }
        for text in ["$CMD", "cat x | bash", "bash"] {
            assert_eq!(far(text), Far::Unknown, "{text}");
        }
    }
}
