import type { Command } from "@cogency/skills/commands";
import type { Placed } from "../../place/texts/find-texts.ts";

/** A command that counts, and where it is from: `built in`, too. */
export type OpenCommand = Placed<Command>;

export const builtIn = "built in";
