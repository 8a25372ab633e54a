import { join } from "node:path";
import { configurationFolder } from "../../../base/configuration-folder.ts";
import { existingKeyFile, keyFileName } from "../../../base/files/key-file.ts";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether the key that signs the answers of this installation can be used. */
export async function checkSigningKey(folder = configurationFolder()): Promise<Finding> {
  const file = join(folder, keyFileName);
  try {
    return ok("key", (await existingKeyFile(folder)) ? file : `the first run makes ${file}`);
  } catch (error) {
    return fault(
      "key",
      (error as Error).message,
      `Run chmod 700 ${folder}; chmod 600 ${file}; if others may have read it, remove it.`,
    );
  }
}
