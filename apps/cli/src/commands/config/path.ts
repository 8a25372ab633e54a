import { put } from "../../base/terminal/output.ts";
import { visible } from "../../base/terminal/text.ts";
import { userConfigFile } from "../../place/config/config-file.ts";
import { projectFiles } from "../../place/config/project.ts";

/** `cogency config path`. */
export async function printConfigPath(options: { project?: true }): Promise<void> {
  await put(`${visible(configPath(options))}\n`);
}

/** The file that a command of `cogency config` works on. */
export function configPath({ project }: { project?: true }): string {
  return project ? projectFiles(".").config : userConfigFile();
}
