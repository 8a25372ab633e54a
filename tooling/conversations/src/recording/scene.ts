import type { Key } from "@cogency/storage";
import type { Stage } from "./stage.ts";

/** A conversation to record. */
export interface Scene {
  readonly name: string;
  readonly about: string;
  /** Plays it under the key of the stage. Returns another key to record that conversation instead, as its log is in the end. */
  play(stage: Stage): Promise<Key | undefined>;
}

/** A scene that plays under the key of the stage. */
export function scene(name: string, about: string, play: (stage: Stage) => Promise<unknown>): Scene {
  return {
    name,
    about,
    async play(stage) {
      await play(stage);
      return undefined;
    },
  };
}
