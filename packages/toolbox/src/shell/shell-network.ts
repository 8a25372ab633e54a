import { type HostRules, hostRules, rulesForCall } from "../sandbox/egress/host-rules.ts";
import { ShellError } from "./errors.ts";

/**
 * The network of commands in a sandbox. `"none"`: no network. `"full"`: the network of this machine, including its own
 * services. `hosts`: a call names the hosts that it needs and reaches them through a proxy; listed hosts at once, others only
 * after a person approved that call.
 */
export type ShellNetwork = "none" | "full" | HostsOption;

export interface HostsOption {
  /**
   * `example.org` (its ports 80 and 443), `example.org:8080`, `*.example.org` (all names below it), `10.0.0.7:5432`. With
   * `[]` every host needs approval.
   */
  hosts: readonly string[];
  /** Addresses and ranges that the listed names may resolve to although they are not public, such as `10.1.0.0/16`. */
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
