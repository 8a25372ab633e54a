import { readClipboard } from "../clipboard/read-clipboard.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/paste`, and Ctrl-V: a picture or a text from the clipboard. */
export const pasteCommand: SlashCommand = {
  name: "paste",
  help: "put the picture or the text of the clipboard into what you type; Ctrl-V does the same",
  anytime: true,
  async run(conversation) {
    const { session, view } = conversation;
    const { root, terminalClipboard } = session.choice;
    const found = await readClipboard({ root });
    if (found.kind === "picture") return conversation.paste(found.picture);
    const text = found.kind === "text" ? found.text : terminalClipboard ? await view.terminalClipboard() : undefined;
    if (text !== undefined) {
      if (!view.insert(text)) view.remark("The clipboard holds a text: paste it with the key of the terminal.");
    } else if (found.kind === "nothing")
      view.remark(terminalClipboard ? `${found.why} ${refused}` : found.why, "warning");
  },
};

const refused = "The terminal gave none either: it does not know the question (OSC 52), or its settings refuse it.";
