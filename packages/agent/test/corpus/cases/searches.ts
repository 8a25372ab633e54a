import { nativeDriver } from "../../../src/native.ts";
import { toolSearch } from "../../../src/tool-search.ts";
import type { Case, Scene, Stage } from "../scene.ts";
import { add, block, broken, echo, timed } from "../tools.ts";

const search = (query: string) => block(["find_tools", { query }]);
const native = (name: string, args: object) => {
  const call = { id: "t", name, arguments: JSON.stringify(args) };
  return {
    events: [{ type: "tool_call_delta", index: 0, ...call } as const, { type: "tool_call", ...call } as const],
  };
};

const scenes: Record<string, (stage: Stage) => Scene> = {
  "a search, and a call of what was found": () => ({
    script: [`<think>look</think>${search("add one")}`, block(["add", { to: 1 }]), "Done.<end>"],
  }),
  "two searches beside a call that takes time": () => ({
    script: [
      block(["find_tools", { query: "add" }], ["write", { for: 5, item: "a" }], ["find_tools", { query: "add one" }]),
      block(["add", { to: 1 }], ["echo", { text: "x" }]),
      "Done.<end>",
    ],
    options: { execution: { earlyStart: true } },
  }),
  "a search that finds nothing, then one that finds what is known": () => ({
    script: [search("zebra"), search("add"), search("add"), "One.<end>", search("add"), "Two.<end>"],
    turns: [{ prompt: "one" }, { prompt: "two" }],
  }),
  "native calls of what was found": () => ({
    script: [
      native("find_tools", { query: "add one" }),
      native("call_tool", { name: "add", arguments: { to: 1 } }),
      native("call_tool", { name: "add" }),
      "Done.",
    ],
    options: { driver: nativeDriver() },
    turns: [{ prompt: "one", run: { stream: "token" } }],
  }),
};

export const searchCases: Case[] = Object.entries(scenes).map(([name, open]) => ({
  name,
  scene(stage) {
    const scene = open(stage);
    const tools = [echo, add, broken, ...Object.values(timed(stage))];
    const search = toolSearch({ above: 2, keep: ["write"], limit: 1 });
    const options = { tools, toolSearch: search, ...scene.options };
    // In the turns, so that the process that recovers the conversation has them, too.
    const turns = (scene.turns ?? [{ prompt: "go" }]).map((turn) => ({ ...turn, options }));
    return { ...scene, options, turns };
  },
}));
