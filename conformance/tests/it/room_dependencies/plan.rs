//! The subject of every module of the server and of every table, and the order of subjects.

/// `(subject, other subjects that it may use)`, the lowest first.
pub const SUBJECTS: &[(&str, &str)] = &[
    ("kernel", ""),
    ("platform", "kernel"),
    ("sdk", "kernel platform"),
    ("accounts", "kernel platform sdk"),
    ("customers", "kernel platform sdk accounts"),
    ("routing", "kernel platform sdk accounts"),
    ("webhooks", "kernel platform sdk accounts"),
    ("identity", "kernel platform sdk accounts"),
    (
        "operations",
        "kernel platform sdk accounts customers routing webhooks identity",
    ),
    (
        "payments",
        "kernel platform sdk accounts customers routing webhooks identity operations",
    ),
    (
        "billing",
        "kernel platform sdk accounts customers routing webhooks identity operations payments",
    ),
    // Combines what the subjects provide; no subject uses it.
    (
        "program",
        "kernel platform sdk accounts customers routing webhooks identity operations payments billing",
    ),
];

/// The tables by subject. No statement of another subject names them, except those of the platform.
pub const TABLES: &[(&str, &str)] = &[
    (
        "platform",
        "audit_head audit_inbox audit_log change_sets idempotency_keys key_rotations request_log settings sign_in_tries \
         subject_keys wrapped_keys",
    ),
    (
        "accounts",
        "api_keys business_profiles connector_accounts merchant_accounts organizations",
    ),
    (
        "customers",
        "cards_to_save connector_customers connector_deletions connector_mandates customer_redactions customers mandates \
         payment_methods payment_tokens token_listings vault_cards",
    ),
    (
        "routing",
        "elimination_buckets elimination_counts routing_configurations success_counts",
    ),
    (
        "webhooks",
        "deliveries delivery_attempts endpoint_deliveries endpoint_events events webhook_endpoints",
    ),
    (
        "identity",
        "oidc_sign_ins operator_sessions password_links password_mails saved_views second_factor_rules sign_in_links \
         user_identities user_invitations \
         user_roles user_second_factors user_second_steps user_sessions users",
    ),
    ("operations", "error_mappings notices open_operations"),
    (
        "payments",
        "attempts captures disputes evidence_files held_cards held_credentials held_refund_credentials payments refund_sums \
         refunds wallet_tokens",
    ),
    ("billing", "billing_catalogue invoices subscriptions"),
];

/// A layer's sources, and its modules by subject. A module inside another one may have its own subject.
pub struct Floor {
    /// The source folder, from the root of the repository.
    pub src: &'static str,
    /// The crate's name in paths.
    pub name: &'static str,
    pub modules: &'static [(&'static str, &'static str)],
}

pub const FLOORS: &[Floor] = &[
    Floor {
        src: "server/kernel/src",
        name: "multirail_kernel",
        modules: &[(
            "kernel",
            "address announcement audit card_number clock context country currency disclosure email envelope environment event \
             headers idempotency ids mail masking money notes open_json owner proxy_address random record_object redacted refusal \
             secret statuses target telling timestamp try_limit unread web_address words",
        )],
    },
    Floor {
        src: "server/connectors/sdk/src",
        name: "multirail_sdk",
        modules: &[(
            "sdk",
            "bank_account bank_name banks browser card charge connector consent evidence instrument order_item payer_method payment_method required_field wallet",
        )],
    },
    Floor {
        src: "server/domain/src",
        name: "multirail_domain",
        modules: &[
            ("accounts", "accounts"),
            ("customers", "customers"),
            ("routing", "routing"),
            ("webhooks", "webhooks"),
            ("operations", "operations"),
            ("payments", "payments"),
        ],
    },
    Floor {
        src: "server/routing/src",
        name: "multirail_routing",
        modules: &[(
            "routing",
            "built_in chance choose could dynamic eligible elimination evaluate learned order query reasons refusal split success_based",
        )],
    },
    Floor {
        src: "server/platform/src",
        name: "multirail_platform",
        modules: &[(
            "platform",
            "account_limits change failure installation_keys seal subject_seal workers",
        )],
    },
    Floor {
        src: "server/platform/sql/src",
        name: "multirail_sql",
        modules: &[(
            "platform",
            "dialect error metric row standstill statement value",
        )],
    },
    Floor {
        src: "server/platform/database/src",
        name: "multirail_database",
        modules: &[(
            "platform",
            "independence measure migrate options placeholders postgres sqlite",
        )],
    },
    Floor {
        src: "server/app/src",
        name: "multirail_app",
        modules: &[
            ("platform", "platform"),
            ("accounts", "accounts"),
            ("customers", "customers"),
            ("routing", "routing"),
            ("webhooks", "webhooks"),
            ("operations", "operations"),
            ("payments", "payments"),
            ("program", "services store"),
        ],
    },
    Floor {
        src: "server/billing/domain/src",
        name: "multirail_billing_domain",
        modules: &[(
            "billing",
            "account_description calendar catalogue change charge chargeable coupon dunning error invoice invoice_status item opening price \
             product refusals rounding subscription tax term texts",
        )],
    },
    Floor {
        src: "server/billing/src",
        name: "multirail_billing",
        modules: &[("billing", "app ports store workers")],
    },
    Floor {
        src: "server/identity/domain/src",
        name: "multirail_identity_domain",
        modules: &[(
            "identity",
            "grant mail oidc operator_session password saved_view second_factor session team",
        )],
    },
    Floor {
        src: "server/identity/src",
        name: "multirail_identity",
        modules: &[("identity", "app ports store workers")],
    },
    Floor {
        src: "server/store/src",
        name: "multirail_store",
        modules: &[
            ("platform", "platform"),
            ("accounts", "accounts"),
            ("customers", "customers"),
            ("routing", "routing"),
            ("webhooks", "webhooks"),
            ("operations", "operations"),
            ("payments", "payments"),
            ("program", "tables"),
        ],
    },
    Floor {
        src: "server/http/src",
        name: "multirail_http",
        modules: &[
            ("platform", "platform"),
            (
                "sdk",
                "platform::convert::consent platform::convert::words::sdk",
            ),
            ("accounts", "accounts"),
            ("customers", "customers"),
            ("routing", "routing"),
            ("webhooks", "webhooks"),
            ("operations", "operations"),
            ("payments", "payments"),
            ("program", "arms caller event_content hooks pages replays"),
        ],
    },
    Floor {
        src: "server/billing/http/src",
        name: "multirail_billing_http",
        modules: &[
            (
                "billing",
                "actions catalogue content convert invoice_page pages replays subscribers subscriptions user_subscriptions",
            ),
            ("program", "arms"),
        ],
    },
    Floor {
        src: "server/identity/http/src",
        name: "multirail_identity_http",
        modules: &[
            (
                "identity",
                "answers callers console_sessions oidc operator_sessions saved_views sign_in_limit signed_out team tries two_factor user_merchants user_sessions user_tokens users visits words",
            ),
            ("program", "arms"),
        ],
    },
];
