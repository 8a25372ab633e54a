import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

/** Writes a file below a folder, and the folders that it needs. */
function file(folder: string, path: string, content: object | string, mode = 0o600): void {
  mkdirSync(join(folder, path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content), { mode });
}

describe("a kept key", () => {
  const key = "canary-4f1c7e2b9a";

  it("reaches no output, log or export, however the server that it belongs to fails", async () => {
    const at = place();
    file(at.folder, ".config/cogency/api-keys.json", { MY_KEY: key });
    const seen: string[] = [];
    const looks: string[] = [];
    const { url } = await serve((request, response) => {
      const kind = /\/([a-z0-9]+)\/chat\/completions$/.exec(request.url ?? "")?.[1];
      const sent = request.headers.authorization ?? "";
      // The app looks which server it is, and sends no key with that.
      if (kind === undefined) looks.push(sent);
      else seen.push(sent);
      const body = JSON.stringify({ error: { message: `Wrong: ${request.headers.authorization}`, code: key } });
      if (kind === undefined) response.writeHead(404).end();
      else if (kind === "garbage")
        response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${key}\n\n`);
      else if (kind === "moved") response.writeHead(302, { location: `http://127.0.0.1:9/${key}` }).end();
      else response.writeHead(Number(kind), { "content-type": "application/json", "x-key": key }).end(body);
    });
    const kinds = ["401", "garbage", "moved"];
    const profiles = Object.fromEntries(
      kinds.map((kind) => [kind, { model: "m", apiKeyEnv: "MY_KEY", baseUrl: `${url}/${kind}` }]),
    );
    file(at.folder, ".config/cogency/config.json", { profiles });
    const ends = await Promise.all(
      kinds.map((kind) =>
        at.cogency(["go", "--json", "--profile", kind, "--store", `${kind}.db`], { env: { COGENCY_DEBUG: "1" } }),
      ),
    );
    expect(ends.map(({ code }) => code)).toEqual(kinds.map(() => 3));
    expect(seen.length).toBeGreaterThanOrEqual(kinds.length);
    expect(new Set(seen)).toEqual(new Set([`Bearer ${key}`]));
    expect(looks.filter(Boolean)).toEqual([]);
    expect(JSON.stringify(ends)).not.toContain(key);
    for (const kind of kinds) expect(readFileSync(join(at.folder, `${kind}.db`), "latin1")).not.toContain(key);
  });
});
