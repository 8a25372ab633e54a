import { lookup as systemLookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { longestTimer } from "@cogency/async";
import { type AddressGuard, hostOf } from "../address/address-guard.ts";
import { shownUrl, unreachable } from "../address/check-url.ts";
import { WebError } from "../web-error.ts";

/** Returns the addresses of a host name. Rejects with the code `ENOTFOUND` if there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface WebRequest {
  /** Must have passed `checkUrl`. */
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | undefined;
  signal: AbortSignal;
}

/**
 * Sends one request over a connection of its own, and resolves to the head of the answer. Addresses are checked when the
 * connection is made: all addresses that the name resolves to, and then the address at the other end. The caller must destroy
 * the answer.
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
    // Without a shared agent, no connection outlives its request and no proxy of the environment is used.
    agent: false,
    lookup: guardedLookup(url, guard, lookup),
    maxHeaderSize: maxHeaderBytes,
    signal,
  });
  request.on("error", (error) => reject(signal.aborted ? signal.reason : asWebError(error, url)));
  request.on("response", resolve);
  // The request did not ask for another protocol, and nothing would read it.
  request.on("upgrade", (_, socket) => {
    socket.destroy();
    reject(new WebError("bad_response", shownUrl(url.href), `"${url.host}" does not answer in plain HTTP.`));
  });
  // This listener runs before the one that sends the request, so a refused peer gets no byte.
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
    // Copied once, so that the checked addresses are the ones that are used.
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

function asWebError(error: NodeJS.ErrnoException, url: URL): WebError {
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

/** The system's error code, also if several addresses were tried; else the message of the error or its cause in one line. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  if (inner instanceof Error) return reasonOf(inner);
  return error.message.replace(/\s+/g, " ").trim().slice(0, 200).toWellFormed() || error.name;
}

const unknownName = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"]);

/** The seconds in a `retry-after` header, which holds seconds or a date. */
export function secondsToWait(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** It does not imitate a browser, so that servers can refuse it. */
export const userAgent = "cogency-toolbox (tool of a language model agent)";

/** @throws WebError `option_invalid` */
export function checkLimits(limits: Record<string, number>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value > 0 && value <= longestTimer) continue;
    const message = `${name} is ${value}; give a number above zero and at most ${longestTimer}.`;
    throw new WebError("option_invalid", "", message);
  }
}
