import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { SkillProblemCode } from "../skill.ts";

/** Bytes of a `SKILL.md`. */
const most = 262_144;

/** Why a file is not read; the message says what to do. */
export class UnreadableFile extends Error {
  readonly code: SkillProblemCode;

  constructor(code: SkillProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads a regular file as UTF-8. A pipe or a device never blocks it, and a large file costs no memory. @throws UnreadableFile */
export async function readSmallFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UnreadableFile("file_unreadable", "SKILL.md is no regular file.");
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length)).bytesRead;
    }
    if (length > most) {
      throw new UnreadableFile(
        "file_too_large",
        `SKILL.md is larger than ${most} bytes. Move parts of it to files beside it.`,
      );
    }
    return new TextDecoder().decode(buffer.subarray(0, length));
  } finally {
    await file.close();
  }
}
