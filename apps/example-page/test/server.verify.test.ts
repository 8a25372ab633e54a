// @vitest-environment node
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Part, QuestionPart } from "@cogency/client";
import { beforeAll, describe, expect, it } from "vitest";
import { startServer, temporaryFolder } from "./support/start-server.ts";

beforeAll(() => {
  const vite = join(dirname(createRequire(import.meta.url).resolve("vite/package.json")), "bin/vite.js");
  const { NODE_ENV, ...env } = process.env;
  execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: join(import.meta.dirname, ".."), env });
});

describe("the server", () => {
  it("gives a page that no other page may frame, and no conversation to another host", async () => {
    const server = await startServer(temporaryFolder());
    const page = await fetch(server.url);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const [script] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
    expect((await fetch(`${server.url}${script}`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/conversations`)).status).toBe(200);
    const elsewhere = server.url.replace("127.0.0.1", "localhost");
    expect((await fetch(`${elsewhere}/api/conversations`)).status).toBe(401);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  it("goes on with a question after a kill", async () => {
    const folder = temporaryFolder();
    const first = await startServer(folder);
    const before = first.conversation("notes");
    await before.send('write "milk" to list.txt');
    await expect.poll(() => before.snapshot.status).toBe("waiting");
    const { parts } = before.snapshot;
    await first.end("SIGKILL");

    const second = await startServer(folder);
    const after = second.conversation("notes");
    await expect.poll(() => after.snapshot.status).toBe("waiting");
    expect(after.snapshot.parts).toEqual(parts);
    await after.approve(openQuestion(after.snapshot.parts)?.id ?? "");
    await expect.poll(() => after.snapshot.parts.at(-1)).toMatchObject({ type: "end", status: "completed" });
    expect(readFileSync(join(folder, "notes/list.txt"), "utf8")).toBe("milk\n");
    expect(await second.end("SIGTERM")).toBe(0);
  });

  it("asks which note is meant, and shows how far a search has come", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes/list.txt"), "milk\n");
    const talk = (await startServer(folder)).conversation("notes");
    await talk.send('read other.txt and find "milk"');
    await expect.poll(() => JSON.stringify(talk.snapshot.parts)).toContain('"progress":"list.txt, 1 of 1"');
    await expect.poll(() => openQuestion(talk.snapshot.parts)?.schema).toMatchObject({ enum: ["list.txt"] });
    await talk.answer(openQuestion(talk.snapshot.parts)?.id ?? "", "list.txt");
    await expect.poll(() => talk.snapshot.parts.at(-1)).toMatchObject({ type: "end", status: "completed" });
    expect(JSON.stringify(talk.snapshot.parts)).toContain("list.txt:1 milk");
  });

  it("keeps a note in its folder, whatever the model calls it, and the key to itself", async () => {
    const folder = temporaryFolder();
    const talk = (await startServer(folder)).conversation("notes");
    await talk.send('write "milk" to "../escaped.txt" and read "../key"');
    await expect.poll(() => talk.snapshot.parts.at(-1)).toMatchObject({ type: "end", status: "completed" });
    const shown = JSON.stringify(talk.snapshot.parts);
    expect(shown).not.toContain('"type":"question"');
    expect(shown).toContain("without a folder");
    expect(shown).not.toContain(readFileSync(join(folder, "key"), "utf8"));
    expect(statSync(join(folder, "key")).mode & 0o777).toBe(0o600);
  });
});

function openQuestion(parts: readonly Part[]): QuestionPart | undefined {
  return parts.find((part): part is QuestionPart => part.type === "question" && part.open === true);
}
