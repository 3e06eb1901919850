//! Programs that read on another host, always or with some words.

/// Programs that read whatever their words are.
pub(super) const READERS: &str = "[, [[, :, pg_isready, ag, arch, awk, basename, bat, bzcat, cal, cat, cd, cksum, cmp, column, comm, cut, df, diff, dig, \
    dirname, du, echo, egrep, exit, export, false, fgrep, file, findmnt, finger, fmt, fold, free, gawk, getconf, \
    getent, grep, groups, head, hexdump, host, hostnamectl, htop, id, iostat, iotop, join, jobs, jq, last, lastb, \
    lastlog, less, lnav, local, locale, locate, ls, lsb_release, lsblk, lscpu, lsmod, lsof, lspci, lsusb, lvs, mawk, \
    md5sum, mii-tool, more, mpstat, mtr, namei, netstat, nl, nproc, nslookup, ncdu, od, paste, pgrep, pidof, \
    pidstat, ping, ping6, popd, printenv, printf, ps, pstree, pushd, pvs, pwd, pwdx, read, readlink, realpath, \
    return, rev, rg, sar, sensors, seq, set, sha1sum, sha256sum, sha512sum, shopt, shuf, sleep, ss, stat, strings, \
    tac, tail, tailf, test, time, top, tr, traceroute, tracepath, tree, true, tty, type, ulimit, umask, uname, uniq, \
    unset, uptime, users, vgs, vmstat, w, wait, wc, whereis, which, who, whoami, whois, xxd, xzcat, zcat, zdiff, \
    zgrep, zless, zmore, zstdcat, dmidecode, blkid, atop, dstat, nvidia-smi, numactl, ipcs, lslocks, lsns, slabtop, \
    tput, clear, nethogs, iftop, sum, b2sum, expr, bc, let, declare, typeset, readonly, break, continue, cloud-id";
/// Programs that read with one of these words as the first that is no option; `""` stands for none at all.
pub(super) const VERBS: &[(&str, &str)] = &[
    ("apk", "info, list, search, policy, version"),
    ("apt", "list, show, search, policy, depends, rdepends"),
    ("apt-cache", "policy, show, search, depends, rdepends, madison, stats"),
    ("apt-mark", "showhold, showmanual, showauto"),
    ("brew", "list, info, search, outdated, services"),
    ("certbot", "certificates"),
    ("composer", "show, outdated, validate"),
    ("crictl", "ps, images, logs, inspect, inspecti, inspectp, pods, stats, info, version"),
    ("dnf", "list, info, search, repolist, check-update, provides, history"),
    ("fail2ban-client", "status, ping, version, get"),
    ("gem", "list, info, search, env"),
    (
        "git",
        "log, status, show, diff, rev-parse, describe, ls-files, ls-remote, ls-tree, blame, grep, shortlog, cat-file, \
        reflog, rev-list, for-each-ref, name-rev, version, merge-base, whatchanged, show-ref, count-objects, fsck, \
        cherry",
    ),
    ("ip", "a, addr, address, r, route, l, link, n, neigh, rule, ro, maddress, netns, tunnel"),
    ("loginctl", ", list-sessions, list-users, list-seats, show-session, show-user, session-status, user-status"),
    ("lxc", "list, ls, info, config"),
    ("multipass", "list, ls, info"),
    ("needrestart", ""),
    ("nft", "list"),
    ("nmcli", ", general, g, dev, d, device, con, c, connection"),
    ("npm", "ls, list, outdated, view, info, root, bin, prefix, audit"),
    ("pip", "list, show, freeze, check"),
    ("pip3", "list, show, freeze, check"),
    ("pm2", "list, ls, l, status, logs, log, show, describe, desc, jlist, prettylist, info, monit, env, pid, ping"),
    (
        "rabbitmqctl",
        "status, list_queues, list_connections, list_channels, list_exchanges, cluster_status, list_users, list_vhosts, \
        ping",
    ),
    ("rc-status", ""),
    ("resolvectl", ", status, query, dns, statistics"),
    ("snap", "list, info, find, services, logs, version, changes"),
    ("tailscale", "status, ip, ping, netcheck, version"),
    ("timedatectl", ", status, show, list-timezones, timesync-status, show-timesync"),
    ("tmux", "ls, list-sessions, list-windows, capture-pane"),
    ("ufw", "status, show, version"),
    ("wg", ", show"),
    ("yum", "list, info, search, repolist, check-update, provides, history"),
    ("zfs", "list, get"),
    ("zpool", "status, list, get, iostat, history"),
    ("virsh", "list, dominfo, domstate, domiflist, nodeinfo, dumpxml"),
    ("consul", "members, info, version"),
    ("go", "version, env, list"),
    ("ceph", "status, -s, health, df, osd tree"),
];
/// Verbs of docker and its kin that read.
pub(super) const CONTAINER: &str = "ps, ls, list, logs, inspect, images, stats, top, version, info, port, events, history, diff, df, search, config, \
    convert";
/// Groups of docker's verbs; the next word says what is done.
pub(super) const GROUPS: &str = "compose, container, image, volume, network, system, node, service, stack, context, swarm, secret, plugin, \
    builder, buildx";
/// Words that turn a reading program into a writing one.
pub(super) const TURNS: &[(&str, &str)] = &[
    ("journalctl", "--vacuum, --rotate, --flush, --relinquish, --update-catalog, --setup-keys"),
    ("dmesg", "-c, -C, --clear, --read-clear, -D, -E, --console-"),
    ("sort", "-o, --output"),
    ("date", "-s, --set"),
    ("pg_dump", "-f, --file"),
    ("pg_dumpall", "-f, --file"),
    ("mysqldump", "-r, --result-file, -T, --tab"),
    ("yq", "-i, --inplace"),
    ("fuser", "-k, --kill"),
    ("sysctl", "-w, -p, --write, --load, --system"),
    ("smartctl", "-t, --test, -s, --set, -X"),
    ("openssl", "-out, -signkey"),
    ("xmllint", "--output, -o"),
    ("php", "-r, -f, artisan"),
    ("mount", "-o, -a, -t, --bind, --all"),
    ("hostname", "-F, --file, -b"),
    ("ifconfig", "up, down, netmask, add, del, mtu"),
    ("route", "add, del, flush"),
    ("arp", "-d, -s, -f"),
    ("iptables", "-A, -D, -I, -F, -P, -R, -X, -N, -Z, -E"),
    ("ip6tables", "-A, -D, -I, -F, -P, -R, -X, -N, -Z, -E"),
];
/// Programs of [`TURNS`] that read only with one of these words.
pub(super) const NEEDS: &[(&str, &str)] = &[
    ("iptables", "-L, -S, --list, -nL, -vL, -nvL, -vnL, -Ln, -Lnv, -Lvn, --list-rules, -nvxL"),
    ("ip6tables", "-L, -S, --list, -nL, -vL, -nvL, -vnL, -Ln, --list-rules"),
    ("nginx", "-t, -T, -v, -V, -tq"),
    ("apachectl", "-t, -S, configtest, status, fullstatus, -M, -v, -V"),
    ("apache2ctl", "-t, -S, configtest, status, fullstatus, -M, -v, -V"),
    ("haproxy", "-c, -v, -vv"),
    ("sshd", "-t, -T"),
    ("visudo", "-c"),
    ("named-checkconf", ""),
    ("crontab", "-l"),
    ("dpkg", "-l, -L, -s, -S, --list, --status, --listfiles, --search, --print-architecture, --get-selections"),
    ("dpkg-query", "-W, -l, -s, -L, -S, --show, --list"),
    ("rpm", "-q, -qa, -qi, -ql, -qf, -V, --query"),
    ("php", "-v, -m, -i, --ini, --version"),
    ("nc", "-z, -zv, -vz, -zvw1, -vzw"),
    ("command", "-v, -V"),
    ("kill", "-0, -l"),
    ("unzip", "-l, -t, -Z, -p, -v"),
    ("gzip", "-l, -t, -dc, -cd, -c"),
    ("gunzip", "-c, -l, -t"),
    ("exim", "-bp, -bpc"),
    ("postqueue", "-p, -j"),
    (
        "firewall-cmd",
        "--list-all, --state, --list-ports, --list-services, --get-active-zones, --list-all-zones, --get-default-zone",
    ),
    ("mdadm", "--detail, -D, --examine, -E"),
    ("efibootmgr", "-v"),
    ("sudo", "-l, -v, --list"),
    ("openssl", "x509, s_client, version, verify, crl, ciphers"),
];
/// Start files of a shell; a text that reads them only sets it up.
pub(super) const START_FILES: &str =
    ".profile, .bashrc, .bash_profile, .zshrc, .zprofile, profile, nvm.sh, activate, .env, env, rvm, asdf.sh";
