import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";

/** Where a project keeps the files of agents. Those of Claude Code and opencode are read where they mean the same. */
const names = [".cogency/agents", ".claude/agents", ".opencode/agents", ".opencode/agent"];

/** The person's own agents. */
export function ownAgentFolder(): string {
  return join(configurationFolder(), "agents");
}

/** The folders with agents that there are in folders of a project, in the same order. */
export function agentFoldersIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => names.map((name) => join(folder, ...name.split("/"))))
    .filter((folder) => existsSync(folder));
}

/** Each file in a folder with agents that would be read as one. */
export function agentFilesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(".md") && !name.startsWith("."));
    return files.sort().map((name) => join(folder, name));
  } catch {
    return [];
  }
}
