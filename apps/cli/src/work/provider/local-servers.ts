import { modelServers } from "./known-servers.ts";
import { modelsOf } from "./server-models.ts";

/** A server of this machine that answers, and its models. */
export interface LocalServer {
  readonly provider: string;
  readonly address: string;
  readonly models: readonly string[];
}

/** Milliseconds that a server may take: it is on this machine. */
const patience = 1000;

/**
 * Asks the usual addresses of servers on this machine for their models, all at once and without a key. What does not answer like such
 * a server in a second is left out.
 *
 * @param homes where they are
 */
export async function localServers(homes = usualHomes): Promise<LocalServer[]> {
  const answers = await Promise.all(homes.map((server) => modelsOf(server, patience, {})));
  return answers.flatMap((said) =>
    "models" in said ? [{ provider: said.server, address: said.address, models: said.models }] : [],
  );
}

/** Servers that need no key stand on this machine. */
const usualHomes = modelServers.filter(({ keyVariables }) => keyVariables.length === 0);
