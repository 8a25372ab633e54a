import { join } from "node:path";
import { configurationFolder } from "../../../setup/configuration-folder.ts";
import { keyFileName, readKeys } from "../../../setup/key-file.ts";
import { counted } from "../../../terminal/text.ts";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether the key that signs the answers of this installation can be used. */
export async function checkSigningKey(folder = configurationFolder()): Promise<Finding> {
  const file = join(folder, keyFileName);
  try {
    const keys = await readKeys(folder);
    return ok("key", keys ? `${file}, ${counted(keys.length, "key")}` : `the first run makes ${file}`);
  } catch (error) {
    return fault(
      "key",
      (error as Error).message,
      `Run chmod 700 ${folder}; chmod 600 ${file}; if others may have read it, remove it.`,
    );
  }
}
