import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveModel } from "../model/serve-model.ts";
import { cogency } from "../peers/cogency.ts";
import type { Peer } from "../peers/peer.ts";
import { hasTerminal } from "../terminal.ts";
import { type Kind, measurePeer } from "./measure-peer.ts";
import { writeProject } from "./project.ts";

/** A port that no test listens on: what the model lets the app start must not meet a server of the machine. */
const port = 41_731;

describe.skipIf(!hasTerminal)("a peer that is measured", () => {
  it("does the steps of a piece of work that a terminal can do, asks, and leaves nothing running", async () => {
    const { work } = await measured({ ...cogency, modes: [{ name: "ask", options: [] }] }, "work");
    expect(work).toEqual([
      {
        mode: "ask",
        result: {
          value: {
            done: expect.arrayContaining(["list and read", "grep | head", "edit", "npm test", "heredoc", "rm -rf"]),
            undone: expect.any(Array),
            questions: expect.toSatisfy((questions: number) => questions > 0),
            left: [],
          },
        },
      },
    ]);
  });

  it("has figures", async () => {
    const { start, oneShot } = await measured(cogency, "figures");
    expect(start).toEqual({ value: expect.any(Number) });
    expect(oneShot).toEqual({ value: expect.any(Number) });
  });

  it("has no figure but the reason if it does not start", async () => {
    const broken: Peer = { ...cogency, chat: () => ["sh", "-c", "echo sign in first"], oneShot: () => ["false"] };
    const { start, oneShot, streaming } = await measured(broken, "figures");
    expect(start).toEqual({ failed: expect.stringMatching(/it ended and showed:\s+sign in first/) });
    expect(oneShot).toEqual({ failed: expect.stringMatching(/got no answer/) });
    expect(streaming).toEqual(start);
  });
});

async function measured(peer: Peer, kind: Kind) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "peers-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = await serveModel();
  onTestFinished(() => server.close());
  const place = { installed: folder, home: join(folder, "home"), project: join(folder, "project"), url: server.url };
  writeProject(place.project, port);
  peer.prepare(place);
  return measurePeer({ peer, place, server }, new Set([kind]), port);
}
