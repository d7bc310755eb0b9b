//! A customer's key is deleted with the customer, also from the database's files.

use std::path::Path;

use crate::customers::{ada, creates, on};
use crate::servers::site::{Site, closed};
use crate::servers::stored::wrapped_keys_of_customers;

fn is_found(folder: &Path, bytes: &[u8]) -> bool {
    let files = std::fs::read_dir(folder).expect("a folder");
    let paths = files.map(|file| file.expect("a file").path());
    let mut databases = paths.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("multirail.sqlite")
    });
    databases.any(|path| {
        let content = std::fs::read(path).expect("a file");
        content.windows(bytes.len()).any(|some| some == bytes)
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_customers_key_is_in_no_file() {
    let site = Site::on_sqlite();
    let shop = site.server("one").await.shop("bookshop").await;
    let made = creates(&shop, ada()).await.ok();
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    let folder = site.folder("one");
    let of_customers = wrapped_keys_of_customers(&folder);
    let [wrapped] = &of_customers[..] else {
        panic!("one key: {of_customers:?}");
    };
    assert!(is_found(&folder, wrapped), "the right file");

    let shop = shop.opens_at(site.server("one").await);
    on(&shop, "customers_delete", &made).await.ok();
    let keys = super::keys(&shop.server).await;
    assert_eq!(keys["customers_with_keys"], 0);
    assert_eq!(keys["customers_with_destroyed_keys"], 1);
    let (server, shop) = closed(shop);
    server.stops().await.expect("an orderly end");
    assert_eq!(wrapped_keys_of_customers(&folder), [Vec::<u8>::new()]);
    assert!(
        !is_found(&folder, wrapped),
        "overwritten, not only left out"
    );
    drop(shop);
}
