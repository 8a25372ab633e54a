import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ToolboxOptions } from "@cogency/toolbox";
import type { Approval } from "@cogency/tools";
import { SkippedError } from "../../harness/attack.ts";
import { carryOut, toldBy } from "../../harness/file-calls.ts";
import type { Place } from "../../harness/place.ts";
import { openWorld, type World } from "../../harness/world.ts";
import { git } from "./git.ts";

export async function surroundings(place: Place): Promise<World> {
  if (process.platform !== "linux") throw new SkippedError("the sandbox is for Linux");
  git(place, ["init", "-q"]);
  mkdirSync(join(place.root, ".git", "hooks"), { recursive: true });
  return openWorld(place);
}

/** Runs a script in the root with the shell tool, and returns what the model reads of it. */
export async function printedBy(
  place: Place,
  script: string,
  { sandbox, approval }: { sandbox?: "off"; approval?: Approval } = {},
): Promise<string> {
  place.put("root/attack.sh", `${script}\n`);
  const executions = await carryOut(
    [{ name: "shell", args: { command: "sh attack.sh" } }],
    shellOptions(place, sandbox),
    approval,
  );
  const [execution] = executions;
  // Without isolation, "required" runs nothing.
  if (!execution?.started) throw new SkippedError(`nothing ran: ${execution?.error?.message}`);
  // The error does not repeat the command, so its text is output of the script.
  return toldBy(executions);
}

function shellOptions(place: Place, sandbox: "required" | "off" = "required"): ToolboxOptions {
  const at = (path: string) => join(place.outer, path);
  return {
    root: place.root,
    access: "project",
    include: ["shell"],
    guarded: [...["", "-wal", "-shm", "-journal"].map((end) => at(`root/state/cogency.db${end}`)), at("config")],
    shell: { timeout: 8000, killAfter: 300, sandbox, network: { hosts: ["allowed.example"] } },
  } as ToolboxOptions;
}
