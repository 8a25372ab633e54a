import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@tooling/loopback";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkModel, checkNode, checkServers, checkSigningKey, checkStore, checkTerminal } from "./doctor-checks.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cogency-doctor-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const fault = (text: RegExp, mend: RegExp) => ({
  state: "fault",
  text: expect.stringMatching(text),
  mend: expect.stringMatching(mend),
});

describe("the doctor names the fault and its mend:", () => {
  it("a Node that is too old", () => {
    expect(checkNode("20.20.2")).toMatchObject(fault(/20\.20\.2 is too old/, /Install Node 22\.\d+ or newer/));
    expect(checkNode("22.18.0").state).toBe("fault");
    expect(checkNode("22.19.0").state).toBe("ok");
    expect(checkNode("26.0.0").state).toBe("ok");
  });

  it("a store that is no database", async () => {
    const file = join(folder(), "c.db");
    writeFileSync(file, "not a database, but long enough to look like one".repeat(100));
    expect(await checkStore(file)).toMatchObject(fault(/c\.db/, /c\.db\.broken.*COGENCY_STORE/));
  });

  it("a store that cannot be made", async () => {
    const file = join(folder(), "a file");
    writeFileSync(file, "");
    expect(await checkStore(join(file, "b", "c.db"))).toMatchObject(fault(/a file is no folder/, /COGENCY_STORE/));
  });

  it("a server with the store that does not run", async () => {
    const place = "postgres://me:canary-password@127.0.0.1:9/app";
    const finding = await checkStore(place);
    expect(finding).toMatchObject(fault(/127\.0\.0\.1:9/, /Start the server/));
    expect(JSON.stringify(finding)).not.toContain("canary-password");
  });

  it("a signing key that others can read", async () => {
    const home = folder();
    writeFileSync(join(home, "keys"), `${"ab".repeat(32)}\n`);
    chmodSync(join(home, "keys"), 0o644);
    expect(await checkSigningKey(home)).toMatchObject(fault(/keys/, /chmod 600/));
  });

  it("a model without a key, and a server that cannot be reached", async () => {
    expect(await checkModel({ root: ".", provider: "anthropic" }, true)).toMatchObject([fault(/key/i, /Set the key/)]);
    const baseUrl = "http://127.0.0.1:9/v1";
    expect(await checkModel({ root: ".", provider: "openai", baseUrl, model: "m" }, true)).toMatchObject([
      fault(/127\.0\.0\.1:9/, /Look at the address/),
    ]);
  });

  it("a key that its server refuses, which it does not show", async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error":{"message":"the key canary-key-123 is wrong"}}');
    });
    vi.stubEnv("OPENAI_BASE_URL", url);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const findings = await checkServers();
    expect(findings).toContainEqual(expect.objectContaining(fault(/^openai: /, /Look at the key/)));
  });
});

it.each([
  { provider: "llama.cpp", isBound: true },
  { provider: "vllm", isBound: true },
  { provider: "ollama", isBound: false },
] as const)(
  "the doctor says whether answers of $provider are bound to the grammar: $isBound",
  async ({ provider, isBound }) => {
    const findings = await checkModel({ root: ".", provider, model: "m" }, false);
    const text = findings.at(-1)?.text ?? "";
    expect(text).toMatch(/ m, not asked/);
    expect(text.endsWith("; answers in the text protocol are bound to its grammar")).toBe(isBound);
  },
);

it("the doctor makes no store, and finds nothing wrong where there is none yet", async () => {
  const home = folder();
  mkdirSync(join(home, "a"));
  expect(await checkStore(join(home, "a", "b", "c.db"))).toMatchObject({ state: "ok" });
  expect(await checkStore(join(home, "a", "c.db"))).toMatchObject({ state: "ok" });
});

it.each([
  ["dumb", "C.UTF-8", 80, "note"],
  ["xterm", "C", 80, "note"],
  ["xterm", "C.UTF-8", 30, "note"],
  ["xterm", "C.UTF-8", 80, "ok"],
])("the doctor looks at the terminal: %s, %s, %i columns", (TERM, LANG, columns, state) => {
  const stream = { isTTY: true as const, columns, rows: 24, getColorDepth: () => 8 };
  expect(checkTerminal(stream, { TERM, LANG }).state).toBe(state);
});
