import type { Capability } from "@cogency/agent";
import { instructionHeads } from "../../place/context-files.ts";

/** A part of the system prompt that has a name of its own. */
export interface PromptSection {
  readonly name: string;
  readonly text: string;
}

/** @param files what instruction files say */
export function promptSections(files: string | undefined, capabilities: readonly Capability[]): PromptSection[] {
  return [
    { name: "instruction files", text: files },
    ...capabilities.map(({ name, instructions: text }) => ({ name, text })),
  ].flatMap(({ name, text }) => (text ? [{ name, text }] : []));
}

/** The sections of an earlier system prompt that is known only by how its parts begin. */
export const instructionSections: readonly PromptSection[] = instructionHeads().map((text) => ({
  name: "instruction files",
  text,
}));
