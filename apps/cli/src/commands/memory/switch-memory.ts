import { note } from "../../base/terminal/note.ts";
import { setConfig } from "../config-command.ts";

/** `cogency memory on` and `off`: writes the person's configuration. */
export async function switchMemory(use: "on" | "off"): Promise<void> {
  await setConfig("memory", use, {});
  note(
    use === "on"
      ? "From now on your messages, also those of the latest conversations here, are read for what you say of yourself and of how you want things done. cogency memory show prints what is kept."
      : "Nothing new is remembered, and prompts hold no memories. What is kept stays: cogency memory forget --all removes it.",
  );
}
