"""The words that the document doesn't spell out."""

from __future__ import annotations

import json
from pathlib import Path

_SHARED = json.loads((Path(__file__).parents[2] / "names.json").read_text())

# The beginnings of operation ids. The longest that fits is the resource; the rest of the id is the method.
RESOURCES: list[str] = _SHARED["resources"]
# Lists by cursor: the parameter for the next page, for the page before it, and the member of an item that it takes.
CURSORS: dict[str, dict[str, str]] = _SHARED["cursors"]
# Operations with a limit whose answer is one page: the saved methods of one customer, and portions of the audit log.
UNPAGED: list[str] = _SHARED["unpaged"]

# Members that no `repr` shows, beside those that the document calls secret. A name without an object is meant everywhere.
SECRETS = frozenset(
    {
        "client_secret",
        "open_banking_session_token",
        "password_token",
        "payment_response_hash_key",
        "recovery_codes",
        "sdk_authorization",
        "secret",
        "ApiKeyCreated.api_key",
        "ConnectorAccountDetailsRequest.auth_key_map",
        "KeysRotateRequest.next_master_key",
        "MerchantConnectorCredentials.connector_account_details",
        "OidcBegun.token",
        "SavedBankTransfer.bank_account_number",
        "SavedBankTransfer.iban",
        "SavedBankTransfer.pix_key",
        "SavedBankTransfer.tax_id",
        "SdkSecrets.display",
        "SdkSecrets.payment",
        "SessionToken.session_token",
        "TwoFactorBegun.totp_url",
        "UserToken.token",
        "VaultDetails.vault_data",
    }
)
