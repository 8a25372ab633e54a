import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether an address belongs to the public internet. Everything else is refused: loopback, private, link-local,
 * carrier-grade NAT, multicast, reserved and documentation ranges, and IPv6 addresses that carry an IPv4 one
 * (mapped, compatible, 6to4, NAT64, Teredo), which lead wherever that one leads.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast" || hostServices.has(parsed.toString())) return false;
  return parsed.kind() === "ipv4" || isGlobalUnicast(parsed as ipaddr.IPv6);
}

/** Azure gives every machine its settings and keys at this address, which looks public. */
const hostServices = new Set(["168.63.129.16"]);

/** 2000::/3, the only assigned part of IPv6 (RFC 4291). The library's `unicast` includes unassigned ranges. */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return address.match(globalUnicast, 3);
}

const globalUnicast = ipaddr.IPv6.parse("2000::");
