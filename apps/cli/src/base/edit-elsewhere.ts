import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Opens a text in the editor of the person.
 *
 * @param command a command line, as in $EDITOR
 * @returns the text as it was saved; undefined if the editor failed
 */
export async function editElsewhere(text: string, command: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cogency-prompt-"));
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve) => {
      const editor = spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
      editor.once("error", () => resolve(null));
      editor.once("close", resolve);
    });
    return code === 0 ? (await readFile(file, "utf8")).trimEnd() : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
