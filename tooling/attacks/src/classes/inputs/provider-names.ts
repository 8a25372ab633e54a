import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { crash } from "./crash.ts";

/** Names that are not providers. */
export const providerNames = [
  "",
  " ",
  ".",
  "..",
  "/",
  "node:fs",
  "fs",
  "data:text/javascript,process.exit(9)",
  "file:///etc/passwd",
  "constructor",
  "__proto__",
  "toString",
  "../../evil",
  "@",
  "@/x",
  "@a/../../evil",
  "evil/../..",
  "evil\u0000",
  "C:\\evil",
  "http://127.0.0.1:9/x.js",
  "a".repeat(5000),
];

export function providerNameAttack(name: string): Attack {
  return {
    name: `provider: ${JSON.stringify(name.slice(0, 40))}`,
    isDear: true,
    async run(place) {
      // This package would be found if the name could lead out of node_modules.
      place.put("evil/package.json", '{"main":"x.cjs"}');
      place.put("evil/x.cjs", `require("fs").writeFileSync(${JSON.stringify(join(place.outer, "pwned"))}, "")`);
      if (name.includes("\u0000")) return undefined;
      const ended = await place.cogency(["run", "hello", "--provider", name, "--model", "m"], {
        cwd: place.put("root/a/b/x").slice(0, -2),
      });
      if (place.text("pwned") !== undefined) return "a package beside was loaded";
      const wrong = crash(ended);
      if (wrong) return wrong;
      return ended.code === 2 ? undefined : `it was not refused: it ended with ${ended.code}`;
    },
  };
}
