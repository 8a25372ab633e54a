import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";

export interface PublicCall {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** What the value, or the media type of what is attached, has to hold. */
  readonly holds: RegExp;
}

/** Calls of servers of others, in an order in which later ones see what earlier ones did. */
export function publicCalls(folder: string): readonly PublicCall[] {
  const note = join(folder, "note.txt");
  const plant = { name: "fern", entityType: "plant", observations: ["likes shade"] };
  const thought = { thought: "One is enough.", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  return [
    { server: "everything", tool: "echo", args: { message: "grün" }, holds: /grün/ },
    { server: "everything", tool: "get-sum", args: { a: 2, b: 3 }, holds: /\b5\b/ },
    { server: "everything", tool: "get-tiny-image", args: {}, holds: /image\/png/ },
    { server: "everything", tool: "get-structured-content", args: { location: "Chicago" }, holds: /"temperature":/ },
    { server: "everything", tool: "get-resource-links", args: { count: 2 }, holds: /demo:\/\// },
    {
      server: "everything",
      tool: "trigger-long-running-operation",
      args: { duration: 1, steps: 4 },
      holds: /completed/i,
    },
    { server: "files", tool: "read_text_file", args: { path: note }, holds: /water the plants/ },
    { server: "files", tool: "write_file", args: { path: note, content: "done\n" }, holds: /wrote/i },
    { server: "files", tool: "list_directory", args: { path: folder }, holds: /note\.txt/ },
    { server: "memory", tool: "create_entities", args: { entities: [plant] }, holds: /fern/ },
    { server: "memory", tool: "search_nodes", args: { query: "shade" }, holds: /likes shade/ },
    { server: "thinking", tool: "sequentialthinking", args: thought, holds: /"thoughtHistoryLength":1/ },
  ];
}
