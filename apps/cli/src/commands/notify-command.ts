import type { NoticeContent } from "@cogency/storage/adapter";
import { exitCodes } from "../base/errors/exit-code.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { note } from "../base/terminal/note.ts";
import { resumeCommand } from "../person/show/resume-command.ts";
import { findConversation } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";
import { readStdin } from "../work/prompt/read-prompt.ts";
import { type Posted, post } from "./answer-command.ts";

export interface NotifyCommandOptions {
  store: string;
  /** Who says it. */
  source: string;
  topic?: string;
  /** Whether it begins a turn. False with `--no-wake`. */
  wake: boolean;
}

/**
 * `cogency notify`: says something to the model of a conversation that is not the person's word. A text in the command line was typed by
 * the person, or by a program that the person has started; piped text may come from anywhere, and is untrusted.
 *
 * @returns the exit code
 * @throws UsageError for a conversation that there is not, a text that is empty, and a source that is no line
 */
export function notifyCommand(
  conversation: string,
  words: readonly string[],
  { store: place, source, topic, wake }: NotifyCommandOptions,
): Promise<number> {
  checkSource(source);
  return withHistory({ store: place }, async (store) => {
    const name = await findConversation(conversation, store, place);
    const isPiped = words.length === 0 || (words.length === 1 && words[0] === "-");
    if (isPiped && process.stdin.isTTY) throw new UsageError("There is nothing to say: give a text, or pipe one in.");
    const content = (isPiped ? await readStdin() : words.join(" ")).trim();
    if (content === "") throw new UsageError("There is nothing to say: the text is empty.");
    const notice: NoticeContent = {
      kind: "notice",
      content,
      source,
      ...(isPiped && { holds: "untrusted" }),
      ...(topic !== undefined && { topic }),
      ...(!wake && { wakes: false }),
    };
    return told(await post(await agentWithoutModel(store), store, name, notice), wake, resumeCommand(name, place));
  });
}

/** @throws UsageError */
function checkSource(source: string): void {
  if (source.trim() === source && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,100}$/u.test(source)) return;
  throw new UsageError("--source is one line of 1 to 100 characters, such as ci.");
}

function told(posted: Posted, wake: boolean, resume: string): number {
  if (posted.state === "refused") throw new UsageError(`The run did not take it: ${posted.why}`);
  if (posted.state === "taken") note("The run has taken it.");
  else if (posted.isRunning) note("It is sent. The run is busy, and reads it when it looks for messages.");
  else if (wake)
    note(`It is sent. A chat, an editor, cogency open or a worker goes on with it; else it waits for: ${resume}`);
  else note("It is sent. The model reads it with the next turn.");
  return exitCodes.done;
}
