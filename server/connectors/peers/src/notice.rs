//! What a processor tells unasked.

/// One request to whoever is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Notice {
    /// Sends it to this address; the status of the answer.
    ///
    /// # Errors
    /// Where there is no answer.
    pub async fn send(&self, url: &str) -> Result<u16, reqwest::Error> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let mut request = client.post(url).body(self.body.clone());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        Ok(request.send().await?.status().as_u16())
    }
}
