use super::*;

fn allowing(entries: &[&str]) -> TargetRules {
    TargetRules {
        allowed: AllowedTargets::read(entries.iter().copied()).expect("targets"),
        ..TargetRules::default()
    }
}

fn production() -> TargetRules {
    TargetRules::default()
}

fn sandbox() -> TargetRules {
    TargetRules {
        allows_http: true,
        allows_loopback: true,
        ..TargetRules::default()
    }
}

fn public_sandbox() -> TargetRules {
    TargetRules {
        allows_http: true,
        ..TargetRules::default()
    }
}

/// All known spellings of addresses that a merchant must not reach.
const FORBIDDEN: [&str; 58] = [
    // This machine.
    "https://127.0.0.1/",
    "https://127.0.0.1:8080/",
    "https://127.255.255.254/",
    "https://127.1/",
    "https://127.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7F.1/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://127.0.0.1./",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://shop.localhost:3000/",
    // Unspecified, which many systems take for this machine.
    "https://0.0.0.0/",
    "https://0/",
    "https://0x0/",
    "https://[::]/",
    // Private and shared networks.
    "https://10.0.0.1/",
    "https://167772161/",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://0xc0a80101/",
    "https://100.64.0.1/",
    "https://100.127.255.255/",
    "https://[fc00::1]/",
    "https://[fd12:3456:789a::1]/",
    "https://[fec0::1]/",
    // Link-local and metadata.
    "https://169.254.169.254/latest/meta-data/",
    "https://0xa9fea9fe/",
    "https://2852039166/",
    "https://100.100.100.200/",
    "https://192.0.0.192/",
    "https://168.63.129.16/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    // IPv4 inside IPv6: mapped, compatible, translated, 6to4, NAT64, Teredo, ISATAP.
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:1.1.1.1]/",
    "https://[::127.0.0.1]/",
    "https://[::ffff:0:10.0.0.1]/",
    "https://[2002:7f00:1::]/",
    "https://[64:ff9b::10.0.0.1]/",
    "https://[64:ff9b:1::a00:1]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "https://[2a00:1450::5efe:10.0.0.1]/",
    // Unassigned and reserved addresses.
    "https://192.0.2.1/",
    "https://198.18.0.1/",
    "https://203.0.113.9/",
    "https://[2001:db8::1]/",
    "https://[3fff::1]/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[ff02::1]/",
];

/// Texts that are no web address, or hide where it leads.
const NO_WEB_ADDRESS: [&str; 13] = [
    "",
    "shop.example/webhooks",
    "//shop.example/",
    "ftp://shop.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:25/",
    "https://merchant:secret@shop.example/",
    "https://shop.example@127.0.0.1/",
    "https://shop.example\\@127.0.0.1/",
    "https://%31%32%37.0.0.1/",
    "https://①②⑦.⓪.⓪.①/",
    "https://[fe80::1%25eth0]/",
    "https://256.0.0.1/",
];

#[test]
fn no_spelling_leads_into_a_network_of_ours() {
    for url in FORBIDDEN {
        let judged = production().check_url(url).map(String::from);
        assert_eq!(judged, Err(ForbiddenTarget::NotPublic), "{url}");
        let judged = public_sandbox().check_url(url).map(String::from);
        assert_eq!(judged, Err(ForbiddenTarget::NotPublic), "{url}");
    }
    for url in NO_WEB_ADDRESS {
        let judged = sandbox().check_url(url).map(String::from);
        assert_eq!(judged, Err(ForbiddenTarget::NoWebAddress), "{url}");
    }
}

#[test]
fn the_internet_is_allowed() {
    for url in [
        "https://shop.example/webhooks?from=multirail",
        "https://Shop.Example.:8443/",
        "https://localhost.shop.example/",
        "https://1.1.1.1/",
        "https://16843009/",
        "https://172.32.0.1/",
        "https://100.128.0.1/",
        "https://[2606:4700:4700::1111]/",
        "https://[2a00:1450:4001:830::200e]/",
    ] {
        let judged = production().check_url(url);
        assert!(judged.is_ok(), "{url}: {judged:?}");
    }
}

#[test]
fn plain_http_is_for_sandboxes() {
    let url = "http://shop.example/";
    let judged = production().check_url(url);
    assert_eq!(judged, Err(ForbiddenTarget::PlainHttp));
    assert!(sandbox().check_url(url).is_ok() && public_sandbox().check_url(url).is_ok());
}

#[test]
fn a_sandbox_of_ones_own_reaches_this_machine_and_nothing_else_around_it() {
    for url in [
        "http://127.0.0.1:4242/",
        "http://localhost:4242/",
        "http://[::1]:1/",
    ] {
        assert!(sandbox().check_url(url).is_ok(), "{url}");
    }
    for url in [
        "http://10.0.0.1/",
        "http://169.254.169.254/",
        "http://[::ffff:127.0.0.1]/",
    ] {
        assert_eq!(
            sandbox().check_url(url),
            Err(ForbiddenTarget::NotPublic),
            "{url}"
        );
    }
}

#[test]
fn a_name_is_judged_by_every_address_that_it_resolves_to() {
    let judge = |rules: &TargetRules, address: &str| {
        let address = address.parse().expect("an address");
        rules.check_address("shop.example", address).is_ok()
    };
    assert!(judge(&production(), "1.1.1.1"));
    assert!(!judge(&production(), "127.0.0.1") && judge(&sandbox(), "127.0.0.1"));
    assert!(!judge(&sandbox(), "10.0.0.1") && judge(&allowing(&["10.0.0.0/8"]), "10.0.0.1"));
    assert!(judge(&allowing(&["Shop.Example."]), "10.0.0.1"));
    assert!(!judge(&allowing(&["other.example"]), "10.0.0.1"));
}

#[test]
fn listed_targets_are_allowed_even_with_plain_http() {
    let rules = allowing(&["receiver.internal", "10.1.0.0/16", "[fd00::7]", "localhost"]);
    for url in [
        "http://receiver.internal:8080/",
        "http://RECEIVER.internal./",
        "http://10.1.2.3/",
        "http://0x0a010203/",
        "http://[fd00::7]/",
        "http://localhost/",
    ] {
        assert!(rules.check_url(url).is_ok(), "{url}");
    }
    for url in [
        "http://evil.receiver.internal/",
        "http://10.2.0.1/",
        "http://[::ffff:10.1.2.3]/",
        "http://127.0.0.1/",
    ] {
        assert!(rules.check_url(url).is_err(), "{url}");
    }
}

#[test]
fn where_a_list_is_asked_for_being_public_is_not_enough() {
    let rules = allowing(&["sandbox.processor.example", "10.0.0.0/8", "fd00::/8"]);
    let judged = |rules: &TargetRules, text: &str| rules.check_listed(text).map(|_| ());
    for listed in [
        "https://sandbox.processor.example/v1",
        "http://SANDBOX.processor.example.:8080",
        "https://10.1.2.3",
        "http://[fd00::1]:9000",
    ] {
        assert_eq!(judged(&rules, listed), Ok(()), "{listed}");
    }
    let not_listed = Err(ForbiddenTarget::NotListed);
    for public in [
        "https://api.processor.example",
        "https://processor.example",
        "https://1.1.1.1",
    ] {
        assert_eq!(judged(&rules, public), not_listed, "{public}");
        assert_eq!(judged(&sandbox(), public), not_listed, "{public}");
    }
    let not_public = Err(ForbiddenTarget::NotPublic);
    assert_eq!(judged(&rules, "https://127.0.0.1:9000"), not_public);
    for loopback in ["http://127.0.0.1:9000", "http://localhost:9000"] {
        assert_eq!(judged(&sandbox(), loopback), Ok(()), "{loopback}");
        assert_eq!(judged(&public_sandbox(), loopback), not_public);
    }
}

#[test]
fn the_list_shows_as_it_is_written_and_has_no_doubtful_entries() {
    let list = allowing(&["receiver.internal", "10.0.0.7", "10.0.0.0/8", "fd00::/8"]).allowed;
    assert_eq!(
        list.to_string(),
        "receiver.internal, 10.0.0.7, 10.0.0.0/8, fd00::/8"
    );
    assert_eq!(AllowedTargets::default().to_string(), "none");
    for entry in [
        "",
        "127.1",
        "*",
        "*.internal",
        "https://shop.example",
        "10.0.0.0/33",
        "a:80",
    ] {
        let unreadable = AllowedTargets::read([entry]);
        assert_eq!(unreadable, Err(UnreadableTarget(entry.to_owned())));
    }
}

#[test]
fn a_setting_is_refused_in_words_that_name_it() {
    let refusal = |url: &str| {
        let refused = production().check_setting("webhook_details.webhook_url", url);
        refused.expect_err("a refusal").to_string()
    };
    insta::assert_snapshot!(refusal("shop.example"), @"webhook_details.webhook_url is not in the expected form: an http or https address such as https://shop.example/return");
    insta::assert_snapshot!(refusal("http://shop.example"), @"webhook_details.webhook_url has to begin with https://");
    insta::assert_snapshot!(refusal("https://127.1"), @"webhook_details.webhook_url has to lead to a public address of the internet, not to one of a private network or for special use");
}
