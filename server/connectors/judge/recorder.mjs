// A server with TLS under any name, which clients reach through a proxy. It records a request and gives the answer that it was told.

import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net from "node:net";

export class Recorder {
  // Starts with a certificate and its key, in PEM.
  static async start(certificate, key) {
    const recorder = new Recorder();
    const server = https.createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => recorder.serve(request, response));
    const inner = await listen(server);
    const proxy = http.createServer((_, response) => response.writeHead(405).end());
    // Whatever host a client asks for, it reaches the recorder: nothing leaves this machine.
    proxy.on("connect", (_, client) => {
      const upstream = net.connect(inner, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
      const end = () => (client.destroy(), upstream.destroy());
      upstream.on("error", end);
      client.on("error", end);
    });
    recorder.port = await listen(proxy);
    recorder.close = () => (server.closeAllConnections(), server.close(), proxy.closeAllConnections(), proxy.close());
    return recorder;
  }

  // Calls a client and returns its requests, and what it made of the answer.
  async record(status, answer, call) {
    this.reply = { status, answer };
    this.requests = [];
    let accepts = true;
    let error;
    try {
      await call();
    } catch (thrown) {
      accepts = false;
      error = thrown;
    }
    return { requests: this.requests, accepts, error };
  }

  async serve(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url, `https://${request.headers.host}`);
    this.requests.push({ method: request.method, origin: url.origin, path: url.pathname, query: url.search.slice(1), headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(this.reply.status, { "content-type": "application/json" });
    response.end(this.reply.answer === null ? "" : JSON.stringify(this.reply.answer));
  }
}

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
