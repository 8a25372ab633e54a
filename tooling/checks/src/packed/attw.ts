import { readFileSync } from "node:fs";
import { type Outcome, printOutcomes } from "../outcome.ts";
import { packages } from "../packages.ts";
import { publishablePackages, type WorkspacePackage } from "../workspace.ts";
import { pack, withFolder } from "./pack.ts";
import { promisedResolutions, resolutionProblems } from "./resolution-problems.ts";

// `pnpm attw`: checks every tarball with exports with "Are the types wrong?".
await withFolder(async (folder) => {
  const owners = publishablePackages().filter(({ path }) => !packages[path]?.isCommand);
  printOutcomes(await Promise.all(owners.map((owner) => analyse(owner, folder))));
});

async function analyse(owner: WorkspacePackage, folder: string): Promise<Outcome> {
  const problems = await resolutionProblems(readFileSync(pack(owner, folder)));
  return { item: owner.manifest.name, note: promisedResolutions.join(", "), problems };
}
