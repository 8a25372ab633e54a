import { LoginError } from "./login-error.ts";

/** How far away a host is: this machine, a private network, or the internet. */
type Reach = "machine" | "private" | "public";

const distance: Readonly<Record<Reach, number>> = { machine: 0, private: 1, public: 2 };

/**
 * Refuses an address that a server has named and that must not be asked: one without encryption or with credentials, and one that is
 * nearer than the server itself, so that a server of the internet cannot reach into this machine or its network.
 *
 * It sees the name of a host, not its addresses. A name that leads into a private network gains little: without a certificate for that
 * name, no request is sent.
 *
 * @param what begins the message: `The token endpoint`
 * @throws LoginError `wrong_server`
 */
export function checkAddress(what: string, address: string | URL, server: URL): URL {
  const url = URL.parse(String(address));
  if (!url) throw refusal(`${what} is not an address`);
  const shown = `${what} is at ${url.origin === "null" ? url.protocol : url.origin}`;
  const reach = reachOf(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && reach === "machine")) {
    throw refusal(`${shown}, which is not https`);
  }
  if (url.username !== "" || url.password !== "") throw refusal(`${what} has a user or a password in its address`);
  if (distance[reach] < distance[reachOf(server.hostname)]) {
    throw refusal(`${shown}, which is on ${reach === "machine" ? "this machine" : "a private network"}`);
  }
  return url;
}

function refusal(problem: string): LoginError {
  return new LoginError("wrong_server", `${problem}. It was not asked.`);
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return reachOf(hostname) === "machine";
}

function reachOf(hostname: string): Reach {
  const host = hostname.toLowerCase().replace(/\.$/, "");
  if (host.startsWith("[")) return reachOfIPv6(host.slice(1, -1));
  if (host === "localhost" || host.endsWith(".localhost")) return "machine";
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return reachOfIPv4(host.split(".").map(Number));
  const isLocal = !host.includes(".") || /\.(local|internal|intranet|lan|home\.arpa)$/.test(host);
  return isLocal ? "private" : "public";
}

function reachOfIPv4([a = 0, b = 0]: readonly number[]): Reach {
  if (a === 127 || a === 0) return "machine";
  const isPrivate =
    a === 10 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 198 && (b === 18 || b === 19));
  return isPrivate ? "private" : "public";
}

/** `URL` has shortened the address already, and written an IPv4 address in it as two numbers. */
function reachOfIPv6(address: string): Reach {
  if (address === "::1" || address === "::") return "machine";
  const embedded = /^(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (embedded) {
    const [high = 0, low = 0] = embedded.slice(1).map((part) => Number.parseInt(part, 16));
    return reachOfIPv4([high >> 8, high & 255, low >> 8, low & 255]);
  }
  return /^(f[cd]|fe[89a-f]|ff)/.test(address) ? "private" : "public";
}
