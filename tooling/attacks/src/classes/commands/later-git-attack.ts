import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Attack, SkippedError } from "../../harness/attack.ts";
import { git } from "./git.ts";
import type { LaterGitScript } from "./later-git-scripts.ts";
import { printedBy } from "./shell.ts";

export function laterGitAttack([name, prepare, script]: LaterGitScript): Attack {
  return {
    name: `later git: ${name}`,
    isDear: true,
    async run(place) {
      if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
      mkdirSync(join(place.outer, "outside"));
      prepare(place);
      const mark = join(place.outer, "outside", "pwned");
      // The payload can leave its mark only outside of the sandbox, when git runs it later.
      const payload = place.put("root/payload.sh", `#!/bin/sh\ntouch ${mark}\n`);
      chmodSync(payload, 0o755);
      await printedBy(place, script(payload));
      const ranInside = existsSync(mark);
      place.put("root/more.txt", "x");
      for (const args of [["status"], ["add", "more.txt"], ["commit", "-qm", "x"]]) git(place, args);
      if (ranInside) return "a program ran outside of the sandbox at once";
      return existsSync(mark) ? "git ran a program outside of the sandbox later" : undefined;
    },
  };
}
