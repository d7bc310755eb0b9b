//! Events, notices and operations without an answer.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl events::EventsApi for TestApi {
    type Context = Notes;

    async fn events_follow(
        rqctx: RequestContext<Notes>,
        caller: Caller<User>,
    ) -> Result<EventStream, ApiError> {
        let line = format!("events_follow {:?}", caller.into_inner());
        rqctx.context().lock().unwrap().push(line);
        let (writer, stream) = EventStream::new();
        writer.send("retry: 3000\n\n".into()).await.unwrap();
        Ok(stream)
    }

    methods! {
        events_list(
            caller: Caller<AdminOrUser>,
            path: Path<events::EventsListPath>,
            body: TypedBody<Box<types::EventListRequest>>
        ) -> types::EventList;
        events_attempts(
            caller: Caller<AdminOrUser>,
            path: Path<events::EventsAttemptsPath>
        ) -> Vec<types::DeliveryAttempt>;
        events_retry(caller: Caller<AdminOrUser>, path: Path<events::EventsRetryPath>) -> types::DeliveryAttempt;
    }
}

impl events::EventsApiLiterals for TestApi {
    type Context = Notes;

    methods! {
        events_replay(
            caller: Caller<Admin>,
            path: Path<events::EventsReplayPath>,
            body: TypedBody<Box<types::EventReplayRequest>>
        ) -> types::EventReplay;
    }
}

impl events::EventsApiLiterals2 for TestApi {
    type Context = Notes;

    methods! {
        events_profile_list(
            caller: Caller<User>,
            body: TypedBody<Box<types::EventListRequest>>
        ) -> types::EventList;
    }
}

impl notices::NoticesApi for TestApi {
    type Context = Notes;

    async fn notices_receive(
        rqctx: RequestContext<Notes>,
        path: Path<notices::NoticesReceivePath>,
        body: RawBody,
    ) -> Result<PlainText, ApiError> {
        let line = format!("notices_receive {:?} {:?}", path.into_inner(), body.bytes);
        rqctx.context().lock().unwrap().push(line);
        Ok(PlainText::new("[accepted]".to_owned()))
    }

    methods! {
        notices_list(
            caller: Caller<Admin>,
            query: Query<notices::NoticesListQuery>
        ) -> Vec<types::Notice>;
        notices_retrieve(
            caller: Caller<Admin>,
            path: Path<notices::NoticesRetrievePath>
        ) -> types::NoticeWithBody;
        notices_replay(
            caller: Caller<Admin>,
            path: Path<notices::NoticesReplayPath>
        ) -> types::Notice;
    }
}

impl unresolved_operations::UnresolvedOperationsApi for TestApi {
    type Context = Notes;

    methods! {
        unresolved_operations_list(
            caller: Caller<Admin>,
            query: Query<unresolved_operations::UnresolvedOperationsListQuery>
        ) -> Vec<types::UnresolvedOperation>;
    }
}
