import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { describeRedis, redisUrl } from "./describe-redis.ts";
import { startRedis } from "./start-redis.ts";

describeRedis("startRedis", () => {
  it("gives tests a server that accepts nobody without the password", async () => {
    expect(await say(redisUrl(), "PING")).toMatch(/^-NOAUTH/);
  });

  it("restarts on the same port, and ends", async () => {
    const server = await startRedis();
    onTestFinished(() => server.stop());
    await server.restart();
    expect(await say(server.url, "PING")).toMatch(/^-NOAUTH/);
    await server.stop();
    await server.stop();
    await expect(say(server.url, "PING")).rejects.toThrow("ECONNREFUSED");
  });

  it("ends when the process that started it is killed", async () => {
    const owner = spawn(process.execPath, [fileURLToPath(new URL("start-and-wait.ts", import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void owner.kill("SIGKILL"));
    const [url] = (await once(createInterface(owner.stdout), "line")) as [string];
    owner.kill("SIGKILL");
    await vi.waitFor(() => expect(say(url, "PING")).rejects.toThrow("ECONNREFUSED"), { timeout: 15_000 });
  });
});

/** The first answer to a command, without the password. */
async function say(url: string, command: string): Promise<string> {
  const socket = createConnection({ port: Number(new URL(url).port), host: "127.0.0.1" });
  try {
    await once(socket, "connect");
    socket.write(`${command}\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    return String(answer);
  } finally {
    socket.destroy();
  }
}
