import type { StoredEvent } from "@cogency/storage";
import { expect, it } from "vitest";
import { logOf, recordedConversations } from "./index.ts";
import { recordScene } from "./recording/record-scene.ts";
import { scenes } from "./scenes/index.ts";

/** Calls of one batch begin and end in any order. */
function kindsOf(log: readonly StoredEvent[]): string[] {
  return log.map((event) => (event.type === "record" ? event.kind : event.type)).sort();
}

it.concurrent.each(scenes)("$name is what an agent stores today: record it anew if that has changed", async (scene) => {
  const recorded = recordedConversations.find(({ name }) => name === scene.name);
  expect(kindsOf(logOf(await recordScene(scene)))).toEqual(recorded && kindsOf(logOf(recorded)));
});
