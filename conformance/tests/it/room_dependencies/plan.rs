//! The subject of every module of the server, and the order of the subjects.

/// `(subject, the subjects that it may use beside itself)`, those below first.
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
    // Collects what the subjects bring; no subject uses it.
    (
        "program",
        "kernel platform sdk accounts customers routing webhooks identity operations payments billing",
    ),
];

/// One floor: its sources, and its modules by subject. A module inside another one may have a subject of its own.
pub struct Floor {
    /// The sources, from the root of the repository.
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
            "browser card charge connector consent evidence instrument order_item payment_method wallet",
        )],
    },
    Floor {
        src: "server/domain/src",
        name: "multirail_domain",
        modules: &[
            (
                "accounts",
                "acting api_key connector_account merchant new_merchant organization profile webhook_settings",
            ),
            ("customers", "customer mandate saved_method"),
            ("routing", "routing"),
            ("webhooks", "event_filter webhook"),
            (
                "operations",
                "error_mapping operation question received_notice",
            ),
            ("payments", "dispute offer payment refund session"),
        ],
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
            (
                "platform",
                "announcer audit base caller decisions ended_requests error idempotency keys lease paging ports ports::audit \
                 ports::business_clock ports::change_set ports::event_record ports::failure ports::idempotency ports::mail ports::metric ports::purge ports::replay \
                 ports::sign_in ports::tries replays sandbox \
                 worker_health",
            ),
            (
                "accounts",
                "acting api_keys connector_accounts merchant_accounts merchant_deletion notice_addresses organizations ports::api_keys ports::connector_accounts ports::deletion_guard ports::merchants ports::notice_registrar ports::open_payments ports::organizations ports::profiles profile_view profiles processor_accounts",
            ),
            (
                "customers",
                "customers mandates ports::checkouts ports::connector_customers ports::consents ports::customers ports::mandates ports::saved_methods \
                 ports::vault saved_methods",
            ),
            ("routing", "ports::dynamic_routing ports::routing routing"),
            ("webhooks", "events ports::events ports::webhook_sender"),
            (
                "operations",
                "driver error_mappings notices operated operation_sync ports::dispute_listener ports::error_mappings \
                 ports::notices ports::open_operations processors questions unresolved",
            ),
            (
                "payments",
                "card_codes disputes payments ports::disputes ports::held ports::merchant_sessions ports::payer_pages \
                 ports::payment_owners ports::payment_search ports::payments ports::redactions ports::refunds \
                 ports::wallet_opener refunds",
            ),
            ("program", "ports::store services"),
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
        modules: &[("billing", "app ports workers")],
    },
    Floor {
        src: "server/identity/domain/src",
        name: "multirail_identity_domain",
        modules: &[("identity", "grant mail oidc password second_factor session")],
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
            (
                "platform",
                "audit cached change_sets conditions constraints database declared freshness idempotency inspection \
                 key_rotations keys lower record rows sealed_columns sealed_forms sealing_anew settings sql_store \
                 sign_in_tries subject_keys subject_seal tables::platform",
            ),
            (
                "accounts",
                "accounts api_keys connector_accounts merchants organizations profiles tables::accounts",
            ),
            (
                "customers",
                "cards_to_save connector_customers connector_mandates customers lower_saved_method mandates \
                 method_columns payment_tokens saved_methods tables::customers",
            ),
            (
                "routing",
                "dynamic_routing elimination routing success_counts tables::routing",
            ),
            (
                "webhooks",
                "deliveries delivery_leases endpoints event_store events tables::webhooks waiting",
            ),
            (
                "operations",
                "error_mappings notices open_operations operation_rows tables::operations",
            ),
            (
                "payments",
                "consents disputes held_cards held_credentials held_store lapsed lower_payment money_inspection parted payment_operations payment_store \
                 payments redactions refunds search tables::payments unfinished wallet_tokens",
            ),
            (
                "billing",
                "catalogue invoices subscription_turns subscriptions tables::billing",
            ),
            ("program", "tables"),
        ],
    },
    Floor {
        src: "server/http/src",
        name: "multirail_http",
        modules: &[
            (
                "platform",
                "admin_keys answer_quota audit card_numbers convert convert::address convert::moments convert::words cors disclosure document errors forwarded health idempotency keys not_built origin places rate_limit request_id sandbox scope start_page stopping traffic satellites token_reader nested satellite_pages satellite_replays subscriber_reader",
            ),
            ("sdk", "convert::consent convert::words::sdk"),
            (
                "accounts",
                "convert::payment_link convert::words::accounts acting api_keys business_profiles \
                 connector_accounts convert::api_key convert::business_profile \
                 convert::connector_account convert::merchant_account convert::organization \
                 convert::webhook_details merchant_accounts operation_groups organizations",
            ),
            (
                "customers",
                "convert::words::customers convert::bank_account convert::customer \
                 convert::mandate convert::saved_method customers mandates \
                 saved_methods",
            ),
            (
                "routing",
                "convert::words::routing convert::dynamic_routing convert::routing \
                 dynamic_routing routing",
            ),
            ("webhooks", "convert::words::webhooks convert::event events"),
            (
                "operations",
                "convert::words::operations convert::error_mapping \
                 error_mappings notices unresolved_operations",
            ),
            (
                "payments",
                "convert::words::payments convert::dispute convert::dispute_search \
                 convert::evidence convert::mandate_request convert::offered convert::particulars \
                 convert::payment_answer convert::payment_instrument \
                 convert::payment_members convert::payment_request convert::payment_search \
                 convert::recurring convert::refund convert::refund_search \
                 convert::session_tokens convert::trouble convert::wallet disputes link_page offered_methods payer_page \
                 payments refunds sender",
            ),
            ("program", "caller event_content hooks pages replays"),
        ],
    },
    Floor {
        src: "server/billing/http/src",
        name: "multirail_billing_http",
        modules: &[(
            "billing",
            "catalogue content convert invoice_page pages replays subscribers subscriptions",
        )],
    },
    Floor {
        src: "server/identity/http/src",
        name: "multirail_identity_http",
        modules: &[(
            "identity",
            "oidc sign_in_limit two_factor user_sessions user_tokens users words",
        )],
    },
];
