import type { Attack } from "../../harness/attack.ts";
import { carryOut } from "../../harness/file-calls.ts";
import { made } from "./made-attack.ts";

export const controls: Attack[] = [
  {
    name: "control: without a sandbox a command makes instructions, and that is seen",
    isControl: true,
    isDear: true,
    async run(place) {
      return (await made(place, "mkdir x; echo evil > x/AGENTS.md", "off")) === undefined
        ? "it cannot be seen"
        : undefined;
    },
  },
  {
    name: "control: a command makes a repository without programs, and other files",
    isControl: true,
    isDear: true,
    async run(place) {
      const seen = await made(place, "git init -q y; echo kept > y/a.md");
      if (place.text("root/y/a.md") !== "kept\n") return "the file is gone";
      return seen?.includes("/y/.git") ? undefined : "the repository is gone";
    },
  },
  {
    name: "control: a file that stays as it was shown is overwritten",
    isControl: true,
    async run(place) {
      place.put("root/a.sh", "old");
      const call = { name: "write", args: { file: "a.sh", content: "new", overwrite: true } } as const;
      const approval = { policy: { otherwise: "ask" } as const, approve: async () => true };
      await carryOut([call], { root: place.root, access: "project" }, approval);
      return place.text("root/a.sh") === "new" ? undefined : "it was not overwritten";
    },
  },
];
