import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PartKey } from "@cogency/tools/host";
import { errorCode } from "../../system-error.ts";
import { folderName, isHash, namesIn } from "../../undo/copy-folder.ts";
import type { KeptOutput } from "./kept-output.ts";

/** Keeps output in files: a folder for each conversation, a file for each part. Their names are hashes, so that none leads elsewhere. */
export function outputFiles(folder: string, maxBytes = 512 * 1024 * 1024): KeptOutput {
  return {
    async keep(key, text) {
      const place = join(folder, folderName(key));
      await mkdir(place, { recursive: true, mode: 0o700 });
      await writeWhole(join(place, fileName(key)), text);
      await makeRoom(folder, maxBytes);
    },
    async read(key) {
      try {
        const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
        const file = await open(join(folder, folderName(key), fileName(key)), flags);
        return await file.readFile("utf8").finally(() => file.close());
      } catch (error) {
        if (errorCode(error) === "ENOENT") return undefined;
        throw error;
      }
    },
    async forget(key) {
      await rm(join(folder, folderName(key)), { recursive: true, force: true });
    },
    async copy(from, to) {
      const [source, target] = [join(folder, folderName(from)), join(folder, folderName(to))];
      const names = (await namesIn(source)).filter(isHash);
      if (names.length > 0) await mkdir(target, { recursive: true, mode: 0o700 });
      for (const name of names) {
        const [original, copy] = [join(source, name), join(target, name)];
        await link(original, copy).catch(() => copyFile(original, copy));
      }
    },
  };
}

/** The most files of all conversations: a guarded folder with very many makes guarding slow. */
const mostFiles = 2000;

function fileName({ id, part }: PartKey): string {
  return createHash("sha256")
    .update(JSON.stringify([id, part]))
    .digest("hex");
}

/** Writes a file that is whole or not there. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Removes the oldest files until the others are within the limits. The newest one stays. */
async function makeRoom(folder: string, maxBytes: number): Promise<void> {
  const files: { path: string; size: number; written: number }[] = [];
  for (const conversation of (await namesIn(folder)).filter(isHash)) {
    for (const name of await namesIn(join(folder, conversation))) {
      const path = join(folder, conversation, name);
      const stats = await stat(path).catch(() => undefined);
      if (stats) files.push({ path, size: stats.size, written: stats.mtimeMs });
    }
  }
  files.sort((a, b) => a.written - b.written);
  let used = files.reduce((sum, { size }) => sum + size, 0);
  for (const [index, { path, size }] of files.slice(0, -1).entries()) {
    if (used <= maxBytes && files.length - index <= mostFiles) break;
    await rm(path, { force: true });
    used -= size;
  }
}
