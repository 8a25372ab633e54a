import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { Attack } from "../../harness/attack.ts";
import { filesBelow } from "../../harness/files-below.ts";
import type { Place } from "../../harness/place.ts";
import { openTerminal } from "../../harness/terminal.ts";
import { isRecord } from "./approval-records.ts";
import type { Restart } from "./restarts.ts";

/** Kills a run whose calls a person has approved, then resumes it as `change` says: in another home, or with other options. */
export function restartAttack([name, change, isControl]: Restart): Attack {
  return {
    name: `restart: ${name}`,
    isDear: true,
    ...(isControl && { isControl }),
    async run(place) {
      const calls = [
        { name: "shell", args: { command: "sleep 60" } },
        { name: "write", args: { file: "wanted.txt", content: "x" } },
      ];
      const terminal = openTerminal(place, ["run", "go", "--conversation", "c", ...place.model([calls])]);
      let from = 0;
      for (let question = 0; question < 2; question++) {
        if (!(await terminal.until(/\[y\/N/, from))) throw new Error(`No question was put: ${terminal.shown()}`);
        await terminal.idle(150);
        from = terminal.shown().length;
        terminal.type("y\r");
      }
      await firstCallBegan(place);
      terminal.kill();
      await terminal.ended(5000);
      const [whose = "home", conversation = "c", ...options] = await change(place);
      const env = { HOME: join(place.outer, whose) };
      await place.run([], ["--resume", "--conversation", conversation, "--deny", ...options], { env });
      const wrote = filesBelow(place.root).filter((file) => /wanted|pwned/.test(file));
      if (isControl) return wrote.length === 1 ? undefined : "what was approved was not run";
      return wrote.length > 0 ? `ran without a question: ${wrote.join()}` : undefined;
    },
  };
}

/** Resolves when the store says that both calls were approved and the first one has begun. */
async function firstCallBegan(place: Place): Promise<void> {
  let log: LogEvent[] = [];
  for (let look = 0; look < 20; look++) {
    log = await place.log("c");
    const approved = log.filter((event) => isRecord(event) && event.data.status === "approved");
    const hasBegun = log.some((event) => event.type === "record" && event.kind === "started");
    if (approved.length === 2 && hasBegun) return;
  }
  throw new Error(`The calls were not approved, or none began: ${JSON.stringify(log)}`);
}
