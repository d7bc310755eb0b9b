//! Tests of the choice of a defense reason for a merchant's files.

use multirail_sdk::evidence::{EvidenceItem, FileType};
use serde_json::json;

use super::super::defense::{check, choose, there_before};
use super::super::generated::wire::DefenseReason;

fn reasons() -> Vec<DefenseReason> {
    let reasons = json!([
        {
            "defenseReasonCode": "Later", "satisfied": false,
            "defenseDocumentTypes": [
                { "defenseDocumentTypeCode": "DisclosureAtPointOfInteraction", "requirementLevel": "Optional", "available": true },
                { "defenseDocumentTypeCode": "Sworn", "requirementLevel": "WordOfLater", "available": false },
            ],
        },
        {
            "defenseReasonCode": "GoodsOrServicesProvided", "satisfied": false,
            "defenseDocumentTypes": [
                { "defenseDocumentTypeCode": "ProofOfAbilityToProvideServices", "requirementLevel": "OneOrMore", "available": false },
                { "defenseDocumentTypeCode": "ProofOfGoodsOrServicesProvided", "requirementLevel": "OneOrMore", "available": true },
            ],
        },
        {
            "defenseReasonCode": "GoodsWereAsDescribed", "satisfied": false,
            "defenseDocumentTypes": [
                { "defenseDocumentTypeCode": "GoodsWereAsDescribed", "requirementLevel": "Required", "available": false },
                { "defenseDocumentTypeCode": "TIDorInvoice", "requirementLevel": "Required", "available": false },
            ],
        },
        {
            "defenseReasonCode": "SupplyDefenseMaterial", "satisfied": false,
            "defenseDocumentTypes": [
                { "defenseDocumentTypeCode": "TIDorInvoice", "requirementLevel": "Optional", "available": true },
                { "defenseDocumentTypeCode": "DefenseMaterial", "requirementLevel": "Required", "available": false },
            ],
        },
    ]);
    serde_json::from_value(reasons).expect("reasons")
}

#[test]
fn the_first_reason_that_has_a_document_of_every_file_is_the_one() {
    let reasons = reasons();
    let chosen = |files: &[EvidenceItem]| match choose(&reasons, files) {
        Ok((reason, documents)) => {
            let documents = documents.iter();
            let documents = documents.map(|(code, number)| format!("{code}: {}", files[*number]));
            let documents: Vec<String> = documents.collect();
            format!("{}, {}", reason.defense_reason_code, documents.join(", "))
        }
        Err(decline) => format!("{}: {}", decline.code, decline.message),
    };
    let lines = [
        chosen(&[EvidenceItem::ShippingDocumentation]),
        chosen(&[EvidenceItem::Receipt]),
        chosen(&[EvidenceItem::UncategorizedFile, EvidenceItem::Receipt]),
        chosen(&[EvidenceItem::Receipt, EvidenceItem::CustomerCommunication]),
        chosen(&[EvidenceItem::Receipt, EvidenceItem::ShippingDocumentation]),
        // An unknown requirement is treated as required.
        chosen(&[EvidenceItem::RefundPolicy]),
        chosen(&[
            EvidenceItem::UncategorizedFile,
            EvidenceItem::CustomerSignature,
        ]),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    GoodsOrServicesProvided, ProofOfGoodsOrServicesProvided: shipping_documentation
    SupplyDefenseMaterial, DefenseMaterial: receipt
    SupplyDefenseMaterial, DefenseMaterial: uncategorized_file, TIDorInvoice: receipt
    SupplyDefenseMaterial, DefenseMaterial: customer_communication, TIDorInvoice: receipt
    SupplyDefenseMaterial, DefenseMaterial: shipping_documentation, TIDorInvoice: receipt
    SupplyDefenseMaterial, DefenseMaterial: refund_policy
    no_defense_reason_fits: the files are not the documents of a reason by which Adyen defends this dispute (Later: DisclosureAtPointOfInteraction?, Sworn; GoodsOrServicesProvided: ProofOfAbilityToProvideServices, ProofOfGoodsOrServicesProvided; GoodsWereAsDescribed: GoodsWereAsDescribed, TIDorInvoice; SupplyDefenseMaterial: TIDorInvoice?, DefenseMaterial)
    ");
}

#[test]
fn existing_documents_are_listed_by_type() {
    insta::assert_debug_snapshot!(there_before(&reasons()), @r#"
    [
        "DisclosureAtPointOfInteraction",
        "ProofOfGoodsOrServicesProvided",
        "TIDorInvoice",
    ]
    "#);
}

#[test]
fn texts_and_files_of_other_forms_have_no_place() {
    let item = EvidenceItem::Receipt;
    let file = |file_type, bytes| check([].into_iter(), [(item, file_type, bytes)].into_iter());
    assert_eq!(file(FileType::Pdf, 2_000_000), Ok(()));
    assert_eq!(file(FileType::Jpeg, 5_000_000), Ok(()));
    let texts = [EvidenceItem::ShippingCarrier, EvidenceItem::CustomerName];
    let lines = [
        file(FileType::Pdf, 2_000_001),
        file(FileType::Png, 1),
        check(texts.into_iter(), [].into_iter()),
    ]
    .map(|refused| refused.expect_err("no place").to_string());
    insta::assert_snapshot!(lines.join("\n"), @"
    receipt (a PDF of more than 2000000 bytes)
    receipt (a file of image/png)
    shipping_carrier (a text, not a file)
    ");
}
