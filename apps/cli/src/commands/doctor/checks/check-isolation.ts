import { openRoot, shellIsolation } from "@cogency/toolbox";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether programs that `shell` runs can be isolated in this folder. */
export async function checkIsolation(folder = "."): Promise<Finding> {
  const root = await openRoot(folder, { access: "project" }).catch((error: Error) => error);
  if (root instanceof Error)
    return fault("sandbox", root.message, "Run cogency in another folder, or give one with --root.");
  const { isolated, problem, advice } = await shellIsolation(root);
  if (isolated) return ok("sandbox", "programs that shell runs are isolated");
  return fault(
    "sandbox",
    `programs that shell runs have your rights: ${problem ?? "the sandbox is off"}`,
    advice ?? "Leave --sandbox off out.",
  );
}
