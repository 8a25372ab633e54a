import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { git } from "./git.ts";
import { allowed, type ruleScripts } from "./rule-scripts.ts";

export function ruleScriptAttack([name, script]: (typeof ruleScripts)[number]): Attack {
  return {
    name: `script under rules: ${name}`,
    isDear: true,
    async run(place) {
      const { mark, payload } = prepare(place);
      const ended = await runUnderRules(place, script(payload));
      if (existsSync(mark)) return "a program ran that no rule names";
      return ended.isHung ? "it did not end" : undefined;
    },
  };
}

/** A script of commands that rules name runs, so that the attacks could be seen. */
export const ruleScriptControl: Attack = {
  name: "control: a script runs under rules that name each of its commands",
  isControl: true,
  isDear: true,
  async run(place) {
    const { payload, mark } = prepare(place);
    await runUnderRules(place, `echo a | cat && ${payload} 2>&1`, [payload]);
    return existsSync(mark) ? undefined : "the script did not run";
  },
};

function prepare(place: Place): { mark: string; payload: string } {
  mkdirSync(join(place.outer, "outside"));
  const mark = join(place.outer, "outside", "pwned");
  const executable = (path: string) => {
    const file = place.put(path, `#!/bin/sh\n/usr/bin/touch ${mark} || /bin/touch ${mark}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  executable("root/evil/ls");
  executable("root/evil/build.sh");
  chmodSync(place.put("root/build.sh", "#!/bin/sh\nexit 0\n"), 0o755);
  place.put("root/evil.cjs", `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n`);
  const payload = executable("root/payload.sh");
  git(place, ["init", "-q"]);
  return { mark, payload };
}

function runUnderRules(place: Place, command: string, more: readonly string[] = []) {
  const rules = [...allowed, ...more].flatMap((rule) => ["--allow", `shell:${rule}`]);
  const calls = [{ name: "shell", args: { command } }];
  return place.run([calls], ["go", ...rules, "--sandbox", "off"], { timeout: 15_000 });
}
