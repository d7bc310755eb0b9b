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
];

/// One floor: its sources, and its modules by subject. A module inside another one may have a subject of its own.
pub struct Floor {
    /// The sources, from the root of the repository.
    pub src: &'static str,
    /// The crate's name in paths.
    pub name: &'static str,
    /// The one module that is read; all where it is empty.
    pub only: &'static str,
    pub modules: &'static [(&'static str, &'static str)],
}

pub const FLOORS: &[Floor] = &[
    Floor {
        src: "server/domain/src",
        name: "multirail_domain",
        only: "",
        modules: &[
            (
                "kernel",
                "address clock country currency environment headers ids masking money notes open_json proxy_address random \
                 record_object refusal secret target timestamp try_limit unread web_address words",
            ),
            (
                "platform",
                "announcement audit context disclosure event idempotency redacted telling",
            ),
            (
                "sdk",
                "browser card charge connector consent evidence instrument order_item payment_method wallet",
            ),
            (
                "accounts",
                "acting api_key connector_account merchant new_merchant organization profile webhook_settings",
            ),
            ("customers", "customer mandate saved_method"),
            ("routing", "routing"),
            ("webhooks", "event_filter webhook"),
            ("identity", "user"),
            (
                "operations",
                "error_mapping operation question received_notice",
            ),
            ("payments", "dispute offer payment refund session"),
            ("billing", "billing subscription"),
        ],
    },
    Floor {
        src: "server/platform/src",
        name: "multirail_platform",
        only: "",
        modules: &[("platform", "change failure")],
    },
    Floor {
        src: "server/platform/sql/src",
        name: "multirail_sql",
        only: "",
        modules: &[(
            "platform",
            "dialect error metric row standstill statement value",
        )],
    },
    Floor {
        src: "server/platform/database/src",
        name: "multirail_database",
        only: "",
        modules: &[(
            "platform",
            "independence measure migrate options placeholders postgres sqlite",
        )],
    },
    Floor {
        src: "server/app/src",
        name: "multirail_app",
        only: "",
        modules: &[
            (
                "platform",
                "audit caller decisions ended_requests error idempotency keys lease paging ports ports::audit \
                 ports::business_clock ports::change_set ports::failure ports::idempotency ports::installation_keys \
                 ports::metric ports::seal ports::store ports::subject_seal sandbox \
                 worker_health",
            ),
            ("sdk", "ports::connector"),
            (
                "accounts",
                "acting api_keys connector_accounts merchant_accounts merchant_deletion organizations ports::api_keys \
                 ports::connector_accounts ports::merchants ports::organizations ports::profiles profile_view profiles",
            ),
            (
                "customers",
                "customers mandates ports::connector_customers ports::customers ports::mandates ports::saved_methods \
                 ports::vault saved_methods",
            ),
            ("routing", "ports::dynamic_routing ports::routing routing"),
            ("webhooks", "events ports::events ports::webhook_sender"),
            (
                "identity",
                "ports::identity_provider ports::mail ports::sign_in ports::users users",
            ),
            (
                "operations",
                "account_limits driver error_mappings notice_addresses notices operation_sync ports::error_mappings \
                 ports::notice_registrar ports::notices ports::open_operations processors questions unresolved",
            ),
            (
                "payments",
                "card_codes disputes payments ports::disputes ports::held ports::merchant_sessions ports::payer_pages \
                 ports::payment_search ports::payments ports::refunds ports::wallet_opener refunds",
            ),
            (
                "billing",
                "billing ports::catalogue ports::subscriptions subscriptions",
            ),
        ],
    },
    Floor {
        src: "server/store/src",
        name: "multirail_store",
        only: "",
        modules: &[
            (
                "platform",
                "audit cached change_sets conditions constraints database freshness idempotency inspection \
                 key_rotations keys lower record sealed_columns sealed_forms sealing_anew settings sql_store \
                 subject_keys subject_seal",
            ),
            (
                "accounts",
                "accounts api_keys connector_accounts merchants organizations profiles",
            ),
            (
                "customers",
                "cards_to_save connector_customers connector_mandates customers lower_saved_method mandates \
                 method_columns payment_tokens saved_methods",
            ),
            (
                "routing",
                "dynamic_routing elimination routing success_counts",
            ),
            (
                "webhooks",
                "deliveries delivery_leases endpoints event_store events waiting",
            ),
            (
                "identity",
                "identities password_mails second_factors sign_in_tries user_invitations user_sessions users",
            ),
            (
                "operations",
                "error_mappings notices open_operations operation_rows",
            ),
            (
                "payments",
                "disputes held_cards held_credentials held_store lapsed lower_payment payment_operations payment_store \
                 payments refunds search unfinished wallet_tokens",
            ),
            (
                "billing",
                "catalogue invoices subscription_turns subscriptions",
            ),
        ],
    },
    Floor {
        src: "server/src",
        name: "multirail_server",
        only: "http",
        modules: &[
            (
                "platform",
                "http http::answer_quota http::audit http::caller http::card_numbers http::convert \
                 http::convert::words http::cors http::disclosure http::document http::errors http::forwarded \
                 http::health http::hooks http::idempotency http::keys http::nested http::not_built http::origin \
                 http::pages http::places http::rate_limit http::request_id http::sandbox http::scope \
                 http::start_page http::stopping http::traffic",
            ),
            ("sdk", "http::convert::words::sdk"),
            (
                "accounts",
                "http::convert::words::accounts http::acting http::api_keys http::business_profiles \
                 http::connector_accounts http::convert::api_key http::convert::business_profile \
                 http::convert::connector_account http::convert::merchant_account http::convert::organization \
                 http::convert::webhook_details http::merchant_accounts http::organizations",
            ),
            (
                "customers",
                "http::convert::words::customers http::convert::bank_account http::convert::customer \
                 http::convert::mandate http::convert::saved_method http::customers http::mandates \
                 http::saved_methods",
            ),
            (
                "routing",
                "http::convert::words::routing http::convert::dynamic_routing http::convert::routing \
                 http::dynamic_routing http::routing",
            ),
            (
                "webhooks",
                "http::convert::words::webhooks http::convert::event http::event_content http::events",
            ),
            (
                "identity",
                "http::convert::words::identity http::oidc http::sign_in_limit http::two_factor http::user_sessions \
                 http::users",
            ),
            (
                "operations",
                "http::convert::words::operations http::convert::error_mapping http::convert::trouble \
                 http::error_mappings http::notices http::unresolved_operations",
            ),
            (
                "payments",
                "http::convert::words::payments http::convert::dispute http::convert::dispute_search \
                 http::convert::evidence http::convert::offered http::convert::particulars \
                 http::convert::payment_answer http::convert::payment_instrument http::convert::payment_link \
                 http::convert::payment_members http::convert::payment_request http::convert::payment_search \
                 http::convert::recurring http::convert::refund http::convert::refund_search \
                 http::convert::session_tokens http::convert::wallet http::disputes http::link_page http::payer_page \
                 http::payments http::refunds http::sender",
            ),
            (
                "billing",
                "http::convert::words::billing http::billing http::convert::billing http::convert::subscription \
                 http::invoice_page http::subscriptions",
            ),
        ],
    },
];
