import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry } from "@cogency/tools";
import type { Attack } from "../../harness/attack.ts";
import type { Random } from "../../harness/random.ts";
import { allTools, fittingArguments } from "./fitting-arguments.ts";

/** Makes a call with an argument that its tool does not know. The tool must not begin. */
export function unknownNameAttack(tool: string, text: string): Attack {
  return {
    name: `${tool} with ${text}`,
    async run(place) {
      place.put("root/notes.txt", "hello\nworld\n");
      place.put("root/src/a.txt", "hello\n");
      const args = { ...fittingArguments[tool], ...JSON.parse(text) } as JsonObject;
      // A spread does not copy a key named __proto__ as a key.
      if (text.includes("__proto__") && !text.includes("edits")) {
        Object.defineProperty(args, "__proto__", { value: { overwrite: true }, enumerable: true });
      }
      const started: string[] = [];
      const executor = createExecutor({
        registry: createRegistry(await allTools(place.root)),
        approval: { policy: () => "allow", approve: async () => true },
      });
      await executor.run([{ name: tool, args }], {
        conversation: "c",
        journal: { question() {}, approval() {}, finished() {}, started: ({ name }) => void started.push(name) },
      });
      return started.length > 0 ? `${started.join()} ran, and the name was dropped` : undefined;
    },
  };
}

/** Adds, drops or changes a letter in the name of a known argument. */
export function generatedNameAttack(random: Random): Attack {
  const tool = random.pick(["read", "write", "list", "find", "replace", "shell"]);
  const own: Record<string, string[]> = {
    read: ["from", "lines", "column"],
    write: ["overwrite"],
    list: ["depth", "pattern"],
    find: ["regex", "ignoreCase", "pattern", "ignored"],
    replace: ["regex", "ignoreCase", "pattern", "dryRun", "ignored"],
    shell: ["timeout"],
  };
  const name = random.pick(own[tool] ?? [""]);
  const at = random.below(name.length);
  const near = random.pick([
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + random.word(1) + name.slice(at),
    name.slice(0, at) + name.slice(at).toUpperCase(),
    `${name}s`,
    `${name}\u00ad`,
    name.slice(0, at) + random.pick(["\u200d", "\ufeff", "_", "-", "."]) + name.slice(at),
  ]);
  const value = random.pick([true, 1, "x"]);
  return unknownNameAttack(tool, JSON.stringify({ [own[tool]?.includes(near) ? `${near}${near}` : near]: value }));
}
