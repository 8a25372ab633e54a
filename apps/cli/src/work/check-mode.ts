import { shellIsolation } from "@cogency/toolbox/shell";
import { UsageError } from "../base/errors/usage-error.ts";
import { realPath } from "../base/files/real-path.ts";
import { type ModeChoice, modeOf } from "../place/rules/mode.ts";
import { openRootFor, type ToolOptions } from "./open-tools.ts";

/** @throws UsageError for the mode "sandboxed" where the sandbox does not hold what commands do, with the reason and the remedy */
export async function checkMode(options: ModeChoice & ToolOptions): Promise<void> {
  if (modeOf(options) !== "sandboxed") return;
  const problem = await problemOf(options);
  if (problem !== undefined) throw new UsageError(`The mode sandboxed cannot be used here: ${problem}`);
}

async function problemOf(options: ToolOptions): Promise<string | undefined> {
  const { sandbox, access, network = [] } = options;
  if (sandbox === "off") return "the sandbox is off. Leave --sandbox off out.";
  if (access === "system") return "with --access system a sandbox holds no file. Take --access project.";
  if (network.includes("full"))
    return "with --network full a sandbox does not hold the network. Name the hosts, as in --network registry.npmjs.org.";
  const root = await openRootFor(options, []);
  const { isolated, confined, problem, advice } = await shellIsolation(root, { sandbox });
  if (!isolated) return `${problem}. ${advice} Without it, --mode edits lets changes of files run.`;
  if (confined) return undefined;
  const programs = [process.execPath, process.argv[1] ?? ""].map((path) => realPath(path) ?? path);
  if (programs.some((path) => path.startsWith(`${root.path}/`)))
    return "cogency itself is installed in the root, and a command could change it. Install it outside of the root.";
  return "your home folder is in the root, and many programs obey its files. Work in a project's folder, or give one with --root.";
}
