//! Payments, refunds and disputes.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl payments::PaymentsApi for TestApi {
    type Context = Notes;

    methods! {
        payments_create(caller: Caller<Merchant>, body: TypedBody<Box<types::PaymentCreateRequest>>) -> types::Payment;
        payments_retrieve(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsRetrievePath>,
            query: Query<payments::PaymentsRetrieveQuery>
        ) -> types::Payment;
        payments_update(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsUpdatePath>,
            body: TypedBody<Box<types::PaymentUpdateRequest>>
        ) -> types::Payment;
        payments_confirm(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsConfirmPath>,
            body: TypedBody<Box<types::PaymentConfirmRequest>>
        ) -> types::Payment;
        payments_complete_authorize(
            caller: Caller<MerchantOrClient>,
            path: Path<payments::PaymentsCompleteAuthorizePath>,
            body: TypedBody<Box<types::PaymentCompleteAuthorizeRequest>>
        ) -> types::Payment;
        payments_capture(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsCapturePath>,
            body: TypedBody<Box<types::PaymentCaptureRequest>>
        ) -> types::Payment;
        payments_cancel_post_capture(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsCancelPostCapturePath>,
            body: TypedBody<Box<types::PaymentCancelPostCaptureRequest>>
        ) -> types::Payment;
        payments_approve(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsApprovePath>
        ) -> types::Payment;
        payments_reject(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsRejectPath>
        ) -> types::Payment;
        payments_incremental_authorization(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsIncrementalAuthorizationPath>,
            body: TypedBody<Box<types::PaymentIncrementalAuthorizationRequest>>
        ) -> types::Payment;
        payments_update_metadata(
            caller: Caller<Merchant>,
            path: Path<payments::PaymentsUpdateMetadataPath>,
            body: TypedBody<Box<types::PaymentMetadataUpdateRequest>>
        ) -> types::PaymentMetadata;
    }

    async fn payments_cancel(
        _: RequestContext<Notes>,
        _: Caller<Merchant>,
        _: Path<payments::PaymentsCancelPath>,
        _: TypedBody<Box<types::PaymentCancelRequest>>,
    ) -> Result<JsonAnswer<types::Payment>, ApiError> {
        panic!("cancel panics in these tests");
    }
}

impl payments::PaymentsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        payments_list(caller: Caller<Merchant>, query: Query<payments::PaymentsListQuery>) -> types::PaymentList;
        payments_session_tokens(
            caller: Caller<Client>,
            body: TypedBody<Box<types::SessionTokensRequest>>
        ) -> types::SessionTokens;
        payments_filter(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::PaymentFilterRequest>>
        ) -> types::PaymentFilterResponse;
    }
}

impl refunds::RefundsApi for TestApi {
    type Context = Notes;

    methods! {
        refunds_create(caller: Caller<Merchant>, body: TypedBody<Box<types::RefundCreateRequest>>) -> types::Refund;
        refunds_retrieve(
            caller: Caller<Merchant>,
            path: Path<refunds::RefundsRetrievePath>,
            query: Query<refunds::RefundsRetrieveQuery>
        ) -> types::Refund;
        refunds_update(
            caller: Caller<Merchant>,
            path: Path<refunds::RefundsUpdatePath>,
            body: TypedBody<Box<types::RefundUpdateRequest>>
        ) -> types::Refund;
    }
}

impl refunds::RefundsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        refunds_list(caller: Caller<Merchant>, body: TypedBody<Box<types::RefundListRequest>>) -> types::RefundList;
    }
}

impl disputes::DisputesApi for TestApi {
    type Context = Notes;

    methods! {
        disputes_retrieve(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesRetrievePath>,
            query: Query<disputes::DisputesRetrieveQuery>
        ) -> types::Dispute;
    }
}

impl disputes::DisputesApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        disputes_list(caller: Caller<Merchant>, query: Query<disputes::DisputesListQuery>) -> Vec<types::Dispute>;
        disputes_profile_list(
            caller: Caller<Merchant>,
            query: Query<disputes::DisputesProfileListQuery>
        ) -> Vec<types::Dispute>;
        disputes_accept(caller: Caller<Merchant>, path: Path<disputes::DisputesAcceptPath>) -> types::Dispute;
        disputes_challenge(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::DisputeChallengeRequest>>
        ) -> types::Dispute;
        disputes_fetch(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesFetchPath>,
            query: Query<disputes::DisputesFetchQuery>
        ) -> Vec<types::Dispute>;
        disputes_retrieve_evidence(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesRetrieveEvidencePath>
        ) -> types::DisputeEvidence;
        disputes_delete_evidence(
            caller: Caller<Merchant>,
            path: Path<disputes::DisputesDeleteEvidencePath>,
            query: Query<disputes::DisputesDeleteEvidenceQuery>
        ) -> types::DisputeEvidence;
    }

    async fn disputes_attach(
        rqctx: RequestContext<Notes>,
        _caller: Caller<Merchant>,
        query: Query<disputes::DisputesAttachQuery>,
        body: RawBody,
    ) -> Result<JsonAnswer<types::DisputeFileAttached>, ApiError> {
        let line = format!("disputes_attach {:?} {:?}", query.into_inner(), body.bytes);
        rqctx.context().lock().unwrap().push(line);
        Ok(JsonAnswer::new(example("disputes_attach")))
    }
}
