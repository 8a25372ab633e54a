import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Attack, SkippedError } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { printedBy } from "../commands/shell.ts";
import type { MadePlace } from "./made-places.ts";

/** Nothing that the app or git obeys may be there afterwards that was not before, and what was there is as it was. */
export function madeAttack([name, script]: MadePlace): Attack {
  return {
    name: `a command makes ${name}`,
    isDear: true,
    run: (place) => made(place, script),
  };
}

export async function made(place: Place, script: string, sandbox?: "off"): Promise<string | undefined> {
  if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
  place.put("outside/secret.txt", place.canary);
  place.put("root/.cogency/config.json", "{}");
  place.put("root/docs/team.md", "the person's");
  symlinkSync("docs/team.md", join(place.root, "AGENTS.md"));
  const before = obeyedBelow(place.root);
  await printedBy(place, `exec bash <<'END'\n${script}\nEND`, sandbox && { sandbox });
  execFileSync("chmod", ["-R", "u+rwX", place.root]);
  const after = obeyedBelow(place.root);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return changed.length > 0 ? `obeyed now: ${changed.join(", ")}` : undefined;
}

/** What stands at each place that is obeyed. */
function obeyedBelow(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (/(?:^|\/)(?:\.cogency|AGENTS\.md|\.git)(?:\/|$)/.test(path.slice(root.length)))
      found.set(path, contentOf(path));
  }
  return found;
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  const target = stats.isSymbolicLink() ? readlinkSync(path) : "";
  try {
    return `${target} ${readFileSync(path, "utf8")}`;
  } catch {
    return target;
  }
}
