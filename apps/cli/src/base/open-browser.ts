import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether there is a desktop to open a browser on, and what opens a file there. */
export function browserCommand(
  platform: NodeJS.Platform = process.platform,
  { DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (platform === "darwin") return "open";
  if (platform === "win32") return "explorer.exe";
  return DISPLAY || WAYLAND_DISPLAY ? "xdg-open" : undefined;
}

/**
 * Opens an address in the person's browser. Other users of this machine see the arguments of every process, so the program gets the
 * name of a file that only this user can read, and the file leads to the address.
 *
 * @returns removes the file
 */
export async function openBrowser(command: string, address: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "cogency-open-"));
  const file = join(folder, "open.html");
  await writeFile(file, leadTo(address), { mode: 0o600, flag: "wx" });
  const opener = spawn(command, [file], { stdio: "ignore", detached: true });
  // The link is printed, too.
  opener.on("error", () => {});
  opener.unref();
  return () => rm(folder, { recursive: true, force: true });
}

function leadTo(address: string): string {
  const text = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html>\n<meta name="referrer" content="no-referrer">\n<meta http-equiv="refresh" content="0; url=${text}">\n<a href="${text}">Cogency</a>\n`;
}
