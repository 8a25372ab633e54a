import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { type Agent, createAgent } from "@cogency/agent";
import type { ModelEvent, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import type { AgentDefinition } from "../../src/agent-definition.ts";
import { subagents } from "../../src/subagents.ts";
import { block, give } from "../support/play.ts";

export const conversation = "c";

/** Called where a process may be killed. */
export type Mark = (name: string) => void;

type Call = [name: string, args?: object];

/** What each model calls, block by block. Each item is named once. */
type Plan = Readonly<Record<string, readonly Call[][]>>;

/** Agents down to depth 3, two of them beside each other. */
const deep: Plan = {
  root: [[give("outer", "do outer"), give("side", "do side")]],
  outer: [[give("middle", "do middle")], [["pay", { item: "item-1" }]]],
  middle: [[give("inner", "do inner")]],
  inner: [[["pay", { item: "item-2" }]], [["pay", { item: "item-3" }]]],
  side: [[["pay", { item: "item-4" }]]],
};

const twenty = Array.from({ length: 20 }, (_, index) => `worker${index + 1}`);

/** Twenty agents at once. */
const wide: Plan = {
  root: [twenty.map((name) => give(name, `do ${name}`))],
  ...Object.fromEntries(twenty.map((name, index) => [name, [[["pay", { item: `item-${index + 101}` }]]] as Call[][]])),
};

const plans = { deep, wide };
export type PlanName = keyof typeof plans;

/** What is paid, each once. */
export function itemsOf(plan: PlanName): string[] {
  return Object.values<readonly Call[][]>(plans[plan])
    .flat(2)
    .flatMap(([, args]) => (args as { item?: string }).item ?? []);
}

export function agentsOf(plan: PlanName): string[] {
  return Object.keys(plans[plan]).filter((name) => name !== "root");
}

/** The agent of the task. The lines of the file `effects` are items: one for each time that a payment took effect. */
export function agentOf(store: Store, effects: string, plan: PlanName, mark: Mark): Agent {
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    execute({ item }) {
      mark(`before the payment of ${item}`);
      appendFileSync(effects, `${item}\n`);
      mark(`after the payment of ${item}`);
      return `paid ${item}`;
    },
  });
  const definitions = agentsOf(plan).map(
    (name): AgentDefinition => ({ name, description: name, instructions: `You are ${name}.` }),
  );
  return createAgent({
    provider: modelOf(plans[plan], mark),
    instructions: "You are root.",
    tools: [pay],
    store: marked(store, mark),
    keyRing: createKeyRing(["a ring that all processes have in common"]),
    // Nobody can say whether another machine is gone.
    lease: { ttl: 1000 },
  }).use(subagents(definitions)) as unknown as Agent;
}

/** Goes on by what its request shows, in any process. */
function modelOf(plan: Plan, mark: Mark): Provider {
  return {
    name: "planner",
    model: "planner-1",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream({ system = "", messages }): AsyncGenerator<ModelEvent> {
      const [, name = ""] = /You are (\w+)\./.exec(system) ?? [];
      mark(`before an answer of ${name}`);
      const said = messages.filter(({ role }) => role === "assistant").map((message) => JSON.stringify(message));
      const next = plan[name]?.find(([first]) => !said.some((text) => text.includes(keyOf(first))));
      yield { type: "text", text: next ? block(...next) : `${name} is done.<end>` };
      mark(`within an answer of ${name}`);
      yield { type: "finish", reason: "stop" };
    },
  };
}

function keyOf([, args = {}]: Call = [""]): string {
  const { item, agent } = args as { item?: string; agent?: string };
  return item ?? `do ${agent}`;
}

/** The store, with a mark before and after everything that is written. */
function marked(store: Store, mark: Mark): Store {
  const around =
    <Args extends unknown[], T>(name: string, work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      mark(`before ${name}`);
      const value = await work(...args);
      mark(`after ${name}`);
      return value;
    };
  return new Proxy(store, {
    get(target, property) {
      const value = Reflect.get(target, property);
      if (typeof value !== "function") return value;
      const method = value.bind(target);
      return property === "append" || property === "post" || property === "lease" ? around(property, method) : method;
    },
  });
}

export function linesIn(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
