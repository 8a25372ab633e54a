import { chmodSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { testHome } from "../../test/support/test-home.ts";
import { redacted } from "../base/errors/redacted.ts";
import { removeKey, setKey } from "../commands/config-key.ts";
import { apiKeyFile, keepApiKey, readApiKeys } from "./api-keys.ts";

beforeEach(() => void testHome());

describe("the file of kept keys", () => {
  it("takes keys and gives them back, after which no error shows them", async () => {
    expect(await readApiKeys()).toEqual({});
    await Promise.all([keepApiKey("A_KEY", "canary-of-a"), keepApiKey("B_KEY", "canary-of-b")]);
    expect(await readApiKeys()).toEqual({ A_KEY: "canary-of-a", B_KEY: "canary-of-b" });
    expect(redacted("401: canary-of-a, canary-of-b")).not.toContain("canary");
    expect([await keepApiKey("A_KEY", undefined), await keepApiKey("A_KEY", undefined)]).toEqual([true, false]);
    expect(await readApiKeys()).toEqual({ B_KEY: "canary-of-b" });
  });

  it.skipIf(process.platform === "win32")("is refused if others can read it", async () => {
    writeFileSync(apiKeyFile(), '{"A_KEY":"canary"}');
    chmodSync(apiKeyFile(), 0o640);
    await expect(readApiKeys()).rejects.toThrow(/^The keys cannot be used: .*others may read or write it.*chmod 600/);
    await expect(keepApiKey("B_KEY", "canary")).rejects.toThrow("others may read");
  });

  it.each(['{"A_KEY": canary}', '["canary"]', '{"A_KEY": {"canary": 1}}'])(
    "is refused without being quoted: %s",
    async (text) => {
      writeFileSync(apiKeyFile(), text, { mode: 0o600 });
      const failure = await readApiKeys().catch(String);
      expect(failure).toContain("UsageError: The keys cannot be used: ");
      expect(failure).not.toContain("canary");
    },
  );

  it("takes no key in the place of a name, and does not repeat it", async () => {
    for (const command of [setKey, removeKey]) {
      const failure = await command("sk-canary").catch(String);
      expect(failure).toContain("Give the name of a variable in capitals");
      expect(failure).not.toContain("canary");
    }
  });
});
