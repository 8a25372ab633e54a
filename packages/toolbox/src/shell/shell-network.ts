import { type HostRules, hostRules, rulesForCall } from "../sandbox/egress/host-rules.ts";
import { ShellError } from "./errors.ts";

/**
 * What commands in a sandbox may reach. `"none"`: nothing. `"full"`: the network as it is, and what listens on this
 * machine. `hosts`: a call names what it needs, and gets it through a proxy: at once what is listed here, anything else
 * after somebody has approved that call.
 */
export type ShellNetwork = "none" | "full" | HostsOption;

export interface HostsOption {
  /**
   * `example.org` (its ports 80 and 443), `example.org:8080`, `*.example.org` (all names below it), `10.0.0.7:5432`. None
   * are admitted with `[]`.
   */
  hosts: readonly string[];
  /** Addresses and ranges that these names may have although they are not public, such as `10.1.0.0/16`. */
  allow?: readonly string[] | undefined;
}

/** @throws ShellError `option_invalid` */
export function networkOf(network: ShellNetwork): "none" | "full" | HostRules {
  if (network === "none" || network === "full") return network;
  return listedHosts("network", network.hosts, network.allow);
}

/**
 * @param option the name of the option that lists them
 * @throws ShellError `option_invalid`
 */
export function listedHosts(option: string, hosts: readonly string[], allow?: readonly string[]): HostRules {
  try {
    return hostRules(hosts, allow);
  } catch (cause) {
    throw new ShellError("option_invalid", "", `${option}: ${messageOf(cause)}`, { cause });
  }
}

/** @throws ShellError `hosts_invalid` */
export function hostsOfCall(command: string, asked: readonly string[], allowed: HostRules) {
  try {
    return rulesForCall(asked, allowed);
  } catch (cause) {
    throw new ShellError("hosts_invalid", command, `The command was not run: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
