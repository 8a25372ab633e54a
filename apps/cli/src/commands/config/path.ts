import { userConfigFile } from "../../config/config-file.ts";
import { projectFiles } from "../../config/project.ts";
import { put } from "../../terminal/output.ts";
import { visible } from "../../terminal/text.ts";

/** `cogency config path`. */
export async function printConfigPath(options: { project?: true }): Promise<void> {
  await put(`${visible(configPath(options))}\n`);
}

/** The file that a command of `cogency config` works on. */
export function configPath({ project }: { project?: true }): string {
  return project ? projectFiles(".").config : userConfigFile();
}
