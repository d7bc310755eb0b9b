//! The mandate that a payment asks for, wire to domain and back. (Specification 2.11)

use multirail_domain::payments::payment::mandate::MandateRequest;
use multirail_kernel::ids::MandateId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::consent::Consent;
use multirail_types as types;

use crate::customers::convert::mandate::{terms, terms_answer};
use crate::platform::convert::consent::{consent, consent_answer};

/// Reads a request's mandate and its consent. An empty object counts as absent, because many programs send every member
/// that they know.
///
/// # Errors
/// An invalid mandate, an unknown currency, a consent that differs from the request's own.
pub fn request(
    said: Option<types::MandateData>,
    consent_of_request: &mut Option<Box<Consent>>,
) -> Result<Option<Box<MandateRequest>>, Refusal> {
    let Some(types::MandateData {
        update_mandate_id,
        customer_acceptance,
        mandate_type,
    }) = said
    else {
        return Ok(None);
    };
    if update_mandate_id.is_none() && customer_acceptance.is_none() && mandate_type.is_none() {
        return Ok(None);
    }
    if let Some(given) = customer_acceptance {
        let given = Box::new(consent(given, "mandate_data.customer_acceptance")?);
        match consent_of_request {
            Some(other) if *other != given => {
                return Err(Refusal::precondition(
                    "customer_acceptance is given twice, at the top and inside mandate_data, with different values",
                ));
            }
            Some(_) | None => *consent_of_request = Some(given),
        }
    }
    let parse = |id: String| {
        let id = MandateId::parse(&id);
        id.map_err(|invalid| invalid.refusal("mandate_data.update_mandate_id"))
    };
    Ok(Some(Box::new(MandateRequest {
        update_mandate_id: update_mandate_id.map(parse).transpose()?,
        mandate_type: mandate_type.map(terms).transpose()?,
        unread: UnreadMembers::default(),
    })))
}

/// Returns the mandate request's answer, with the payment's consent.
pub fn request_answer(request: &MandateRequest, given: Option<&Consent>) -> types::MandateData {
    types::MandateData {
        update_mandate_id: request.update_mandate_id.as_ref().map(ToString::to_string),
        customer_acceptance: given.cloned().map(consent_answer),
        mandate_type: request.mandate_type.as_ref().map(terms_answer),
    }
}
