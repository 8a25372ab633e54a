import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgent, protocolDriver } from "@cogency/agent";
import { formatCalls, type ToolCall, type ToolResult } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { toolbox } from "@cogency/toolbox";

/** A task of a coding benchmark: files to write until a command succeeds. */
export interface Exercise {
  name: string;
  /** Its folder, below the root. */
  folder: string;
  /** The file with the task, in the folder. */
  instructions: string;
  /** What a model that can solve it writes, by path in the folder. */
  solution: Readonly<Record<string, string>>;
  /** Runs the tests, in the folder. */
  test: string;
}

export interface Solved {
  /** Whether the tests failed before anything was written. */
  failedBefore: boolean;
  /** Whether they succeed afterwards. */
  passes: boolean;
  /** Whether every file holds the solution byte for byte. */
  isExact: boolean;
  /** What the last command printed, or why it failed. */
  output: string;
  steps: number;
  answer: string;
}

/**
 * Solves an exercise as an agent does, with a model that knows the answer: it reads the task, runs the tests, writes the files and
 * runs the tests again, all through the tools. Commands run in the sandbox.
 */
export async function solve(root: string, exercise: Exercise, dialect: "json" | "xml" = "json"): Promise<Solved> {
  const { name, folder, instructions, solution, test } = exercise;
  const run: ToolCall = { name: "shell", args: { command: test, cwd: folder } };
  const writes = Object.entries(solution).map(
    ([file, content]): ToolCall => ({
      name: "write",
      args: { file: join(folder, file), content, overwrite: true },
    }),
  );
  // As a model writes JSON: nothing of the protocol is escaped in it.
  const block = (calls: readonly ToolCall[]) =>
    dialect === "xml" ? formatCalls(calls, { dialect }) : `<execute>${JSON.stringify(calls)}</execute>`;
  const steps: ScriptedStep[] = [
    `<think>First the task.</think>${block([
      { name: "read", args: { file: join(folder, instructions) } },
      { name: "list", args: { path: folder } },
    ])}`,
    `<think>What do the tests say?</think>${block([run])}`,
    `Now I write it.${block(writes)}`,
    `<think>Does it pass?</think>${block([run])}`,
    "That is what the tests say.<end>",
  ];
  const results: ToolResult[] = [];
  const agent = createAgent({
    provider: scripted(steps, { chunkSize: 7 }),
    driver: protocolDriver({ dialect }),
    store: memoryStore(),
    tools: await toolbox({ root, access: "project", shell: { sandbox: "required" } }),
    budget: { seconds: 600 },
    execution: { approval: { policy: () => "allow_anyway" } },
  });
  const { text, steps: count } = await agent.run(`Solve ${name}.`, {
    on: (event) => {
      if (event.type === "tool_ended") results.push(event.result);
    },
  }).result;
  const [before, after] = results.filter(({ tool }) => tool === "shell");
  const written = await Promise.all(
    Object.entries(solution).map(
      async ([file, content]) => (await readFile(join(root, folder, file), "utf8").catch(() => undefined)) === content,
    ),
  );
  return {
    failedBefore: before?.status === "failure",
    passes: after?.status === "success",
    isExact: written.every(Boolean),
    output: JSON.stringify(after?.content),
    steps: count,
    answer: text,
  };
}
