//! Bodies in parts (`multipart/form-data`), which is how files go up.

use bytes::Bytes;
use futures::TryStreamExt;
use reqwest::multipart::{Form, Part};

/// A file that goes up.
pub struct Upload {
    /// The part that it is.
    pub field: &'static str,
    pub name: String,
    /// Such as `image/png`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// A body with these texts and the file behind them, and its content type, which says where parts end.
///
/// # Panics
/// Where the media type is none.
pub async fn multipart(texts: &[(&'static str, &'static str)], file: Upload) -> (String, Bytes) {
    let part = Part::bytes(file.bytes).file_name(file.name);
    let part = part.mime_str(file.media_type).expect("a media type");
    let form = (texts.iter()).fold(Form::new(), |form, (name, text)| form.text(*name, *text));
    let form = form.part(file.field, part);
    let content_type = format!("multipart/form-data; boundary={}", form.boundary());
    let pieces: Result<Vec<Bytes>, _> = form.into_stream().try_collect().await;
    let whole = pieces.expect("all of it is at hand").concat();
    (content_type, whole.into())
}
