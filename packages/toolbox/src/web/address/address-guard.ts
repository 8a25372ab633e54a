import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { WebError } from "../web-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** Decides where connections may go. Hosts are given as `hostOf` returns them. */
export interface AddressGuard {
  /** Whether a URL may name this host. Names of an inner network and addresses that are not public need to be allowed. */
  admitsHost(host: string): boolean;
  /** Whether a connection for this host may go to this address. */
  admitsAddress(host: string, address: string): boolean;
}

/**
 * Admits the public internet and everything in `allow`: hosts (with all their addresses), addresses, and ranges such as
 * `10.1.0.0/16`.
 *
 * @throws WebError `option_invalid` for any other entry
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of allow) {
    const range = rangeOf(entry);
    if (range) ranges.push(range);
    else hosts.add(allowedHost(entry));
  }
  const admitsAddress = (host: string, address: string) =>
    hosts.has(host) || ranges.some((range) => isWithin(address, range)) || isPublicAddress(address);
  return {
    admitsAddress,
    admitsHost: (host) => hosts.has(host) || (isIP(host) === 0 ? !isInternalName(host) : admitsAddress(host, host)),
  };
}

/** The host that a URL names: lower case, without the brackets of IPv6 and the dot of the root. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.+$/g, "");
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

function rangeOf(entry: string): Range | undefined {
  if (isIP(entry) === 4) return [ipaddr.parse(entry), 32];
  if (isIP(entry) === 6) return [ipaddr.parse(entry), 128];
  if (!entry.includes("/")) return undefined;
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  throw unusable(entry);
}

function allowedHost(entry: string): string {
  const url = `http://${entry}`;
  if (!/^[^\s/?#@\\:*]+$/.test(entry) || !URL.canParse(url)) throw unusable(entry);
  const host = hostOf(new URL(url));
  // An address in another spelling would count as a host, and all addresses of an allowed host are admitted.
  if (host === "" || isIP(host) !== 0) throw unusable(entry);
  return host;
}

function unusable(entry: string): WebError {
  return new WebError(
    "option_invalid",
    "",
    `"${entry}" cannot be allowed: give a host name ("wiki.corp"), an address ("10.0.0.7") or a range ("10.0.0.0/8").`,
  );
}

function isWithin(address: string, [network, bits]: Range): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === network.kind() && parsed.match(network, bits);
}

/** Whether the host is an address or an inner name, which no public name server can resolve to another place. */
export function isOwnHost(host: string): boolean {
  return isIP(host) !== 0 || isInternalName(host);
}

/** Inner names: those without a dot, and the zones reserved for the own machine and network. */
function isInternalName(host: string): boolean {
  return !host.includes(".") || internalZones.some((zone) => host.endsWith(zone));
}

const internalZones = [".localhost", ".local", ".internal", ".home.arpa"];
