import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import type { SkillProblemCode } from "../skill.ts";

/** Bytes of a `SKILL.md`, and of a file beside it. */
const most = 262_144;

/** Why a file is not read: a clause that follows its name. */
export class UnreadableFile extends Error {
  readonly code: SkillProblemCode;

  constructor(code: SkillProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Reads a regular file as UTF-8. A pipe or a device never blocks it and is not opened, a large file costs no memory, and no link that
 * is put there meanwhile is followed.
 *
 * @param real its real path
 * @throws UnreadableFile
 */
export async function readSmallFile(real: string): Promise<string> {
  if (!(await stat(real)).isFile()) throw notRegular();
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = await open(real, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw notRegular();
    if ((await placeOf(file, real)) !== real) {
      throw new UnreadableFile("file_unreadable", "is moved by another program. Try again.");
    }
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length)).bytesRead;
    }
    if (length > most) throw new UnreadableFile("file_too_large", `is larger than ${most} bytes.`);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(buffer.subarray(0, length));
  } finally {
    await file.close();
  }
}

function notRegular(): UnreadableFile {
  return new UnreadableFile("file_unreadable", "is no regular file.");
}

/** Where an open file is: by what was opened where the system tells, else by its path. */
async function placeOf(file: FileHandle, path: string): Promise<string> {
  if (process.platform !== "linux") return realpath(path);
  return readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
}
