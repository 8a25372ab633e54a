import { counted } from "../../../base/terminal/text.ts";
import { apiKeyFile, readApiKeys } from "../../../place/api-keys.ts";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether the keys of servers that `cogency config key` keeps can be used. Nothing is said where none is kept. */
export async function checkApiKeys(): Promise<Finding[]> {
  const file = apiKeyFile();
  try {
    const count = Object.keys(await readApiKeys()).length;
    return count === 0 ? [] : [ok("api keys", `${file}, ${counted(count, "key")}`)];
  } catch (error) {
    const mend = `Run chmod 600 ${file}; if others may have read it, remove it, and make new keys at the servers.`;
    return [fault("api keys", (error as Error).message, mend)];
  }
}
