import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtures, type Place, place } from "./command-line.ts";

/** A server of `fixtures/mcp-server.ts`, as a configuration names it. */
export function testServer(kind: string, more: object = {}): object {
  return { command: process.execPath, args: [join(fixtures, "mcp-server.ts"), kind], ...more };
}

/** A server that is there at once, with the tool `add`. */
export function quickServer(more: object = {}): object {
  return { command: process.execPath, args: [join(fixtures, "quick-mcp-server.js")], ...more };
}

/** A folder whose person has these servers. */
export function placeWith(servers: Readonly<Record<string, object>>): Place {
  const at = place();
  mkdirSync(join(at.folder, ".config/cogency"), { recursive: true, mode: 0o700 });
  writeFileSync(join(at.folder, ".config/cogency/config.json"), JSON.stringify({ mcp: { servers } }), { mode: 0o600 });
  return at;
}

/** Writes the `.mcp.json` of a folder. */
export function shareServers({ folder }: Pick<Place, "folder">, mcpServers: object): void {
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers }));
}
