import { having, type OptionTable, required } from "@cogency/protocol/options";
import { createDoor } from "../door/door.ts";
import { doorTable } from "../door/door-options.ts";
import type { Bridge, BridgeOptions } from "./bridge.ts";
import { OpenVisit } from "./open-visit.ts";
import { Recoveries } from "./recoveries.ts";

/**
 * Checks the options and makes a bridge.
 *
 * @param name the function that the host calls, for errors
 * @throws as `createHandler`
 */
export function createBridge(name: string, options: BridgeOptions): Bridge {
  const door = createDoor(name, options, table);
  const { agent, store } = options;
  const recoveries = new Recoveries(agent, store);
  const parts = { ...door.settings, agent, store, recoveries };
  return {
    handle: (request, answer, refuse) =>
      door.open(request, async (visitor) => answer(new OpenVisit(parts, visitor)), refuse),
  };
}

const table = {
  ...doorTable,
  agent: required(having("the agent of createAgent", "send", "recover")),
  store: required(having("the store of the agent", "follow", "load", "inbox")),
} satisfies OptionTable<BridgeOptions>;
