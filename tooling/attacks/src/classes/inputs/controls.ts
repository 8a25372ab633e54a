import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { event, file, header } from "./export-lines.ts";
import { putPackage } from "./stranger-packages.ts";

export const controls: Attack[] = [
  {
    name: "control: an honest export is imported",
    isControl: true,
    isDear: true,
    async run(place) {
      const { code, stderr } = await place.cogency([
        "history",
        "import",
        place.put("gift.jsonl", file(header(), event({}))),
      ]);
      return code === 0 ? undefined : stderr;
    },
  },
  {
    name: "control: one's own package is loaded",
    isControl: true,
    isDear: true,
    async run(place) {
      const cwd = place.put("root/work/x").slice(0, -2);
      const name = putPackage(place, "root/work/node_modules/gemini", join(place.outer, "pwned"));
      const { stderr } = await place.cogency(["run", "hello", "--provider", name], { cwd });
      return place.text("pwned") === undefined ? `it was not loaded: ${stderr}` : undefined;
    },
  },
];
