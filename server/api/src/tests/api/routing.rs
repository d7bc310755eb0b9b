//! Routing, and the decisions about retries.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl routing::RoutingApi for TestApi {
    type Context = Notes;

    methods! {
        routing_list(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingListQuery>
        ) -> types::RoutingDictionary;
        routing_create(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingCreateRequest>>
        ) -> types::RoutingRecord;
        routing_retrieve(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingRetrievePath>
        ) -> types::RoutingConfiguration;
        routing_activate(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingActivatePath>,
            body: TypedBody<Box<types::RoutingActivateRequest>>
        ) -> types::RoutingRecord;
    }
}

impl routing::RoutingApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        routing_active(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingActiveQuery>
        ) -> types::RoutingActive;
        routing_deactivate(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingDeactivateRequest>>
        ) -> types::RoutingRecord;
        routing_evaluate(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingEvaluateRequest>>
        ) -> types::RoutingEvaluation;
        routing_estimate(
            caller: Caller<Merchant>,
            body: TypedBody<Box<types::RoutingEstimateRequest>>
        ) -> types::RoutingEstimate;
        routing_default_retrieve(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultRetrieveQuery>
        ) -> Vec<types::RoutableConnector>;
        routing_default_update(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultUpdateQuery>,
            body: TypedBody<Box<types::RoutingDefaultRequest>>
        ) -> Vec<types::RoutableConnector>;
        routing_default_list(
            caller: Caller<Merchant>,
            query: Query<routing::RoutingDefaultListQuery>
        ) -> Vec<types::ProfileDefaultRouting>;
        routing_default_update_of_profile(
            caller: Caller<Merchant>,
            path: Path<routing::RoutingDefaultUpdateOfProfilePath>,
            query: Query<routing::RoutingDefaultUpdateOfProfileQuery>,
            body: TypedBody<Box<types::RoutingDefaultRequest>>
        ) -> types::ProfileDefaultRouting;
    }
}

impl dynamic_routing::DynamicRoutingApi for TestApi {
    type Context = Notes;

    methods! {
        dynamic_routing_retrieve(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingRetrievePath>
        ) -> types::DynamicRouting;
        dynamic_routing_elimination_create(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationCreatePath>,
            query: Query<dynamic_routing::DynamicRoutingEliminationCreateQuery>,
            body: TypedBody<Box<types::EliminationRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_elimination_toggle(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationTogglePath>,
            query: Query<dynamic_routing::DynamicRoutingEliminationToggleQuery>
        ) -> types::RoutingRecord;
        dynamic_routing_elimination_update(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingEliminationUpdatePath>,
            body: TypedBody<Box<types::EliminationRoutingConfigUpdate>>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_create(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedCreatePath>,
            query: Query<dynamic_routing::DynamicRoutingSuccessBasedCreateQuery>,
            body: TypedBody<Box<types::SuccessBasedRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_toggle(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedTogglePath>,
            query: Query<dynamic_routing::DynamicRoutingSuccessBasedToggleQuery>
        ) -> types::RoutingRecord;
        dynamic_routing_success_based_update(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSuccessBasedUpdatePath>,
            body: TypedBody<Box<types::SuccessBasedRoutingConfig>>
        ) -> types::RoutingRecord;
        dynamic_routing_set_volume_split(
            caller: Caller<Merchant>,
            path: Path<dynamic_routing::DynamicRoutingSetVolumeSplitPath>,
            query: Query<dynamic_routing::DynamicRoutingSetVolumeSplitQuery>
        ) -> types::DynamicRoutingSplit;
    }
}

impl error_mappings::ErrorMappingsApi for TestApi {
    type Context = Notes;

    methods! {
        gsm_create(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingCreateRequest>>
        ) -> types::ErrorMapping;
        gsm_retrieve(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingKey>>
        ) -> types::ErrorMapping;
        gsm_update(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingUpdateRequest>>
        ) -> types::ErrorMapping;
        gsm_delete(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::ErrorMappingKey>>
        ) -> types::ErrorMapping;
    }
}
