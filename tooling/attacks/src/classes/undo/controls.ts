import type { Attack } from "../../harness/attack.ts";
import { changedFile } from "./changed-file.ts";

export const controls: Attack[] = [
  {
    name: "control: a file that is as the agent left it is restored",
    isControl: true,
    async run(place) {
      const changed = await changedFile(place);
      const { restore } = await changed.plan();
      if (restore.length !== 1) return "it was not planned";
      await changed.restore();
      return place.text("root/docs/a.txt") === "old" ? undefined : "it was not restored";
    },
  },
];
