import type { FileHandle } from "node:fs/promises";
import type { Attachment } from "@cogency/protocol";
import { ToolboxError } from "../../errors.ts";
import { readUpTo } from "../text/read-up-to.ts";
import { attachedTypeOf, attachmentOf, telltaleBytes } from "./attachment-of.ts";

/**
 * Reads an open file that is an image or a PDF. Undefined if it is neither.
 *
 * @param asked the path as the model gave it
 * @throws ToolboxError `too_large`
 */
export async function readAttached(handle: FileHandle, name: string, asked: string): Promise<Attachment | undefined> {
  const { size } = await handle.stat();
  const type = attachedTypeOf(await readUpTo(handle, telltaleBytes, telltaleBytes));
  if (!type) return undefined;
  const most = largest[type.kind];
  const bytes = size > most ? undefined : await readUpTo(handle, most + 1, size);
  if (bytes && bytes.length <= most) return attachmentOf(bytes, name);
  const problem = `"${asked}" (${type.mediaType}) has more than the ${most} bytes that can be attached`;
  throw new ToolboxError("too_large", asked, `${problem}. Make a smaller copy, or go on without it.`);
}

/**
 * In bytes. Every later request of the conversation holds the file, so one that a server refuses would end the conversation: base64
 * makes these an image of 5 MiB and a file of 13.3 MiB, which the wires take.
 */
const largest: Readonly<Record<Attachment["kind"], number>> = { image: 3.75 * 1024 * 1024, file: 10 * 1024 * 1024 };
