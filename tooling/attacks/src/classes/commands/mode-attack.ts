import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../../harness/attack.ts";
import { changesOf, snapshot } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";
import { git } from "./git.ts";
import type { ModeScript } from "./mode-scripts.ts";

/** Where nothing may change, below the place's own folder. */
const closed = ["outside", "home", "root/.git/hooks", "root/.git/config"];

/** What the app or git would obey at its next start. */
const obeyed = /(?:^|\/)(?:AGENTS\.md|\.cogency\/.+)$/;

/** A script that the app runs without a question in the mode sandboxed. */
export function modeAttack([name, script]: ModeScript): Attack {
  return {
    name: `the mode sandboxed: ${name}`,
    isDear: true,
    run: (place) => reachedInMode(place, script),
  };
}

async function reachedInMode(place: Place, script: ModeScript[1]): Promise<string | undefined> {
  const secret = [...place.canary].reverse().join("");
  place.put("outside/secret.txt", secret);
  place.put("home/.ssh/id", secret);
  place.put("root/a.txt", "a\n");
  git(place, ["init", "-q"]);
  mkdirSync(join(place.root, ".git", "hooks"), { recursive: true });
  let contacts = 0;
  const port = await place.serve((_, response) => {
    contacts += 1;
    response.end();
  });
  const before = closed.map((path) => snapshot(join(place.outer, path)));
  const { stdout, isHung } = await runInMode(place, script(place, port));
  const changed = closed.flatMap((path, index) =>
    changesOf(before[index] ?? new Map(), snapshot(join(place.outer, path))).map((file) => join(path, file)),
  );
  if (isHung) return "it did not end";
  if (changed.length > 0) return `changed: ${changed.join(", ")}`;
  if (contacts > 0) return "a connection came";
  if (stdout.includes(secret)) return "a secret was read";
  const left = [...snapshot(place.root).keys()].filter((path) => obeyed.test(path));
  return left.length > 0 ? `obeyed now: ${left.join(", ")}` : undefined;
}

/** The app's own files are in another home, so that nothing but the script can change this one. */
function runInMode(place: Place, command: string) {
  const calls = [{ name: "shell", args: { command } }];
  const home = join(place.outer, "home-of-the-app");
  const options = ["--mode", "sandboxed", "--sandbox", "required", "--ephemeral", "--json"];
  return place.run([calls], ["go", ...options], { env: { HOME: home }, timeout: 40_000 });
}

export const modeControl: Attack = {
  name: "control: a script that no rule can judge runs in the mode sandboxed, and what it prints is seen",
  isControl: true,
  isDear: true,
  async run(place) {
    git(place, ["init", "-q"]);
    const { stdout } = await runInMode(place, "for f in a b; do echo $f$f > $f.txt; done; cat *.txt | tr a-z A-Z");
    return place.text("root/b.txt") === "bb\n" && stdout.includes("AA\\\\nBB") ? undefined : stdout.slice(-2000);
  },
};
