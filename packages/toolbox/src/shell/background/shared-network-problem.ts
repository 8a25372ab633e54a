import { findIsolation } from "../../sandbox/bubblewrap.ts";
import { openPrivateNetwork } from "../../sandbox/network/private-network.ts";

/**
 * Returns why commands in a sandbox cannot share a network on this machine, so that none reaches what another one in the background
 * listens on; undefined if they can. It makes such a network and removes it.
 */
export async function sharedNetworkProblem(): Promise<string | undefined> {
  const isolation = findIsolation();
  if (!isolation.isolated) return isolation.problem;
  try {
    (await openPrivateNetwork(isolation)).close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
