import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { filesBelow } from "../../harness/files-below.ts";
import { openTerminal } from "../../harness/terminal.ts";
import { isRecord } from "./approval-records.ts";
import type { Restart } from "./restarts.ts";

/** `change` says in whose home, with which conversation and with which options somebody goes on. */
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
      await terminal.until(/→.*shell/, from);
      terminal.kill();
      await terminal.ended(5000);
      const approved = (await place.log("c")).filter((event) => isRecord(event) && event.data.status === "approved");
      if (approved.length !== 2) throw new Error(`${approved.length} calls were approved, not 2.`);
      const [whose = "home", conversation = "c", ...options] = await change(place);
      const env = { HOME: join(place.outer, whose) };
      await place.run([], ["--resume", "--conversation", conversation, "--deny", ...options], { env });
      const wrote = filesBelow(place.root).filter((file) => /wanted|pwned/.test(file));
      if (isControl) return wrote.length === 1 ? undefined : "what was approved was not run";
      return wrote.length > 0 ? `ran without a question: ${wrote.join()}` : undefined;
    },
  };
}
