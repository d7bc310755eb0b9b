/** Sends the browser to a page of another site. Only addresses of the web are followed. */
export function leaveFor(address: string): void {
    if (!/^https?:$/.test(new URL(address).protocol)) throw new TypeError('the address is no web page');
    window.location.assign(address);
}
