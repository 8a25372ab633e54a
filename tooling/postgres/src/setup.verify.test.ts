import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { describeOwnPostgres } from "./describe-postgres.ts";

const fixtures = fileURLToPath(new URL("../fixtures", import.meta.url));
const nowhere = join(fixtures, "no-such-folder");

describe("setup without PostgreSQL", () => {
  it("skips what needs one, and says so in one line", () => {
    const { status, stdout } = runFixtures({ COGENCY_POSTGRES_BIN: nowhere });
    expect(status, stdout).toBe(0);
    const lines = stdout.split("\n").filter((line) => line.includes("PostgreSQL was not found"));
    expect(lines).toEqual([expect.stringContaining("2 tests of fixtures skipped. Install its server")]);
    expect(stdout).toContain("2 skipped");
    expect(readFileSync(join(fixtures, "node_modules/.report/skipped.txt"), "utf8")).toBe(`${lines[0]}\n`);
  });

  it("fails when one is required, and says what to install", () => {
    const { status, stderr } = runFixtures({ COGENCY_POSTGRES_BIN: nowhere, COGENCY_REQUIRE_POSTGRES: "1" });
    expect(status).toBe(1);
    expect(stderr).toContain("COGENCY_REQUIRE_POSTGRES is set. Install its server");
  });

  it("uses the server that COGENCY_TEST_POSTGRES names", () => {
    const address = "postgres://somebody@127.0.0.1:1/somewhere";
    const { status, stdout } = runFixtures({ COGENCY_POSTGRES_BIN: nowhere, COGENCY_TEST_POSTGRES: address });
    expect(status, stdout).toBe(0);
    expect(stdout).toContain(`runs at ${address}`);
    expect(stdout).toContain("1 test of fixtures skipped");
  });
});

describeOwnPostgres("setup with PostgreSQL", () => {
  it("starts a server and gives its address to the tests", () => {
    const { status, stdout } = runFixtures({});
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/runs at postgres:\/\/postgres:\w+@127\.0\.0\.1:\d+\/postgres/);
    expect(stdout).toContain("2 passed");
    expect(existsSync(join(fixtures, "node_modules/.report/skipped.txt"))).toBe(false);
  });
});

/** A run of vitest on tests that need PostgreSQL. */
function runFixtures(environment: Record<string, string>): { status: number | null; stdout: string; stderr: string } {
  const vitest = join(createRequire(import.meta.url).resolve("vitest/package.json"), "../vitest.mjs");
  const own = /^(VITEST|COGENCY_|NODE_ENV$)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  return spawnSync(process.execPath, [vitest, "run", "--root", fixtures], {
    env: { ...env, NO_COLOR: "1", ...environment },
    encoding: "utf8",
  });
}
