import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type Access, openRoot, type Root } from "../../src/files/confine/root.ts";
import type { ShellOptions } from "../../src/shell/shell-options.ts";
import { shellTool } from "../../src/shell/shell-tool.ts";
import { call } from "../call.ts";
import { endingOf } from "../shell/ending-of.ts";

/** Creates a folder for every test of the file and removes it after the test. */
export function freshFolder(): { path: string } {
  const folder = { path: "" };
  beforeEach(async () => {
    folder.path = await realpath(await mkdtemp(join(tmpdir(), "cogency-sandbox-")));
  });
  afterEach(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}

interface Place {
  access?: Access;
  guarded?: readonly string[];
}

export async function projectAt(path: string, { access = "project", guarded = [] }: Place = {}): Promise<Root> {
  return { ...(await openRoot(path, { access })), guarded };
}

/** Runs a bash script in a sandbox and returns everything that it printed. */
export async function inSandbox(
  root: Root,
  script: string,
  options: ShellOptions = {},
  args: { hosts?: string[]; cwd?: string } = {},
): Promise<string> {
  const tool = shellTool(root, { sandbox: "required", ...options });
  const command = `bash -c '${`exec 2>&1\n${script}`.replaceAll("'", "'\\''")}'`;
  return (await endingOf(call(tool, { command, ...args }))).stdout;
}
