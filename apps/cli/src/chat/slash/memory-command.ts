import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { memoryRows, wordsStay } from "../../person/show/memory-rows.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/memory`: what is remembered of the person. */
export const memoryCommand: SlashCommand = {
  name: "memory",
  argument: "[remember <words>|forget <id>]",
  help: "what is remembered of you; remember keeps words of yours, forget removes a memory for good",
  anytime: true,
  async complete({ session }) {
    const { readProfile } = await import("@cogency/memory");
    const { memories } = (await readProfile(await session.store(), undefined)).profile;
    return ["remember", ...memories.map(({ id }) => `forget ${id}`)];
  },
  async run({ session, view }, argument) {
    const { forget, isMemoryError, readProfile, remember } = await import("@cogency/memory");
    const [, word, value = ""] = /^(?:(remember|forget)\s+(.+))?$/s.exec(argument) ?? [undefined, "unknown"];
    const store = await session.store();
    try {
      if (word === "remember") {
        const { id } = await remember(store, undefined, { words: value });
        return view.remark(`Remembered as ${id}. It counts from the next turn on${off(session.choice.memory)}.`);
      }
      if (word === "forget") {
        const forgotten = await forget(store, undefined, value.split(/\s+/));
        return view.remark(`${counted(forgotten.length, "memory", "memories")} forgotten. ${wordsStay}`);
      }
    } catch (error) {
      if (isMemoryError(error)) throw new UsageError(oneLine(error.message, 300));
      throw error;
    }
    if (word !== undefined) throw new UsageError("Write /memory, /memory remember <words> or /memory forget <id>.");
    const { memories } = (await readProfile(store, undefined)).profile;
    if (memories.length === 0) view.remark("Nothing is remembered of you.");
    view.list(
      memoryRows(memories).map(([id = "", said, about, words, from]) => [id, `${words} (${about}, ${said}, ${from})`]),
    );
    if (session.choice.memory !== "on")
      view.remark("Memory is off: nothing is learned, and the model reads none of it. cogency memory on turns it on.");
  },
};

function off(use: string | undefined): string {
  return use === "on" ? "" : ", once memory is on: cogency memory on";
}
