import { lookup as systemLookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type AddressGuard, hostOf } from "../address/address-guard.ts";
import { shownUrl, unreachable } from "../address/check-url.ts";
import { WebError } from "../web-error.ts";

/** The addresses of a host name; an error with the code `ENOTFOUND` when there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface WebRequest {
  /** Has passed `checkUrl`. */
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal;
}

/**
 * One request and the head of its answer, over a connection of its own. Addresses are judged where the connection is
 * made: what the name resolved to at that moment, all of it, and then the address at the other end. The caller
 * destroys the answer when done with it.
 *
 * @throws WebError `address_refused`, `not_found`, `bad_response`, `network`; on abort the signal's reason
 */
export function exchange(
  { url, method, headers, body, signal }: WebRequest,
  guard: AddressGuard,
  lookup: Lookup = lookupAll,
): Promise<http.IncomingMessage> {
  const host = hostOf(url);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const request = (url.protocol === "https:" ? https : http).request({
    protocol: url.protocol,
    hostname: host,
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: { ...headers, host: url.host },
    // No shared agent: no connection outlives its request, and no proxy of the environment is asked.
    agent: false,
    lookup: guardedLookup(url, guard, lookup),
    maxHeaderSize: maxHeaderBytes,
    signal,
  });
  request.on("error", (error) => reject(signal.aborted ? signal.reason : told(error, url)));
  request.on("response", resolve);
  // Another protocol was not asked for, and nobody would read it.
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    reject(new WebError("bad_response", shownUrl(url.href), `"${url.host}" does not answer in plain HTTP.`));
  });
  // This listener stands before the one that sends the request, so that a refused peer gets no byte.
  request.on("socket", (socket) => {
    socket.once("connect", () => {
      if (!guard.admitsAddress(host, socket.remoteAddress ?? "")) request.destroy(unreachable("address_refused", url));
    });
  });
  request.end(body);
  return promise;
}

const maxHeaderBytes = 64 * 1024;

async function lookupAll(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}

function guardedLookup(url: URL, guard: AddressGuard, lookup: Lookup): LookupFunction {
  const host = hostOf(url);
  const resolveAll = async () => {
    // Read once: what is judged is what is connected to.
    const addresses = [...(await lookup(host))].map((address) => ({ address, family: isIP(address) }));
    if (addresses.length === 0) throw unreachable("not_found", url);
    if (addresses.every(({ address, family }) => family !== 0 && guard.admitsAddress(host, address))) return addresses;
    throw unreachable("address_refused", url);
  };
  return (_hostname, { all }, callback) => {
    resolveAll().then(
      (addresses) => {
        const [{ address, family } = { address: "", family: 0 }] = addresses;
        if (all) callback(null, addresses);
        else callback(null, address, family);
      },
      (error) => callback(error, "", 0),
    );
  };
}

function told(error: NodeJS.ErrnoException, url: URL): WebError {
  if (error instanceof WebError) return error;
  const { code = "" } = error;
  if (unknownName.has(code)) return unreachable("not_found", url);
  const shown = shownUrl(url.href);
  if (code.startsWith("HPE_")) {
    return new WebError("bad_response", shown, `"${url.host}" does not answer in proper HTTP.`, { cause: error });
  }
  const message = `The connection to "${url.host}" failed (${reasonOf(error)}). Try again later, or another source.`;
  return new WebError("network", shown, message, { cause: error });
}

/** The system's code, also where several addresses were tried, or what the error or its cause says in one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return reasonOf(inner);
  return error.message.replace(/\s+/g, " ").trim().slice(0, 200).toWellFormed() || error.name;
}

const unknownName = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"]);
