import { setTimeout } from "node:timers/promises";
import type { OpenPart } from "./open-part.ts";

/** Milliseconds that parts may take to close. */
const longestClose = 2000;

/** Closes what parts hold. Resolves at the latest after `longest` milliseconds; what fails is not told. */
export async function closeParts(parts: readonly OpenPart[], longest = longestClose): Promise<void> {
  const closed = Promise.allSettled(parts.map(async (part) => part.close?.()));
  await Promise.race([closed, setTimeout(longest, undefined, { ref: false })]);
}
