import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { trustNow } from "./trusted.ts";

/** How a project stops protecting without a person seeing it. */
export type LostProtection = [name: string, file: "config" | "rules", lose: (place: Place) => unknown];

const protects = {
  config: { readOnly: true, model: "m" },
  rules: { deny: ["write"], allow: ["read"] },
};

export const lostProtections: readonly LostProtection[] = (["config", "rules"] as const).flatMap(
  (file): LostProtection[] => [
    ["the file is emptied", file, (place) => put(place, file, "")],
    ["the file holds nothing", file, (place) => put(place, file, "{}")],
    ["the file is removed", file, (place) => rmSync(join(place.root, `.cogency/${file}.json`))],
    ["the folder is removed", file, (place) => rmSync(join(place.root, ".cogency"), { recursive: true })],
    [
      "the file is a folder",
      file,
      (place) => [rmSync(join(place.root, `.cogency/${file}.json`)), put(place, `${file}.json/x`, "")],
    ],
    ["the file is broken", file, (place) => put(place, file, "{")],
    [
      "the file says the opposite",
      file,
      (place) => put(place, file, file === "config" ? '{"readOnly":false}' : '{"allow":["write"]}'),
    ],
  ],
);

export function lostProtectionAttack([name, file, lose]: LostProtection): Attack {
  return {
    name: `${file} of a trusted project protects no more: ${name}`,
    isDear: true,
    async run(place) {
      place.put("root/.git/HEAD");
      put(place, file, JSON.stringify(protects[file]));
      await trustNow(place);
      lose(place);
      await place.run([[{ name: "write", args: { file: "made.txt", content: "x" } }], "Done."], ["go", "--yes"]);
      return place.text("root/made.txt") === undefined ? undefined : "what was forbidden ran without a question";
    },
  };
}

function put(place: Place, file: string, text: string): void {
  place.put(`root/.cogency/${file.includes(".") ? file : `${file}.json`}`, text);
}
