import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { note } from "../../base/terminal/note.ts";
import { readConfig } from "../../place/config/config-file.ts";
import { keepTrust } from "./keep-trust.ts";
import { configPath } from "./path.ts";

/** `cogency config edit`. @throws UsageError without an editor, and for what is wrong in the file afterwards */
export async function editConfig(options: { project?: true }): Promise<void> {
  const file = configPath(options);
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new UsageError(`No editor is set in EDITOR. The file is ${file}.`);
  if (readRegularText(file) === undefined) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, "{}\n", { mode: options.project ? 0o644 : 0o600 });
  }
  await keepTrust(options, async () => {
    // EDITOR may hold options of the editor, so a shell reads it; the file is an argument of its own.
    const { status } = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    if (status !== 0) throw new UsageError(`The editor ended with exit code ${status}: ${editor}`);
  });
  readConfig(file);
  note(`${file} is valid.`);
}
