import { createAgent, protocolDriver } from "@cogency/agent";
import type { Driver } from "@cogency/agent/driver";
import { nativeDriver } from "@cogency/agent/native";
import { formatCalls, type ToolCall } from "@cogency/protocol";
import type { ReplyPart } from "@cogency/provider/testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import { filler } from "../conversation/filler.ts";
import { toolsOf } from "../conversation/tools.ts";
import { ScriptedModel } from "../servers/scripted-model.ts";
import { ways } from "../ways.ts";

/** What a model writes to each request of a scene. */
interface Scene {
  readonly replies: readonly (readonly ReplyPart[])[];
  readonly options?: Omit<Parameters<typeof createAgent>[0], "provider">;
  /** Words that a person sends to the run before its first call. */
  readonly steer?: string;
  /** A text that the last request holds. */
  readonly holds: string;
}

const text = (content: string): ReplyPart => ({ type: "text", text: content });
const reads = (count: number, step: number): ToolCall[] =>
  Array.from({ length: count }, (_, index) => ({ name: "read", args: { file: `${step}-${index}` } }));
const block = (count: number, step: number) => [text(formatCalls(reads(count, step)))];
const native = (count: number, step: number) =>
  reads(count, step).map(
    ({ name, args }, index): ReplyPart => ({
      type: "call",
      id: `c${step}_${index}`,
      name,
      pieces: [JSON.stringify(args)],
    }),
  );
const [done, over] = [[text("Done.<end>")], [text("That is all.<end>")]];

const scenes: readonly [name: string, driver: () => Driver, scene: Scene][] = [
  [
    "12 calls at once",
    protocolDriver,
    { holds: "contents of 1-11", replies: [block(12, 0), block(12, 1), done, block(2, 2), over] },
  ],
  [
    "12 native calls at once",
    nativeDriver,
    { holds: "contents of 1-11", replies: [native(12, 0), native(12, 1), done, native(2, 2), over] },
  ],
  [
    "a refused block",
    protocolDriver,
    { holds: "block is not valid", replies: [[text("Look.\n<execute>[{bad]</execute>")], block(1, 1), done, over] },
  ],
  [
    "arguments that are no JSON",
    nativeDriver,
    {
      holds: "refused",
      replies: [[{ type: "call", id: "c", name: "read", pieces: ["{bad"] }], native(1, 1), done, over],
    },
  ],
  [
    "a call that fails",
    protocolDriver,
    { holds: "failure", replies: [[text(formatCalls([{ name: "shell", args: { command: "ls" } }]))], done, over] },
  ],
  [
    "an answer without words",
    protocolDriver,
    { holds: "neither an answer nor tool calls", replies: [[text("")], [text("<think>hm</think>")], done, over] },
  ],
  [
    "few steps that are left",
    protocolDriver,
    { holds: "steps", options: { budget: { steps: 5 } }, replies: [block(1, 0), block(1, 1), block(1, 2), done, over] },
  ],
  [
    "words between two steps",
    protocolDriver,
    { steer: "And be quick.", holds: "And be quick.", replies: [block(1, 0), block(1, 1), done, over] },
  ],
  [
    "a call that a person allows",
    protocolDriver,
    {
      holds: "contents of 1-0",
      options: { execution: { approval: { policy: () => "ask", approve: async () => true } } },
      replies: [block(1, 0), done, block(1, 1), over],
    },
  ],
];

describe.each(scenes)("a conversation with %s", (_name, driver, scene) => {
  it("reads from a cache with marks all that the request before it held", async () => {
    const model = await played(driver(), scene);
    expect(model.exchanges).toHaveLength(scene.replies.length);
    const inputs = model.exchanges.map(({ input }) => input);
    expect(model.exchanges.map(({ cached }) => cached)).toEqual([0, ...inputs.slice(0, -1)]);
    const said = model.exchanges.at(-1)?.asked.sections.filter(({ kind }) => kind !== "system");
    expect(JSON.stringify(said)).toContain(scene.holds);
  });
});

/** Two prompts, and the requests that they led to. */
async function played(driver: Driver, { replies, options, steer }: Scene): Promise<ScriptedModel> {
  const model = new ScriptedModel(
    ways.marked.cache(),
    (index, usage) => replies[index] && { parts: replies[index], usage, finish: "stop" },
  );
  const server = await ways.marked.serve(model);
  onTestFinished(() => server.close());
  let words = steer;
  const agent = createAgent({
    provider: ways.marked.provider(server.url),
    driver,
    tools: toolsOf("chat"),
    instructions: filler("You work", 4_500),
    hooks: [
      {
        name: "steer",
        async beforeToolUse() {
          if (words !== undefined) await agent.send({ conversation: "c" }, { kind: "steer", content: words });
          words = undefined;
        },
      },
    ],
    ...options,
  });
  for (const prompt of ["Read them.", "And now?"]) {
    const { status, error } = await agent.ask(prompt, { conversation: "c" });
    expect({ status, error }).toEqual({ status: "completed", error: undefined });
  }
  return model;
}
