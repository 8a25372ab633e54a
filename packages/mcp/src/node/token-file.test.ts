import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StoredLogin } from "../client/auth/token-store.ts";
import { tokenFile } from "./token-file.ts";

const server = "https://mcp.example.com/mcp";

function login(accessToken: string): StoredLogin {
  return { issuer: "https://login.example.com", client: { id: "client" }, accessToken };
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tokens-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "private", "tokens.json");
}

describe("a file of tokens", () => {
  it("keeps a login for one server and one user, for the next process", async () => {
    const path = await newPath();
    await tokenFile(path).save({ server, user: "ada" }, login("a"));
    await tokenFile(path).save({ server }, login("b"));
    const next = tokenFile(path);
    expect((await next.load({ server, user: "ada" }))?.accessToken).toBe("a");
    expect((await next.load({ server }))?.accessToken).toBe("b");
    expect(await next.load({ server: "https://mcp.example.com/other" })).toBeUndefined();
    await next.remove({ server });
    expect([await next.load({ server }), (await next.load({ server, user: "ada" }))?.accessToken]).toEqual([
      undefined,
      "a",
    ]);
  });

  it.skipIf(process.platform === "win32")("is for its owner only, in a folder for its owner only", async () => {
    const path = await newPath();
    await tokenFile(path).save({ server }, login("a"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(path, ".."))).toEqual(["tokens.json"]);
  });

  it.skipIf(process.platform === "win32").each<[string, (path: string) => Promise<unknown>]>([
    ["others can read it", (path) => chmod(path, 0o644)],
    ["others can write to its folder", (path) => chmod(join(path, ".."), 0o770)],
    [
      "it is a link",
      async (path) => {
        await rm(path);
        await symlink("elsewhere", path);
      },
    ],
    ["it is a folder", (path) => rm(path).then(() => mkdir(path))],
    ["it is no JSON", (path) => writeFile(path, "{")],
    ["another version wrote it", (path) => writeFile(path, '{"version":2,"logins":{}}')],
    ["it is far too large", (path) => writeFile(path, "x".repeat(5_000_000))],
  ])("is refused, and stays as it is, if %s", async (_, change) => {
    const path = await newPath();
    const store = tokenFile(path);
    await store.save({ server }, login("a"));
    await change(path);
    await expect(store.load({ server })).rejects.toMatchObject({ code: "unreadable_store" });
    await expect(store.save({ server }, login("b"))).rejects.toMatchObject({ code: "unreadable_store" });
  });

  it("ignores what is no login", async () => {
    const path = await newPath();
    await mkdir(join(path, ".."), { mode: 0o700 });
    const logins = { [JSON.stringify([server])]: { accessToken: "a" } };
    await writeFile(path, JSON.stringify({ version: 1, logins }), { mode: 0o600 });
    expect(await tokenFile(path).load({ server })).toBeUndefined();
  });

  it("loses nothing that is saved at the same time", async () => {
    const path = await newPath();
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    await Promise.all(users.map((user) => tokenFile(path).save({ server, user }, login(user))));
    const kept = await Promise.all(users.map((user) => tokenFile(path).load({ server, user })));
    expect(kept.map((each) => each?.accessToken)).toEqual(users);
  });

  it("lets one at a time work for an owner, also through another store of the same file", async () => {
    const path = await newPath();
    let inside = 0;
    const work = async () => {
      inside++;
      await readFile(new URL(import.meta.url));
      expect(inside).toBe(1);
      inside--;
    };
    await Promise.all(Array.from({ length: 6 }, () => tokenFile(path).exclusive({ server }, work)));
    await expect(tokenFile(path).exclusive({ server }, () => Promise.reject(new Error("failed")))).rejects.toThrow(
      "failed",
    );
    await tokenFile(path).exclusive({ server }, work);
  });

  it("leaves the lock of another process alone that has broken its own", async () => {
    const path = await newPath();
    let others = "";
    await tokenFile(path).exclusive({ server }, async () => {
      const lock = (await readdir(dirname(path))).find((name) => name.endsWith(".lock")) ?? "";
      others = join(dirname(path), lock);
      await writeFile(others, "of another process");
    });
    expect(await readFile(others, "utf8")).toBe("of another process");
  });

  it("breaks the lock of a process that died", async () => {
    const path = await newPath();
    const store = tokenFile(path);
    await store.save({ server }, login("a"));
    await writeFile(`${path}.lock`, "");
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${path}.lock`, longAgo, longAgo);
    await store.save({ server }, login("b"));
    expect((await store.load({ server }))?.accessToken).toBe("b");
  });
});
