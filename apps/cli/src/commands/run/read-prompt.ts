import type { Provider } from "@cogency/provider";
import type { Root } from "@cogency/toolbox";
import { UsageError } from "../../errors/usage-error.ts";
import { oneLine } from "../../terminal/text.ts";
import { type AttachedFile, attachedFile, mentionedFiles } from "./attached-files.ts";

/** What a person says to the agent. */
export interface Prompt {
  text: string;
  /** Whether the text came from stdin. */
  isPiped: boolean;
  files: readonly AttachedFile[];
}

/**
 * Reads the prompt and the files that belong to it. Only a path on the command line attaches a file: nobody
 * has typed a path in piped text.
 *
 * @throws UsageError
 */
export async function readPrompt(prompt: string | undefined, attach: readonly string[] = []): Promise<Prompt> {
  if (prompt === undefined) {
    throw new UsageError(
      'There is no prompt. Say what to do, "-" for stdin, or --resume to go on with a conversation.',
    );
  }
  const isPiped = prompt === "-";
  const text = isPiped ? await readStdin() : prompt;
  if (text.trim() === "") {
    throw new UsageError(
      isPiped ? "Stdin held no prompt. Pipe one in." : 'The prompt is empty. Say what to do, or "-" for stdin.',
    );
  }
  const files = isPiped ? [] : await mentionedFiles(text);
  for (const path of attach) files.push(await attachedFile(path));
  const once = new Map(files.map((file) => [file.real, file]));
  return { text, isPiped, files: [...once.values()] };
}

async function readStdin(): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of process.stdin) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** @throws UsageError for a file of a kind that the model does not take */
export function checkTaken({ files }: Prompt, { name, model, capabilities }: Provider): void {
  const { attachments: taken = [] } = capabilities;
  const wrong = files.find(({ attachment }) => !taken.includes(attachment.kind));
  if (!wrong) return;
  const { kind, mediaType } = wrong.attachment;
  const what = `${oneLine(wrong.asked, 200)} (${mediaType}) cannot be attached`;
  const others = taken.length === 0 ? "no attachments" : `only ${taken.map((one) => `${one}s`).join(" and ")}`;
  const advice = `Choose a model that takes ${kind}s, or leave it out.`;
  throw new UsageError(`${what}: ${oneLine(`${name} ${model}`, 100)} takes ${others}. ${advice}`);
}

/** Where the prompt came from, if no person vouches for all of it. */
export function sourceOf({ isPiped, files }: Prompt, root: Pick<Root, "isMarked">): string | undefined {
  if (isPiped) return "piped input";
  return files.find(({ real }) => root.isMarked(real))?.asked;
}
