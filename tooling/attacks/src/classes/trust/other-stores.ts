import { dirname } from "node:path";
import type { Attack } from "../../harness/attack.ts";

/** A store that is in use while the usual one lies in the root as well. */
export type OtherStore = [name: string, args: readonly string[]];

export const otherStores: readonly OtherStore[] = [
  ["--ephemeral", ["--ephemeral"]],
  ["another --store", ["--store", "other.db"]],
];

const own = [".cogency/cogency.db", ".cogency/undo/copy", ".cogency/prompts.jsonl", ".config/cogency/trusted.json"];

export function otherStoreAttack([name, args]: OtherStore): Attack {
  return {
    name: `with ${name}, a root that holds the home folder shows the usual store`,
    isDear: true,
    async run(place) {
      const secret = [...place.canary].reverse().join("");
      for (const file of own) place.put(`home/${file}`, secret);
      place.put("home/.config/cogency/trusted.json", JSON.stringify({ folders: {}, note: secret }));
      const calls = [
        ...own.map((file) => ({ name: "read", args: { file } })),
        ...own.map((file) => ({ name: "shell", args: { command: `cat ${file}` } })),
        { name: "find", args: { content: secret.slice(0, 12), path: ".", ignored: true } },
        { name: "shell", args: { command: `grep -r ${secret.slice(0, 12)} ${dirname(own[0] ?? "")} .config` } },
      ];
      const { stdout } = await place.run(
        [...calls.map((call) => [call]), "Done."],
        ["go", "--json", "--allow", "shell", "--yes", ...args],
        {
          cwd: place.home,
        },
      );
      if (!stdout.includes('"type":"result"')) throw new Error("The calls were not made.");
      return stdout.includes(secret) ? "the usual store was read" : undefined;
    },
  };
}
