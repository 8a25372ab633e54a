import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRoot } from "../../src/files/confine/root.ts";
import { writeTool } from "../../src/files/write-tool.ts";
import { call } from "../call.ts";
import { passPoints } from "./points.ts";
import { openCopies, takeBack } from "./task.ts";

/**
 * Undoes the change of one file and the creation of another, and lets a person write to both at a point of that.
 *
 * @returns false if the undo ends before the point
 * @throws Error if what the person wrote is not there in the end
 */
export async function interfere(point: number): Promise<boolean> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-undo-")));
  const files = ["changed", "created"].map((name) => join(base, "root", name));
  try {
    const undo = openCopies(base);
    await mkdir(join(base, "root"));
    await writeFile(join(base, "root", "changed"), "before");
    const write = writeTool(await openRoot(join(base, "root"), { access: "project" }), { undo });
    for (const file of files) await call(write, { file, content: "agent", overwrite: true });
    let hasWritten = false;
    const end = await passPoints(point, async () => {
      if (hasWritten) return;
      hasWritten = true;
      for (const file of files) await writeFile(file, "person");
    });
    await takeBack(undo).finally(end);
    if (!hasWritten) return false;
    for (const file of files) {
      const content = await readFile(file, "utf8").catch(() => "nothing");
      if (content !== "person") throw new Error(`A person wrote at point ${point}, and ${file} holds ${content}.`);
    }
    return true;
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}
