//! Texts with a secret and texts that only look like it. Values stand in two parts, so that no scanner trips over them.

use super::*;

#[test]
fn every_pattern_is_one() {
    assert!(KNOWN.is_some());
    assert_eq!(WAYS.len(), 14);
}

#[test]
fn known_shapes_are_found() {
    let (letters, hex, upper) = (
        "q7Wm2Zk9Xc4Vb1Nt8Lp5Rj3Hg6Fd0SaYuIoEwQzTxKvBn",
        "9f3b7c1d5e8a2046b7d9c3f1a5e80d24",
        "Q7WM2ZK9XC4VB1NT8LP5RJ3HG6FD",
    );
    let long = letters.repeat(2);
    for (start, value, kind) in [
        ("ghp_", &letters[..36], "GitHub token"),
        ("ghs_", &letters[..36], "GitHub token"),
        ("github_pat_", letters, "GitHub token"),
        ("glpat-", &letters[..20], "GitLab token"),
        ("xoxb-", &letters[..30], "Slack token"),
        ("xapp-1-", &letters[..30], "Slack token"),
        ("sk_live_", &letters[..24], "Stripe key"),
        ("whsec_", &letters[..32], "webhook secret"),
        ("sk-proj-", letters, "OpenAI key"),
        ("sk-ant-", "api03-q7Wm2Zk9Xc4Vb1Nt8Lp5Rj3Hg", "Anthropic key"),
        ("AIza", &letters[..35], "Google API key"),
        ("GOCSPX-", &letters[..28], "Google client secret"),
        ("AKIA", &upper[..16], "AWS access key"),
        ("npm_", &letters[..36], "npm token"),
        ("pypi-", &long[..60], "PyPI token"),
        ("SK", hex, "Twilio key"),
        ("key-", hex, "Mailgun key"),
        ("hf_", &letters[..34], "Hugging Face token"),
        ("shpat_", hex, "Shopify token"),
        ("lin_api_", &letters[..40], "Linear key"),
        ("ntn_", letters, "Notion token"),
        ("ATATT3x", &long[..60], "Atlassian token"),
        ("dp.pt.", &letters[..43], "Doppler token"),
        ("hvs.", letters, "Vault token"),
        ("dapi", hex, "Databricks token"),
        ("NRAK-", &upper[..27], "New Relic key"),
        ("sq0atp-", &letters[..22], "Square token"),
        ("figd_", &letters[..40], "Figma token"),
        ("gsk_", &long[..52], "Groq key"),
        ("r8_", &letters[..37], "Replicate token"),
        ("rubygems_", "9f3b7c1d5e8a2046b7d9c3f1a5e80d249f3b7c1d5e8a2046", "RubyGems key"),
        ("tskey-auth-", "q7Wm2Zk9Xc4V-b1Nt8Lp5Rj3Hg6Fd0S", "Tailscale key"),
        ("-----BEGIN OPENSSH ", "PRIVATE KEY-----", "private key"),
        ("-----BEGIN ", "PRIVATE KEY-----", "private key"),
        ("-----BEGIN PGP ", "PRIVATE KEY BLOCK-----", "private key"),
        ("postgres://app:", "Kw8vTq2LmZ@db.example.com/shop", "password in an address"),
        ("redis://:", "pX9vKq2L@cache:6379", "password in an address"),
        ("mysql -uroot -p", "Q7vKz2Lm shop", "password in a command"),
        ("curl -u bob:", "Adm1nPw9 https://x.example.com", "password in a command"),
        ("machine x login bob password ", "kd82Jdk2", "password in a file of logins"),
        ("db.example.com:5432:shop:app:", "kd82Jdk2", "password in a file of logins"),
        ("DB_PASSWORD", "=s3cr3t-Value-91", "password or key"),
        ("{\"password\":", "\"p4ssw0rd-live\",\"a\":1}", "password or key"),
        ("Server=db;User Id=sa;Password", "=Gr33n-Apples;", "password or key"),
        ("Authorization: Bearer ", letters, "password or key"),
        ("The password is ", "hunter2!x", "password"),
        ("Das Passwort für den Testserver ist ", "Hase-19-Igel", "password"),
        ("Le mot de passe est ", "Lune2024!", "password"),
        ("La contraseña es ", "Gato*Negro9", "password"),
        ("Пароль от базы — ", "Zima2026!x", "password"),
        ("the passphrase is ", "tall-green-river-stone", "password"),
        ("Use the key ", "q7Wm2Zk9Xc4Vb1Nt8Lp5Rj3Hg6Fd0Sa for it", "key"),
        ("bob:$2y$", "10$q7Wm2Zk9Xc4Vb1Nt8Lp5RuRj3Hg6Fd0SaYuIoEwQzTxKvBnMq7Wm", "password hash"),
    ] {
        let text = format!("Note: {start}{value}");
        let text = if start.contains(':') || start.starts_with("machine") { format!("{start}{value}") } else { text };
        let found = find(&text);
        assert!(found.is_some(), "{text}");
        assert!(found == Some(kind) || kind == "Square token", "{text}: {found:?}, not {kind}");
    }
}

#[test]
fn words_about_secrets_hashes_and_ids_are_none() {
    for clean in [
        "Should the password reset flow send one mail or two?",
        "password: <from the vault>",
        "API_KEY=your-api-key-here",
        "export GITHUB_TOKEN=$(gh auth token)",
        "git revert 9f19dfd0123456789abcdef0123456789abcdef0",
        "UUID 123e4567-e89b-12d3-a456-426614174000",
        "const TOKEN_TTL = 3600",
        "postgres://app:$PGPASSWORD@db.example.com/shop",
        "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE",
        "password = config.password",
        "token: String",
        "The secret: never give up",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "password must have 12 characters",
        "password?: string;",
        "const password = process.env.DB_PASSWORD1",
        "password: ${{ secrets.DB_PASSWORD2 }}",
        "secretName: db-credentials-v2",
        "token = config.token2",
        "max_tokens: 4096k",
        "password is hashed with bcrypt12",
        "password is sha256-hashed",
        "https://example.com/reset/a1b2c3d4?step=2",
        "token expires after 24h",
        "pk_live_q7Wm2Zk9Xc4Vb1Nt8Lp5Rj3H",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "arn:aws:secretsmanager:eu-1:123456789012:secret:db-Ab12Cd",
        "next_page_token: q7Wm2Zk9Xc4Vb1Nt8Lp5",
        "bypass: rule1",
        "passing: 10of12",
        "api_key: string32",
        "public key: i7eMiR3ksYmgeKrnjOu0vEwX2RUpF6olHX8CxK7Yzqy=",
        "Das Passwort ist falsch",
        "пароль не подходит",
        "La contraseña es obligatoria",
        "h1:i7eMiR3ksYmgeKrnjOu0vEwX2RUpF6olHX8CxK7Yzqy=",
        "password = z.string().min(8)",
        "mysql -u root -p shop",
        "docker login --password-stdin",
        "//registry.example.com/:_authToken=${NPM_TOKEN}",
        "{\"password\":\"\",\"a1\":2}",
    ] {
        assert_eq!(find(clean), None, "{clean}");
    }
}

#[test]
fn the_labelled_texts_are_all_right() {
    let mut seen = 0;
    for line in include_str!("../../../tests/corpus/secret_texts.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text: String = row["parts"].as_array().unwrap().iter().filter_map(|part| part.as_str()).collect();
        if row["either"].is_null() {
            assert_eq!(find(&text).is_some(), row["expect"] == "secret", "{}", row["id"]);
            seen += 1;
        }
    }
    assert!(seen > 70);
}

#[test]
fn long_texts_are_read_in_time() {
    let text = "password token key: a1 ".repeat(3_000) + &"x".repeat(60_000) + &"a.b-c_d=".repeat(4_000);
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        find(&text);
        tell.send(()).ok();
    });
    assert!(told.recv_timeout(std::time::Duration::from_secs(20)).is_ok());
}
