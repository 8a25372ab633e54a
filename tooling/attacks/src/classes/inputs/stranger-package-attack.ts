import { join } from "node:path";
import { type Attack, SkippedError } from "../../harness/attack.ts";
import { crash } from "./crash.ts";
import type { StrangerPackage } from "./stranger-packages.ts";

export function strangerPackageAttack([name, prepare]: StrangerPackage): Attack {
  return {
    name: `package: ${name}`,
    isDear: true,
    async run(place) {
      if (process.getuid?.() !== 0) throw new SkippedError("only root can give files to another user");
      const cwd = place.put("root/work/x").slice(0, -2);
      const provider = prepare(place, join(place.outer, "pwned"));
      const ended = await place.cogency(["run", "hello", "--provider", provider], { cwd });
      if (place.text("pwned") !== undefined) return "another user's module was loaded";
      return crash(ended);
    },
  };
}
