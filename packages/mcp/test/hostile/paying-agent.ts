import { fileURLToPath } from "node:url";
import { createAgent } from "@cogency/agent";
import { type ScriptStep, scriptedDriver } from "@cogency/agent/scripted";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { mcp } from "../../src/index.ts";
import { program } from "../../src/node/index.ts";

export interface PayingAgentFiles {
  /** The store. */
  readonly database: string;
  /** Gets a line for each call that reaches the server. */
  readonly calls: string;
  /** Gets the id of each process of the server. */
  readonly pids: string;
}

/** An agent with a store in a file and a server that is a program, whose first call of each tool never ends. */
export async function payingAgent(
  { database, calls, pids }: PayingAgentFiles,
  steps: readonly (ScriptStep | string)[],
) {
  const file = fileURLToPath(new URL("program.ts", import.meta.url));
  const servers = mcp({
    servers: {
      bank: {
        connector: program({ command: process.execPath, args: [file, "calls", calls, pids] }),
        approval: { "*": "allow" },
      },
    },
  });
  const store = await sqliteStore({ path: database });
  const script = scriptedDriver(steps);
  const agent = createAgent({
    driver: script.driver,
    provider: script.provider,
    store,
    keyRing: createKeyRing(["a secret of thirty-two characters"]),
    lease: { isGone: () => true },
  }).use(servers);
  // A run waits 2 seconds for its servers, and this machine may take longer to start one.
  await servers.connect();
  return {
    agent,
    store,
    servers,
    async close() {
      await servers.close();
      await store.close();
    },
  };
}
