import { logOf } from "@tooling/conversations";
import { recordScene } from "@tooling/conversations/record-scene";
import { scenes } from "@tooling/conversations/scenes";
import { expect, it } from "vitest";
import { writeTest } from "./writer.ts";

/** Conversations that no agent made from a log can repeat. */
const refused: Readonly<Record<string, string>> = {
  compaction: "summed up",
  "notices-from-outside": "at a moment that a test cannot repeat",
  "tools-found": "searched its tools",
  "untrusted-and-changed-tools": "came from a server",
};

it.concurrent.each(scenes)("writes a test of $name that passes, or says why not", async (scene) => {
  const log = logOf(await recordScene(scene, { recordRequests: true }));
  const written = writeTest(log, { dataFile: "x.recorded.json" });
  const why = refused[scene.name];
  if (why !== undefined) await expect(written).rejects.toThrow(why);
  else expect((await written).turns).toBeGreaterThan(0);
});
