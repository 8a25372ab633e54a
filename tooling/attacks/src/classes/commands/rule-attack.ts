import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Attack, SkippedError } from "../../harness/attack.ts";
import { git } from "./git.ts";
import type { Rule } from "./rules.ts";

export function ruleAttack([rule, command]: Rule): Attack {
  return {
    name: `rule: ${rule}`,
    isDear: true,
    async run(place) {
      const program = command("x").split(" ")[0] ?? "";
      if (!program.includes("/") && !isInstalled(program)) throw new SkippedError(`there is no ${program}`);
      mkdirSync(join(place.outer, "outside"));
      const mark = join(place.outer, "outside", "pwned");
      const payload = place.put("root/payload.sh", `#!/bin/sh\ntouch ${mark}\n`);
      chmodSync(payload, 0o755);
      place.put("root/big.txt", "a line of text\n".repeat(2000));
      place.put("root/x.c", "int x;\n");
      place.put("root/mine.py", `import os\nos.system("${payload}")\n`);
      place.put("root/commands.ed", `!${payload}\nq\n`);
      chmodSync(place.put("root/parts/10run", `#!/bin/sh\ntouch ${mark}\n`), 0o755);
      git(place, ["init", "-q"]);
      const off = await place.cogency(["run", "--help"]);
      const sandbox = off.stdout.includes("--sandbox") ? ["--sandbox", "off"] : [];
      const calls = [{ name: "shell", args: { command: command(payload) } }];
      const ended = await place.run([calls], ["go", "--allow", `shell:${rule}`, ...sandbox], { timeout: 15_000 });
      if (existsSync(mark)) return "the program ran another without a question";
      return ended.isHung ? "it did not end" : undefined;
    },
  };
}

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, program)));
}
