import { defineTool, type Tool } from "@cogency/agent";
import { type Kind, resultOf } from "./script.ts";

const texts = (...names: string[]) => ({
  type: "object" as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
  required: names,
});

/** The tools of an agent that works in a folder. Only `read` is called. */
export function toolsOf(kind: Kind): Tool[] {
  const unused = () => {
    throw new Error("The script calls `read` alone.");
  };
  return [
    defineTool({
      name: "read",
      description: "Read a file of the project, and return its text.",
      input: texts("file"),
      annotations: { readOnlyHint: true },
      execute: (args) => resultOf(kind, String((args as { file: string }).file)),
    }),
    defineTool({
      name: "write",
      description: "Write a file of the project. Replaces one that exists.",
      input: texts("file", "content"),
      execute: unused,
    }),
    defineTool({
      name: "shell",
      description: "Run a command in the folder of the project, and return what it prints.",
      input: texts("command"),
      execute: unused,
    }),
  ];
}
