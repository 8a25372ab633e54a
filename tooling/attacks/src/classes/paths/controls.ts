import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { carryOut, type FileCall, toldBy } from "../../harness/file-calls.ts";
import { callsAbout } from "./disturbed.ts";
import { furnish, hiddenText } from "./guarded-files.ts";
import { unquestioned } from "./later-attack.ts";

export const controls: Attack[] = [
  {
    name: "control: what is not guarded can be read and changed",
    isControl: true,
    async run(place) {
      const options = furnish(place);
      place.put("root/state/plain.txt", `${place.canary} ${hiddenText(place)}\n`);
      chmodSync(join(place.root, "state"), 0o755);
      const told = toldBy(await carryOut(callsAbout("state/plain.txt", place.canary), options));
      return told.includes(hiddenText(place)) && place.text("root/state/plain.txt") === "mine" ? undefined : told;
    },
  },
  {
    name: "control: an ordinary file is written without a question where a rule allows it",
    isControl: true,
    async run(place) {
      const calls: FileCall[] = [{ name: "write", args: { file: "docs/a.md", content: "a" } }];
      const asked = await unquestioned(place, calls, () => place.text("root/docs/a.md") === "a");
      return asked ? undefined : "it was not written";
    },
  },
];
