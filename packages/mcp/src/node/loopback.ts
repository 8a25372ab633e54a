import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { callback, checkOptions, required, whole } from "@cogency/protocol/options";
import type { Consent, ConsentOptions } from "../client/auth/consent.ts";
import { LoginError } from "../client/auth/login-error.ts";

export interface LoopbackOptions {
  /** Shows the page of the login to the person: opens a browser, or prints the address. */
  open(address: URL): void | Promise<void>;
  /** Where the person comes back to: a port of 127.0.0.1, for a program that the server knows by this address. Defaults to a free one. */
  port?: number | undefined;
  /** Milliseconds that the person has. Defaults to 300,000. */
  timeout?: number | undefined;
}

/** Listens until it has been used once, or is closed. */
export interface Loopback extends Consent, AsyncDisposable {
  close(): Promise<void>;
}

/**
 * Waits on 127.0.0.1 for the browser of a person who logs in. It takes one answer, the one with the right `state`; each other request gets
 * an error page, and changes nothing.
 *
 * @throws LoginError `unreachable` if the port is in use
 */
export async function loopback(options: LoopbackOptions): Promise<Loopback> {
  checkOptions<LoopbackOptions>("loopback", options, {
    open: required(callback),
    port: whole(1, 65_535),
    timeout: whole(1),
  });
  const { open, port = 0, timeout = 300_000 } = options;
  let take: ((query: URLSearchParams) => boolean) | undefined;
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, (request, response) => {
    const url = URL.parse(`http://127.0.0.1${request.url}`);
    if (!isOwnHost(request.headers.host, server.address() as AddressInfo | null))
      return answer(response, 421, elsewhere);
    if (request.method !== "GET" || url?.pathname !== path) return answer(response, 404, elsewhere);
    const isTaken = take?.(url.searchParams) === true;
    answer(response, isTaken ? 200 : 400, isTaken ? done : elsewhere);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(
        new LoginError("unreachable", `Port ${port} of 127.0.0.1 is in use: the login cannot come back.`, { cause }),
      );
    });
    server.listen(port, "127.0.0.1", resolve);
  });

  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // The page of the person is sent; whoever else is connected does not keep the port.
    const cut = setTimeout(() => server.closeAllConnections(), grace);
    await closed;
    clearTimeout(cut);
  }

  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async authorize(address, { state, signal }: ConsentOptions) {
      try {
        const coming = Promise.withResolvers<URLSearchParams>();
        take = (query) => {
          if (query.get("state") !== state) return false;
          take = undefined;
          coming.resolve(query);
          return true;
        };
        const fail = () => coming.reject(signal.reason);
        signal.addEventListener("abort", fail, { once: true });
        if (signal.aborted) fail();
        const late = setTimeout(() => coming.reject(nobody(timeout)), timeout);
        try {
          await Promise.race([open(address), coming.promise]);
          return await coming.promise;
        } finally {
          clearTimeout(late);
          signal.removeEventListener("abort", fail);
          coming.promise.catch(() => {});
        }
      } finally {
        take = undefined;
        await close();
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const grace = 500;
const path = "/callback";
const done = "The login has come back. You can close this window.";
const elsewhere = "Nothing is here. You can close this window.";

/** A page of another site may ask 127.0.0.1 under a name of its own. */
function isOwnHost(host: string | undefined, address: AddressInfo | null): boolean {
  return host === `127.0.0.1:${address?.port}`;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    })
    .end(`<!doctype html><meta charset="utf-8"><title>Login</title><p>${text}</p>\n`);
}

function nobody(timeout: number): LoginError {
  return new LoginError("expired", `Nobody came back from the browser within ${Math.round(timeout / 1000)} s.`);
}
