/** The version of this client, which is that of the document. */
export const VERSION = '0.1.0';
