"""The version of this client, which is that of the document."""

VERSION = "0.1.0"
