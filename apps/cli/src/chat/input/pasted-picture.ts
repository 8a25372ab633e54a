import { statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A mention (`@"…"`) of the image or PDF file whose path was pasted, as terminals paste a file that was dragged there; undefined for
 * anything else.
 */
export function pastedPicture(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.length > 4096 || text.includes("\n") || !/\.(?:png|jpe?g|gif|webp|pdf)["']?$/i.test(text)) return undefined;
  const path = pathOf(text);
  if (path === undefined || !isFile(path)) return undefined;
  return /[\s"'`]/.test(path) ? `@"${path}"` : `@${path}`;
}

/** Terminals quote a path, or escape what a shell would read in another way. */
function pathOf(text: string): string | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2];
  if (quoted !== undefined) return quoted;
  if (!text.startsWith("file://")) return text.replace(/\\(.)/g, "$1");
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  const place = path.startsWith("~/") ? homedir() + path.slice(1) : resolve(path);
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}
