import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { loginServers } from "../../test/support/login-servers.ts";
import { memoryTokens } from "../client/auth/memory-tokens.ts";
import { oauth } from "../client/auth/oauth.ts";
import { type Loopback, type LoopbackOptions, loopback } from "./loopback.ts";

const page = new URL("https://login.example.com/authorize");
const endless = new AbortController().signal;

async function listening(options: Partial<LoopbackOptions> = {}): Promise<Loopback> {
  const back = await loopback({ open: () => {}, ...options });
  onTestFinished(() => back.close());
  return back;
}

describe("loopback", () => {
  it("gives the answer with the right state, and a page that repeats nothing", async () => {
    const back = await listening();
    const answer = back.authorize(page, { state: "right", signal: endless });
    const response = await fetch(`${back.redirectUrl}?code=c0de&state=right&iss=https://login.example.com`);
    expect(Object.fromEntries(await answer)).toEqual({
      code: "c0de",
      state: "right",
      iss: "https://login.example.com",
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining("You can close this window.")]);
    expect(text).not.toMatch(/c0de|script/);
    expect(response.headers.get("content-security-policy")).toBe("default-src 'none'");
  });

  it("shows the address of the login, and comes back through a whole login", async () => {
    const servers = await loginServers();
    const login = oauth({ server: servers.url, store: memoryTokens() });
    const back = await listening({ open: async (address) => void (await fetch(address)).text() });
    await login.login(back);
    expect((await login.status()).isLoggedIn).toBe(true);
  });

  it("ignores whatever is not the answer, and waits on", async () => {
    const back = await listening();
    const answer = back.authorize(page, { state: "right", signal: endless });
    const others = [
      "?code=evil&state=wrong",
      "?code=evil",
      "?error=access_denied",
      "/../?code=evil&state=right",
      "x?state=right",
    ];
    for (const other of others) expect((await fetch(back.redirectUrl + other)).ok, other).toBe(false);
    expect((await fetch(`${back.redirectUrl}?code=evil&state=right`, { method: "POST" })).ok).toBe(false);
    await fetch(`${back.redirectUrl}?code=good&state=right`);
    expect((await answer).get("code")).toBe("good");
  });

  it("answers no page that knows it under another name", async () => {
    const back = await listening();
    const answer = back.authorize(page, { state: "right", signal: endless });
    const status = await new Promise((resolve) => {
      const asked = request(`${back.redirectUrl}?code=evil&state=right`, { headers: { host: "evil.example" } });
      asked.on("response", (response) => resolve(response.resume().statusCode)).end();
    });
    expect(status).toBe(421);
    await fetch(`${back.redirectUrl}?code=good&state=right`);
    expect((await answer).get("code")).toBe("good");
  });

  it("takes one answer, and then listens no more", async () => {
    const back = await listening();
    const answer = back.authorize(page, { state: "right", signal: endless });
    await fetch(`${back.redirectUrl}?code=first&state=right`);
    expect((await answer).get("code")).toBe("first");
    await expect(fetch(`${back.redirectUrl}?code=second&state=right`)).rejects.toThrow();
  });

  it("gives up in the end", async () => {
    const back = await listening({ timeout: 1 });
    await expect(back.authorize(page, { state: "right", signal: endless })).rejects.toMatchObject({ code: "expired" });
    await expect(fetch(back.redirectUrl)).rejects.toThrow();
  });

  it.each([
    ["the browser does not open", { open: () => Promise.reject(new Error("no browser")) }, endless, "no browser"],
    ["nobody wants the login any more", {}, AbortSignal.abort(new Error("stopped")), "stopped"],
  ])("ends at once if %s", async (_, options, signal, message) => {
    const back = await listening(options);
    await expect(back.authorize(page, { state: "right", signal })).rejects.toThrow(message);
    await expect(fetch(back.redirectUrl)).rejects.toThrow();
  });

  it("listens on the port that it is given, and says so if it cannot", async () => {
    const first = await listening();
    const port = Number(new URL(first.redirectUrl).port);
    await expect(loopback({ open: () => {}, port })).rejects.toMatchObject({ code: "unreachable" });
    await first.close();
    expect((await listening({ port })).redirectUrl).toBe(first.redirectUrl);
  });
});
