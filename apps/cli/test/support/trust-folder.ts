import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes that a person whose home is a folder trusts it, or another one, while it configures nothing. */
export function trustFolder(home: string, folder = home): void {
  const configuration = join(home, ".config", "cogency");
  mkdirSync(configuration, { recursive: true, mode: 0o700 });
  const real = realpathSync(folder);
  const content = { folders: { [real]: { trusted: true } }, seen: { [real]: { digest: "" } } };
  writeFileSync(join(configuration, "trusted.json"), JSON.stringify(content), { mode: 0o600 });
}
