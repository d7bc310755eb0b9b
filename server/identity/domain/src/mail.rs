//! Mail for choosing a password: its text and its retries.

use multirail_kernel::email::Email;
use multirail_kernel::ids::MerchantId;
use multirail_kernel::mail::Mail;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::words::words;

use super::PASSWORD_LINK_SECONDS;

/// Seconds until the link for a forgotten password expires: one hour.
pub const RESET_LINK_SECONDS: i64 = 3_600;

/// Seconds until another mail of the same kind can be sent, so that repeated requests don't fill a mailbox.
pub const MAIL_PAUSE_SECONDS: i64 = 300;

/// Pauses in seconds before retries of mail that the mail server didn't accept. After the last retry the mail is given
/// up, and the user must ask again.
const PAUSES: [i64; 5] = [30, 120, 600, 1_800, 3_600];

words! {
    /// The reason for choosing a password.
    pub enum PasswordMailKind {
        /// The user forgot their password.
        Reset = "reset",
        /// The user was invited.
        Invitation = "invitation",
    }
}

impl PasswordMailKind {
    /// Returns the seconds until the mail's link expires.
    pub fn link_seconds(self) -> i64 {
        match self {
            PasswordMailKind::Reset => RESET_LINK_SECONDS,
            PasswordMailKind::Invitation => PASSWORD_LINK_SECONDS,
        }
    }
}

/// Returns the time of the next retry after this number of failed tries, or `None` if the mail is given up.
pub fn next_try(tries: i64, now: Timestamp) -> Option<Timestamp> {
    let index = usize::try_from(tries - 1).ok()?;
    now.plus_seconds(*PAUSES.get(index)?)
}

/// A token of a mail.
pub struct MailLink {
    pub token: SecretText,
    /// The merchant account of the offer that the token takes up.
    pub invites_to: Option<MerchantId>,
}

/// Writes mail with tokens for choosing a password: one, or one for each offer. `page` is the address of the page for it;
/// the token follows behind `#token=`, so that no server logs it. Without a page the mail contains the token itself.
pub fn password_mail(
    kind: PasswordMailKind,
    to: Email,
    links: &[MailLink],
    page: Option<&str>,
) -> Mail {
    let subject = match kind {
        PasswordMailKind::Reset => "Choose another password",
        PasswordMailKind::Invitation => "You are invited",
    };
    let texts: Vec<String> = links.iter().map(|link| text_of(kind, link, page)).collect();
    Mail {
        to,
        subject,
        text: SecretText::new(texts.join("\n")),
    }
}

fn text_of(kind: PasswordMailKind, link: &MailLink, page: Option<&str>) -> String {
    let token = link.token.expose();
    let way = match page {
        Some(page) => format!("Open this address:\n\n{page}#token={token}\n"),
        None => format!("This is the token to choose it with:\n\n{token}\n"),
    };
    match kind {
        PasswordMailKind::Reset => format!(
            "Somebody has asked for another password for your account, most likely you.\n\n{way}\n\
             It can be used once, within an hour. If it was not you, there is nothing to do:\n\
             your password stays what it is.\n"
        ),
        PasswordMailKind::Invitation => {
            let invites_to = link.invites_to.as_ref();
            let account = invites_to.map_or_else(
                || "a merchant account".to_owned(),
                |merchant_id| format!("the merchant account {merchant_id}"),
            );
            format!(
                "You are invited to {account}.\n\
                 To accept, choose a password: it takes the place of any that this address had here.\n\n{way}\n\
                 It can be used once, within seven days.\n"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_again_with_growing_pauses_and_given_up() {
        let now = Timestamp::EPOCH;
        let pauses: Vec<Option<i64>> = (0..=7)
            .map(|tries| next_try(tries, now).map(|next| next.seconds_since(now)))
            .collect();
        let some = |seconds| Some(seconds);
        assert_eq!(
            pauses,
            [
                None,
                some(30),
                some(120),
                some(600),
                some(1_800),
                some(3_600),
                None,
                None
            ]
        );
    }

    #[test]
    fn the_text_of_the_mail() {
        let mail = |kind, accounts: &[Option<&str>], page| {
            let to = Email::parse("ada@books.example").expect("an address");
            let link = |(number, account): (usize, &Option<&str>)| MailLink {
                token: SecretText::new(format!("pwl_{}", number + 1)),
                invites_to: account.map(|id| MerchantId::parse(id).expect("an id")),
            };
            let links: Vec<MailLink> = accounts.iter().enumerate().map(link).collect();
            password_mail(kind, to, &links, page)
        };
        let reset = mail(
            PasswordMailKind::Reset,
            &[None],
            Some("https://shop.example/password"),
        );
        insta::assert_snapshot!(reset.text.expose(), @r"
        Somebody has asked for another password for your account, most likely you.

        Open this address:

        https://shop.example/password#token=pwl_1

        It can be used once, within an hour. If it was not you, there is nothing to do:
        your password stays what it is.
        ");
        let offers = [Some("bookshop"), None];
        let invitation = mail(PasswordMailKind::Invitation, &offers, None);
        insta::assert_snapshot!(invitation.text.expose(), @r"
        You are invited to the merchant account bookshop.
        To accept, choose a password: it takes the place of any that this address had here.

        This is the token to choose it with:

        pwl_1

        It can be used once, within seven days.

        You are invited to a merchant account.
        To accept, choose a password: it takes the place of any that this address had here.

        This is the token to choose it with:

        pwl_2

        It can be used once, within seven days.
        ");
    }
}
