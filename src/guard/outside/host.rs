//! Services of this or another machine, and tools that configure machines: `systemctl`, `ansible`, `salt`.

use super::far::Far;
use super::options::{Words, host_of, shown};
use super::table::{PLAIN, Scope, Tool, look_up, variable};
use super::verbs::{has, only_shows, read, written_out};
use super::{Act, Call};
use crate::domain::{ActionKind, Facet};
use crate::guard::program::as_text;
use crate::guard::reader::Reader;
use crate::guard::scene::Field;

const SYSTEMCTL_WRITES: &str = "restart, start, stop, reload, enable, disable, mask, unmask, kill, reboot, poweroff, halt, isolate, daemon-reload, \
    daemon-reexec, try-restart, reload-or-restart, try-reload-or-restart, condrestart, force-reload, reenable, preset, preset-all, edit, \
    set-property, set-default, set-environment, unset-environment, reset-failed, suspend, hibernate, hybrid-sleep, rescue, emergency, kexec, exit, \
    switch-root, link, revert, add-wants, add-requires, freeze, thaw, clean, cancel, soft-reboot, bind, mount-image, import-environment, \
    service-log-level, whoami-set";
const SERVICE_READS: &str = "status, --status-all, help, configtest, list, show";
const PLAYBOOK_LONG: &str = "inventory, inventory-file, limit, extra-vars, tags, skip-tags, start-at-task, forks, user, become-user, become-method, private-key, \
    key-file, vault-id, vault-password-file, vault-pass-file, module-path, connection, timeout, ssh-common-args, ssh-extra-args, sftp-extra-args, \
    scp-extra-args, become-password-file, connection-password-file, module-name, args, background, poll, task-timeout, tree, playbook-dir, url, \
    checkout, directory, purge-x, sleep, module-name-x";
const ANSIBLE_FLAGS: &str = "check, diff, syntax-check, list-hosts, list-tasks, list-tags, become, ask-pass, ask-become-pass, verbose, version, help, \
    flush-cache, force-handlers, step, one-line, ask-vault-pass, ask-vault-password, accept-host-key, full, force, verify-commit, only-if-changed, clean";
const ANSIBLE_SHOWS: &str =
    "--check, -C, --syntax-check, --list-hosts, --list-tasks, --list-tags, --help, -h, --version";
/// Modules of ansible that only look.
const MODULES: &str = "ping, win_ping, setup, gather_facts, debug, stat, find, slurp, service_facts, package_facts, getent, assert, fetch, wait_for, \
    wait_for_connection, meta, group_by, win_stat, command_view, listen_ports_facts, mount_facts";

const TOOLS: &[Tool] = &[
    Tool {
        names: "pm2",
        letters: "nixolue",
        long: "name, env, instances, interpreter, log, output, error, namespace, only, update-env-x, log-date-format, max-memory-restart, cwd, ext, cron, restart-delay",
        reads: "list, ls, l, status, logs, log, show, describe, desc, info, jlist, prettylist, monit, env, pid, ping, start, save, dump, startup, unstartup, \
            init, ecosystem, flush, report, plus, login, logout, install, module, serve, dash, monitor, resurrect, sysmonit, set, get, conf, config, update, deploy list, completion",
        writes: "deploy, restart, reload, gracefulReload, stop, delete, del, scale, kill, startOrRestart, startOrReload, startOrGracefulReload, sendSignal, trigger, reset",
        scope: &[Scope::Word(
            "deploy, restart, reload, gracefulReload, stop, delete, del, scale, startOrRestart, startOrReload",
            0,
        )],
        ..PLAIN
    },
    Tool {
        names: "supervisorctl",
        letters: "csup",
        long: "configuration, serverurl, username, password",
        reads: "status, tail, maintail, avail, pid, version, help, open, fg, reread",
        writes: "start, stop, restart, reload, update, shutdown, signal, clear, remove, add",
        scope: &[Scope::Word("", 0)],
        server: "--serverurl, -s",
        ..PLAIN
    },
    Tool {
        names: "initctl",
        reads: "status, list, version, help, show-config, check-config, log-priority",
        writes: "start, stop, restart, reload, emit, reload-configuration",
        scope: &[Scope::Word("", 0)],
        ..PLAIN
    },
    Tool {
        names: "monit",
        letters: "cdglp",
        reads: "status, summary, report, validate, procmatch",
        writes: "start, stop, restart, monitor, unmonitor, reload, quit",
        scope: &[Scope::Word("", 0)],
        ..PLAIN
    },
    Tool {
        names: "bolt",
        letters: "tuipms",
        long: "targets, user, password, private-key, inventoryfile, modulepath, query, rerun, params, project, connect-timeout, transport, concurrency, format",
        reads: "inventory show, task show, plan show, group show, module show, guide, puppetfile, project init, lookup, secret, help, module install",
        writes: "command run, script run, task run, plan run, file upload, apply",
        scope: &[Scope::Option("--targets, -t")],
        server: "--targets, -t",
        ..PLAIN
    },
    Tool {
        names: "knife",
        letters: "FcEunsxP",
        long: "config, environment, user, node-name, ssh-user, ssh-password, run-list, server-url, key, chef-repo-path",
        reads: "node list, node show, status, search, client list, client show, cookbook list, cookbook show, role list, role show, environment list, \
            environment show, data bag list, data bag show, diff, list, download, ssl check, ssl fetch, configure, show, deps, spork check",
        writes: "bootstrap, ssh, node delete, node edit, node create, node run_list *, node environment set, client delete, client create, cookbook upload, \
            cookbook delete, role from file, role delete, role create, environment from file, environment delete, data bag from file, data bag create, \
            data bag delete, upload, delete, winrm, exec, vault *, spork promote, spork upload",
        scope: &[
            Scope::Word("bootstrap, node delete, node edit, cookbook upload, role from file", 0),
            Scope::Option("--environment, -E"),
        ],
        server: "--server-url, -s",
        ..PLAIN
    },
    Tool {
        names: "pyinfra",
        letters: "",
        long: "limit, user, key, data, config, group-data, chdir, port, password, parallel",
        reads: "debug-inventory, fact",
        writes: "exec",
        scope: &[Scope::Word("", 0)],
        bare: Some("run"),
        dry: "--dry, --debug-facts, --support",
        ..PLAIN
    },
    Tool {
        names: "nixos-rebuild, darwin-rebuild",
        letters: "pIj",
        long: "target-host, build-host, flake, profile-name, max-jobs, option, override-input, specialisation, cores",
        reads: "build, dry-build, dry-activate, dry-run, build-vm, build-vm-with-bootloader, repl, edit, list-generations, check, changelog",
        writes: "switch, boot, test",
        scope: &[Scope::Option("--target-host"), Scope::Option("--flake")],
        server: "--target-host",
        ..PLAIN
    },
];

/// What the call does; `None` for a program of another file.
pub(super) fn look(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Vec<Act>> {
    let act = match call.name {
        "systemctl" => systemctl(call),
        "service" | "rc-service" | "invoke-rc.d" => service(call),
        "reboot" | "poweroff" | "halt" | "shutdown" => power(call),
        "ansible-playbook" | "ansible-pull" | "ansible-navigator" | "ansible-runner" => playbook(call),
        "ansible" => ansible(reader, call),
        "ansible-inventory" | "ansible-doc" | "ansible-config" | "ansible-lint" | "ansible-vault"
        | "ansible-galaxy" => None,
        "salt" | "salt-call" | "salt-ssh" | "salt-run" => salt(reader, call),
        "puppet" | "chef-client" | "chef-solo" | "cinc-client" => configures(call),
        "journalctl" | "loginctl" | "hostnamectl" | "timedatectl" => None,
        _ => return look_up(reader, call, &[TOOLS]),
    };
    Some(act.into_iter().collect())
}

fn systemctl(call: &Call<'_>) -> Option<Act> {
    let words = read(
        call.args,
        "HMtpnosPi",
        "host, machine, type, property, lines, output, signal, kill-whom, kill-who, state, job-mode, root, what, \
        preset-mode, when, boot-loader-entry, boot-loader-menu, value, image, timestamp, message, legend, check-inhibitors",
    );
    if only_shows(&words, "--help, -h, --version, --dry-run") {
        return None;
    }
    let verb = words.plain.first()?;
    let mode = match verb.known() {
        Some(text) => has(SYSTEMCTL_WRITES, text).then(|| text.to_owned())?,
        None => "unknown".to_owned(),
    };
    let units: Vec<String> = words.from(1).map(|f| shown(Some(f))).collect();
    let target = if units.is_empty() { "-".to_owned() } else { units.join(",") };
    let host = words.value(&["-H", "--host"]).and_then(|f| f.known()).map(host_of);
    Some(Act::new(ActionKind::Deploy, format!("systemctl:{target}"), mode).at(Facet::Host, host.as_deref()))
}

fn service(call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "", "");
    if only_shows(&words, "--help, -h, --version, --status-all, -V, --list, -l") {
        return None;
    }
    let verb = words.plain.get(1)?;
    let mode = match verb.known() {
        Some(text) if has(SERVICE_READS, text) => return None,
        Some(text) => text.to_owned(),
        None => "unknown".to_owned(),
    };
    Some(Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(words.plain.first())), mode))
}

/// This machine goes down: everything that runs on it does.
fn power(call: &Call<'_>) -> Option<Act> {
    let words = read(call.args, "", "");
    let shows = only_shows(&words, "--help, --version, -c, -k, --show, -w, --wtmp-only");
    (!shows).then(|| Act::new(ActionKind::Deploy, format!("{}:-", call.name), call.name))
}

/// The words of one of ansible's programs; its long options may be cut short.
fn ansible_words(call: &Call<'_>) -> Words {
    let known: Vec<&str> = PLAYBOOK_LONG.split(',').chain(ANSIBLE_FLAGS.split(',')).map(str::trim).collect();
    read(&written_out(call.args, &known), "iletufcTMmaBPUdsov", PLAYBOOK_LONG)
}

fn ansible_act(call: &Call<'_>, words: &Words, hosts: Option<&Field>, mode: String) -> Act {
    let mut inventories: Vec<Field> = words.values(&["-i", "--inventory", "--inventory-file"]).cloned().collect();
    if inventories.is_empty() {
        inventories.extend(variable(call, "ANSIBLE_INVENTORY"));
    }
    let inventory = if inventories.is_empty() {
        "-".to_owned()
    } else {
        inventories.iter().map(|f| shown(Some(f))).collect::<Vec<_>>().join(",")
    };
    let limit = words.value(&["-l", "--limit"]).or(hosts);
    let mut act = Act::new(ActionKind::Deploy, format!("{}:{inventory}/{}", call.name, shown(limit)), mode);
    for inventory in &inventories {
        // `-i host,` is a list of hosts.
        let Some(text) = inventory.known() else { continue };
        act = match text.strip_suffix(',') {
            Some(list) => list.split(',').fold(act, |act, host| act.at(Facet::Host, Some(host))),
            None => act.at(Facet::Inventory, Some(text)),
        };
    }
    act.at(Facet::Host, limit.and_then(|f| f.known()))
}

fn playbook(call: &Call<'_>) -> Option<Act> {
    let words = ansible_words(call);
    let verb = words.word(0);
    let other = match call.name {
        "ansible-navigator" => verb != "run" && verb != "exec",
        "ansible-runner" => !matches!(verb, "run" | "start"),
        _ => false,
    };
    let nothing = words.plain.is_empty() && words.rest.is_empty() && call.name != "ansible-pull";
    if other || nothing || only_shows(&words, ANSIBLE_SHOWS) {
        return None;
    }
    Some(ansible_act(call, &words, None, "run".to_owned()))
}

fn ansible(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = ansible_words(call);
    let hosts = words.plain.first()?;
    if only_shows(&words, ANSIBLE_SHOWS) {
        return None;
    }
    let module = words.value(&["-m", "--module-name"]);
    let mode = module.map_or_else(|| "command".to_owned(), |f| shown(Some(f)));
    let mode = if mode == "?" { "unknown".to_owned() } else { mode };
    let name = mode.rsplit('.').next().unwrap_or(&mode);
    if has(MODULES, name) {
        return None;
    }
    if matches!(name, "command" | "shell" | "raw" | "win_shell" | "win_command") {
        let text = words.value(&["-a", "--args"])?;
        if reader.far_text(&as_text(text), call.stdin) == Far::Reads {
            return None;
        }
    }
    let mode = mode.strip_prefix("ansible.builtin.").unwrap_or(&mode).to_owned();
    Some(ansible_act(call, &words, Some(hosts), mode))
}

fn salt(reader: &mut Reader<'_>, call: &Call<'_>) -> Option<Act> {
    let words = read(
        call.args,
        "tcbl",
        "timeout, config-dir, batch, batch-size, out, output, log-level, user, saltfile, roster, roster-file, pillar-root, file-root, return",
    );
    let here = matches!(call.name, "salt-call" | "salt-run");
    let (hosts, at) = if here { (None, 0) } else { (words.plain.first(), 1) };
    let function = words.plain.get(at)?;
    let test = words.from(at + 1).any(|f| f.text.eq_ignore_ascii_case("test=true"));
    if test || only_shows(&words, "--help, -h, --version, --doc, -d, --versions-report") {
        return None;
    }
    let text = function.known().unwrap_or("unknown");
    let (module, verb) = text.split_once('.').unwrap_or((text, ""));
    let looks = has("test, grains, pillar, status, disk, network, sys, mine, config, jobs, manage, ps", module)
        && !has("set, setval, delval, append, remove, delkey", verb)
        || [
            "list",
            "show",
            "get",
            "status",
            "version",
            "info",
            "is_",
            "available",
            "find",
            "check",
            "lookup",
            "latest",
        ]
        .iter()
        .any(|part| verb.starts_with(part))
        || verb.contains("_list");
    if looks && text != "unknown" {
        return None;
    }
    let command = words.plain.get(at + 1).filter(|_| text.starts_with("cmd."));
    if command.is_some_and(|command| reader.far_text(&as_text(command), call.stdin) == Far::Reads) {
        return None;
    }
    let act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(hosts)), text);
    Some(act.at(Facet::Host, hosts.and_then(|f| f.known())))
}

fn configures(call: &Call<'_>) -> Option<Act> {
    let words = read(
        call.args,
        "oEjcLr",
        "environment, server, config, runlist, json-attributes, override-runlist, logdest, certname, modulepath",
    );
    if only_shows(&words, "--noop, --help, -h, --why-run, -W") {
        return None;
    }
    let mode = match (call.name, words.word(0)) {
        ("puppet", verb @ ("agent" | "apply" | "device")) => verb,
        ("puppet", _) => return None,
        _ => "run",
    };
    let stage = words.value(&["--environment", "-E"]);
    let act = Act::new(ActionKind::Deploy, format!("{}:{}", call.name, shown(stage)), mode);
    Some(
        act.at(Facet::Profile, stage.and_then(|f| f.known()))
            .at(Facet::Host, words.value(&["--server"]).and_then(|f| f.known())),
    )
}

#[cfg(test)]
mod tests {
    use crate::guard::outside::tests::{check, facets};

    #[test]
    fn what_changes_a_machine() {
        check(&[
            ("systemctl restart nginx", "systemctl:nginx restart"),
            ("sudo systemctl restart nginx", "systemctl:nginx restart"),
            ("systemctl --user stop web.service", "systemctl:web.service stop"),
            ("systemctl -H ann@h1 restart web", "systemctl:web restart"),
            ("systemctl enable --now a b", "systemctl:a,b enable"),
            ("systemctl daemon-reload", "systemctl:- daemon-reload"),
            ("systemctl \"$VERB\" web", "systemctl:web unknown"),
            ("service nginx restart", "service:nginx restart"),
            ("supervisorctl restart web:*", "supervisorctl:web:* restart"),
            ("pm2 deploy production", "pm2:production deploy"),
            ("ansible-playbook -i prod site.yml -l web", "ansible-playbook:prod/web run"),
            ("ansible-playbook site.yml --inventory=prod --limit web", "ansible-playbook:prod/web run"),
            ("ansible-playbook site.yml -iprod --lim web", "ansible-playbook:prod/web run"),
            ("ANSIBLE_INVENTORY=prod ansible-playbook site.yml", "ansible-playbook:prod/- run"),
            ("ansible-playbook site.yml -i \"$INV\"", "ansible-playbook:?/- run"),
            ("ansible web -i hosts -a 'systemctl restart nginx'", "ansible:hosts/web command"),
            ("ansible web -m copy -a 'src=a dest=b'", "ansible:-/web copy"),
            ("ansible-pull -U https://x", "ansible-pull:-/- run"),
            ("salt 'web*' state.apply", "salt:web* state.apply"),
            ("salt '*' cmd.run 'rm x'", "salt:* cmd.run"),
            ("reboot", "reboot:- reboot"),
            ("shutdown -h now", "shutdown:- shutdown"),
            ("puppet agent -t", "puppet:- agent"),
        ]);
        assert_eq!(facets("ansible-playbook -i prod site.yml -l web"), "Inventory prod, Host web");
        assert_eq!(facets("ansible-playbook -i h1,h2, site.yml"), "Host h1, Host h2");
        assert_eq!(facets("systemctl -H ann@h1 restart web"), "Host h1");
        assert_eq!(facets("systemctl restart web"), "");
    }

    #[test]
    fn what_only_looks() {
        check(&[
            ("systemctl status nginx", ""),
            ("systemctl list-units --type=service", ""),
            ("systemctl -H h1 is-active web", ""),
            ("service nginx status", ""),
            ("service --status-all", ""),
            ("supervisorctl status", ""),
            ("pm2 logs web", ""),
            ("ansible-playbook site.yml --check", ""),
            ("ansible-playbook site.yml -C -i prod", ""),
            ("ansible-playbook site.yml --list-h", ""),
            ("ansible-playbook --syntax-check site.yml", ""),
            ("ansible all -m ping", ""),
            ("ansible all -a uptime", ""),
            ("ansible all -m shell -a 'df -h | grep sda'", ""),
            ("ansible all --list-hosts", ""),
            ("ansible-inventory --list", ""),
            ("salt '*' test.ping", ""),
            ("salt '*' state.apply test=True", ""),
            ("salt '*' cmd.run 'df -h'", ""),
            ("shutdown -c", ""),
            ("puppet agent -t --noop", ""),
        ]);
    }
}
