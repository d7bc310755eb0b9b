//! Notices of a stand-in.

/// A notice: one request to the merchant's endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Notice {
    /// Sends the notice to this address and returns the answer's status.
    ///
    /// # Errors
    /// If there is no answer.
    pub async fn send(&self, url: &str) -> Result<u16, reqwest::Error> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let mut request = client.post(url).body(self.body.clone());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        Ok(request.send().await?.status().as_u16())
    }
}
