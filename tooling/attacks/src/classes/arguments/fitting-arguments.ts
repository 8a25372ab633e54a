import type { JsonObject } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { recallTool, toolbox } from "@cogency/toolbox";
import { searchTool } from "@cogency/toolbox/web";
import { createExecutor, createRegistry, type Tool } from "@cogency/tools";
import type { Attack } from "../../harness/attack.ts";

export const fittingArguments: Record<string, JsonObject> = {
  read: { file: "notes.txt" },
  write: { file: "new.txt", content: "x" },
  edit: { file: "notes.txt", edits: [{ old: "hello", new: "bye" }] },
  list: { path: "." },
  find: { content: "hello" },
  replace: { find: "hello", with: "bye" },
  shell: { command: "touch ran.txt" },
  search: { query: "bread" },
  recall: { query: "bread" },
};

export async function allTools(root: string): Promise<Tool[]> {
  const tools = await toolbox({
    root,
    access: "project",
    include: ["read", "write", "edit", "list", "find", "replace", "shell"],
  });
  const search = searchTool({ name: "spy", search: async () => [] });
  return [...tools, search, recallTool({ store: memoryStore() })];
}

export const fittingCalls: Attack[] = Object.keys(fittingArguments).map((tool) => ({
  name: `control: ${tool} with what it knows`,
  isControl: true,
  async run(place) {
    place.put("root/notes.txt", "hello\nworld\n");
    const executor = createExecutor({
      registry: createRegistry(await allTools(place.root)),
      approval: { policy: () => "allow", approve: async () => true },
    });
    const [execution] = await executor.run([{ name: tool, args: fittingArguments[tool] ?? {} }], { conversation: "c" });
    return execution?.started ? undefined : `it did not run: ${execution?.error?.message}`;
  },
}));
