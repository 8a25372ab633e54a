import { mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentOptions, createAgent } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { type HookOutcome, type HookProgram, hookPrograms } from "../../src/index.ts";

export const conversation = "c";
const callThenAnswer = ['<execute>[{"name":"act","args":{"what":"a"}}]</execute>', "Done.<end>"];

export const newFolder = async () => realpath(await mkdtemp(join(tmpdir(), "hook-programs-")));

/** An agent with these programs in a folder, whose model plays these steps. `effects` are those of its tools `act` and `other`. */
export function hooked(
  root: string,
  list: readonly HookProgram[],
  steps: readonly ScriptedStep[] = callThenAnswer,
  options: Partial<AgentOptions> = {},
) {
  const effects: string[] = [];
  const acting = (name: string) =>
    defineTool({
      name,
      description: "Acts.",
      input: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
      execute: ({ what }) => {
        effects.push(`${name} ${what}`);
        return `did ${what}`;
      },
    });
  const provider = scripted(steps);
  const store = memoryStore();
  const outcomes: HookOutcome[] = [];
  const agent = createAgent({ provider, store, tools: [acting("act"), acting("other")], ...options }).use(
    hookPrograms(list, { root, onOutcome: (outcome) => void outcomes.push(outcome) }),
  );
  const log = async () => store.load({ conversation });
  /** What the model read beside the prompt, in the last request. */
  const read = () => JSON.stringify(provider.requests.at(-1)?.messages);
  return { agent, provider, effects, outcomes, log, read };
}
