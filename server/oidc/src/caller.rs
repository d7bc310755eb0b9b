//! Calls to the provider with the guarded client: answers are bounded in time and length, and redirects are not
//! followed.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use multirail_identity::ports::ProviderFailure;
use multirail_kernel::secret::SecretText;
use multirail_kernel::target::{ForbiddenTarget, TargetRules};
use multirail_outbound::{BodyEnd, Bounds, GuardedClient, OutboundError, Outgoing};
use oauth2::http::header::{ACCEPT, AUTHORIZATION};
use oauth2::http::{HeaderMap, HeaderValue, Method, Response};
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use serde::de::DeserializeOwned;

use super::OidcSettings;

/// The largest answer. Documents and key sets of large providers have twenty kilobytes.
const ANSWER_BYTES: usize = 262_144;

pub struct Caller {
    client: GuardedClient,
    targets: TargetRules,
    deadline: Duration,
}

/// The reason why there is no readable answer.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum NoAnswer {
    #[error(transparent)]
    Outbound(#[from] OutboundError),
    #[error("the answer is too long")]
    Cut,
}

impl Caller {
    pub fn new(settings: &OidcSettings) -> Self {
        Caller {
            client: GuardedClient::new(settings.targets.clone(), &settings.manner),
            targets: settings.targets.clone(),
            deadline: settings.deadline,
        }
    }

    /// Checks an address of the provider that a browser visits.
    ///
    /// # Errors
    /// [`ForbiddenTarget`]
    pub fn check(&self, url: &str) -> Result<(), ForbiddenTarget> {
        self.targets.check_url(url).map(drop)
    }

    /// Gets a JSON answer from the provider.
    ///
    /// # Errors
    /// [`ProviderFailure::Unavailable`]
    pub async fn get<T: DeserializeOwned>(
        &self,
        url: &str,
        access_token: Option<&SecretText>,
    ) -> Result<T, ProviderFailure> {
        let unusable = |why: String| ProviderFailure::Unavailable(format!("{url}: {why}"));
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = access_token {
            let bearer = HeaderValue::from_str(&format!("Bearer {}", token.expose()));
            let mut bearer = bearer.map_err(|_| unusable("no access token".to_owned()))?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        let outgoing = Outgoing {
            method: Method::GET,
            url,
            headers,
            body: Bytes::new(),
        };
        let (status, body) = self
            .exchange(outgoing)
            .await
            .map_err(|error| unusable(error.to_string()))?;
        if status != 200 {
            return Err(unusable(format!("it answers {status}")));
        }
        // The error doesn't quote the document.
        serde_json::from_slice(&body)
            .map_err(|_| unusable("the answer is not the JSON that is expected".to_owned()))
    }

    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
        let (parts, body) = request.into_parts();
        let url = parts.uri.to_string();
        let outgoing = Outgoing {
            method: parts.method,
            url: &url,
            headers: parts.headers,
            body: body.into(),
        };
        let (status, body) = self.exchange(outgoing).await?;
        let mut response = Response::new(body);
        *response.status_mut() = status
            .try_into()
            .map_err(|_| NoAnswer::Outbound(OutboundError::Broken))?;
        Ok(response)
    }

    async fn exchange(&self, outgoing: Outgoing<'_>) -> Result<(u16, Vec<u8>), NoAnswer> {
        let bounds = Bounds {
            time: self.deadline,
            body_bytes: ANSWER_BYTES,
        };
        let response = self.client.send(outgoing, bounds).await?;
        match response.body_end {
            BodyEnd::Complete => Ok((response.status, response.body)),
            BodyEnd::Cut => Err(NoAnswer::Cut),
            BodyEnd::TimedOut => Err(OutboundError::TimedOut.into()),
            BodyEnd::Broken => Err(OutboundError::Broken.into()),
        }
    }
}

/// The HTTP client for the library of the code flow.
impl<'c> AsyncHttpClient<'c> for Caller {
    type Error = NoAnswer;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, NoAnswer>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}
