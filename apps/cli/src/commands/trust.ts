import { resolve } from "node:path";
import { UsageError } from "../base/errors/usage-error.ts";
import { realPath } from "../base/files/real-path.ts";
import { exactLinePieces } from "../base/terminal/exact-text.ts";
import { put } from "../base/terminal/output.ts";
import { oneLine, visible } from "../base/terminal/text.ts";
import { askTrust, keepSaid, trustLines } from "../person/approval/ask-trust.ts";
import { openProject } from "../place/config/open-project.ts";
import { projectFiles } from "../place/config/project.ts";
import { forgetTrust, isTrustedFolder, trustedFolders } from "../place/config/trust.ts";

export interface TrustOptions {
  remove?: true;
  list?: true;
  yes?: true;
}

/** `cogency trust`. @throws UsageError for a folder that there is not, and without a terminal and --yes */
export async function trust(folder: string | undefined, { remove, list, yes }: TrustOptions): Promise<void> {
  if (list) return listFolders();
  const place = folder === undefined ? projectFiles(".").top : realPath(resolve(folder));
  if (place === undefined) throw new UsageError(`There is no folder ${oneLine(folder ?? ".", 300)}.`);
  if (remove) {
    const wasKnown = await forgetTrust(place);
    const text = wasKnown
      ? "is not trusted any more"
      : "was not among the trusted folders; cogency trust --list shows them";
    return put(`${visible(place)} ${text}.\n`);
  }
  const project = await openProject(place);
  const { top } = project;
  // Of a project that is trusted, a person may look at a part.
  if (top !== place && !isTrustedFolder(top))
    throw new UsageError(
      `${oneLine(place, 300)} is a part of a project. Trust that: cogency trust ${oneLine(top, 300)}`,
    );
  if (yes) {
    await put(`${trustLines(project).map(onOneLine).join("\n")}\n`);
    await keepSaid(project, true);
  } else if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      "To trust a folder without a terminal, read its .cogency, .mcp.json, AGENTS.md, skills, agents and commands yourself, and add --yes.",
    );
  } else {
    const terminal = { input: process.stdin, output: process.stderr };
    if (!(await askTrust(project, terminal))) return;
  }
  await put(`${visible(top)} is trusted, and so is what is below it. To take it back: cogency trust --remove\n`);
}

function onOneLine(line: string): string {
  return exactLinePieces(line).join("");
}

async function listFolders(): Promise<void> {
  const lines = Object.entries(trustedFolders()).map(
    ([folder, { trusted }]) => `${trusted ? "yes" : "no "}  ${visible(folder)}`,
  );
  await put(`${lines.length > 0 ? lines.join("\n") : "No folder is trusted."}\n`);
}
