import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Opens a text in the editor of the person. Ctrl-C is the editor's while it is open, and no copy of the text stays behind, also when the
 * process is ended meanwhile.
 *
 * @param command a command line, as in $EDITOR
 * @returns the text as it was saved; undefined if the editor failed, or has removed the file
 */
export async function editElsewhere(text: string, command: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cogency-prompt-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  const giveBack = withoutInterrupts();
  const file = join(folder, "prompt.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve) => {
      // The shell outlives Ctrl-C, too, and tells how the editor has ended.
      const editor = spawn("/bin/sh", ["-c", `trap : INT; ${command} "$1"`, "sh", file], { stdio: "inherit" });
      editor.once("error", () => resolve(null));
      editor.once("close", resolve);
    });
    return code === 0 ? (await readFile(file, "utf8").catch(() => undefined))?.trimEnd() : undefined;
  } finally {
    giveBack();
    process.off("exit", remove);
    remove();
  }
}

/** Nothing in this process hears SIGINT, until what is returned is called. */
function withoutInterrupts(): () => void {
  const before = process.listeners("SIGINT");
  const deaf = () => {};
  process.removeAllListeners("SIGINT");
  process.on("SIGINT", deaf);
  return () => {
    for (const listener of before) process.on("SIGINT", listener);
    process.off("SIGINT", deaf);
  };
}
