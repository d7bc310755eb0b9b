//! A merchant's evidence against a dispute: texts and files, each under the name that the contract
//! gives it. (Facts 7.9)

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use multirail_kernel::ids::FileId;
use multirail_kernel::secret::{SecretText, UnreadableSecrets};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_kernel::words::words;

/// The maximum size of a file, in bytes.
pub const LARGEST_FILE: i64 = 5 * 1_024 * 1_024;
/// The maximum size of all files of a dispute, in bytes.
pub const LARGEST_FILES: i64 = 2 * LARGEST_FILE;
/// The maximum length of a text, in characters.
pub const LONGEST_TEXT: usize = 20_000;

words! {
    /// One item of evidence.
    pub enum EvidenceItem {
        AccessActivityLog = "access_activity_log",
        BillingAddress = "billing_address",
        CancellationPolicy = "cancellation_policy",
        CancellationPolicyDisclosure = "cancellation_policy_disclosure",
        CancellationRebuttal = "cancellation_rebuttal",
        CustomerCommunication = "customer_communication",
        CustomerEmailAddress = "customer_email_address",
        CustomerName = "customer_name",
        CustomerPurchaseIp = "customer_purchase_ip",
        CustomerSignature = "customer_signature",
        ProductDescription = "product_description",
        Receipt = "receipt",
        RefundPolicy = "refund_policy",
        RefundPolicyDisclosure = "refund_policy_disclosure",
        RefundRefusalExplanation = "refund_refusal_explanation",
        ServiceDate = "service_date",
        ServiceDocumentation = "service_documentation",
        ShippingAddress = "shipping_address",
        ShippingCarrier = "shipping_carrier",
        ShippingDate = "shipping_date",
        ShippingDocumentation = "shipping_documentation",
        ShippingTrackingNumber = "shipping_tracking_number",
        InvoiceShowingDistinctTransactions = "invoice_showing_distinct_transactions",
        RecurringTransactionAgreement = "recurring_transaction_agreement",
        UncategorizedFile = "uncategorized_file",
        UncategorizedText = "uncategorized_text",
    }
}

words! {
    /// The kinds of file that processors take.
    pub enum FileType {
        Jpeg = "image/jpeg",
        Png = "image/png",
        Pdf = "application/pdf",
    }
}

impl FileType {
    /// Detects the type of a file from its first bytes. Returns `None` for types that no processor
    /// takes.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let begins = |with: &[u8]| bytes.starts_with(with);
        match () {
            () if begins(b"%PDF-") => Some(FileType::Pdf),
            () if begins(b"\x89PNG\r\n\x1a\n") => Some(FileType::Png),
            () if begins(b"\xff\xd8\xff") => Some(FileType::Jpeg),
            () => None,
        }
    }
}

impl EvidenceItem {
    /// Checks whether the item is a file rather than a text.
    pub fn is_file(self) -> bool {
        match self {
            EvidenceItem::CancellationPolicy
            | EvidenceItem::CustomerCommunication
            | EvidenceItem::CustomerSignature
            | EvidenceItem::Receipt
            | EvidenceItem::RefundPolicy
            | EvidenceItem::ServiceDocumentation
            | EvidenceItem::ShippingDocumentation
            | EvidenceItem::InvoiceShowingDistinctTransactions
            | EvidenceItem::RecurringTransactionAgreement
            | EvidenceItem::UncategorizedFile => true,
            EvidenceItem::AccessActivityLog
            | EvidenceItem::BillingAddress
            | EvidenceItem::CancellationPolicyDisclosure
            | EvidenceItem::CancellationRebuttal
            | EvidenceItem::CustomerEmailAddress
            | EvidenceItem::CustomerName
            | EvidenceItem::CustomerPurchaseIp
            | EvidenceItem::ProductDescription
            | EvidenceItem::RefundPolicyDisclosure
            | EvidenceItem::RefundRefusalExplanation
            | EvidenceItem::ServiceDate
            | EvidenceItem::ShippingAddress
            | EvidenceItem::ShippingCarrier
            | EvidenceItem::ShippingDate
            | EvidenceItem::ShippingTrackingNumber
            | EvidenceItem::UncategorizedText => false,
        }
    }

    /// Checks whether the item identifies the customer.
    pub fn tells_of_customer(self) -> bool {
        matches!(
            self,
            EvidenceItem::BillingAddress
                | EvidenceItem::CustomerEmailAddress
                | EvidenceItem::CustomerName
                | EvidenceItem::CustomerPurchaseIp
                | EvidenceItem::ShippingAddress
        )
    }
}

/// The evidence that was attached so far.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// One text per item at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<EvidenceText>,
    /// One file per item at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<EvidenceFile>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A text of evidence. It may contain personal data, so it doesn't print.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceText {
    pub item: EvidenceItem,
    pub text: String,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A file of evidence. Its bytes are stored elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceFile {
    pub item: EvidenceItem,
    pub file_id: FileId,
    pub file_type: FileType,
    pub bytes: i64,
    pub attached_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The bytes of a file. They may contain personal data, so they don't print.
#[derive(Clone, PartialEq, Eq)]
pub struct FileBytes(Arc<[u8]>);

impl FileBytes {
    pub fn new(bytes: &[u8]) -> Self {
        FileBytes(bytes.into())
    }

    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// Returns the bytes as the text to seal.
    pub fn to_sealable(&self) -> SecretText {
        SecretText::new(BASE64_STANDARD.encode(&self.0))
    }

    /// Reads the bytes of an unsealed text.
    ///
    /// # Errors
    /// [`UnreadableSecrets`]
    pub fn from_sealable(text: &SecretText) -> Result<Self, UnreadableSecrets> {
        let bytes = BASE64_STANDARD.decode(text.expose());
        let bytes = bytes.map_err(|_| UnreadableSecrets)?;
        Ok(FileBytes(bytes.into()))
    }
}

impl std::fmt::Debug for FileBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FileBytes({})", self.0.len())
    }
}

impl Evidence {
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }

    /// Adds a text, or replaces the item's earlier text.
    pub fn set_text(&mut self, item: EvidenceItem, text: String) {
        self.texts.retain(|known| known.item != item);
        self.texts.push(EvidenceText {
            item,
            text,
            unread: UnreadMembers::default(),
        });
    }

    /// Adds a file, or replaces the item's earlier file.
    pub fn set_file(&mut self, file: EvidenceFile) {
        self.remove(file.item);
        self.files.push(file);
    }

    pub fn remove(&mut self, item: EvidenceItem) {
        self.texts.retain(|known| known.item != item);
        self.files.retain(|known| known.item != item);
    }

    /// Returns the file that was attached under this name.
    pub fn file(&self, item: EvidenceItem) -> Option<&EvidenceFile> {
        self.files.iter().find(|file| file.item == item)
    }

    /// Returns the total size of all files, in bytes.
    pub fn bytes(&self) -> i64 {
        let sizes = self.files.iter().map(|file| file.bytes);
        sizes.fold(0, i64::saturating_add)
    }
}

impl std::fmt::Debug for EvidenceText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "EvidenceText({})", self.item)
    }
}

impl std::fmt::Debug for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (texts, files) = (self.texts.len(), self.files.len());
        write!(f, "Evidence({texts} texts, {files} files)")
    }
}
