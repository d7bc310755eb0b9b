//! Bodies in parts (`multipart/form-data`), for uploads.

use bytes::Bytes;
use futures::TryStreamExt;
use reqwest::multipart::{Form, Part};

/// A file to upload.
pub struct Upload {
    /// The name of its part.
    pub field: &'static str,
    pub name: String,
    /// The media type, such as `image/png`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// Returns a body with these texts followed by the file, and its content type, which contains the boundary.
///
/// # Panics
/// When the media type is invalid.
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
