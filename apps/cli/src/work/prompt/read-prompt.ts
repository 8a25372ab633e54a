import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { Attachment } from "@cogency/protocol";
import type { Provider } from "@cogency/provider";
import type { Root } from "@cogency/toolbox";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type AttachedFile, attachedFile, mentionedFiles } from "./attached-files.ts";
import { textIn } from "./text-in.ts";

/** What a person says to the agent. */
export interface Prompt {
  text: string;
  /** Whether the text, or a part of it, came from stdin. */
  isPiped: boolean;
  files: readonly AttachedFile[];
}

/**
 * Reads the prompt, the text that is piped in, and the files that the prompt mentions. Piped text attaches no file: nobody typed
 * the paths in it.
 *
 * @param root the folder of the project
 * @param serversIn names of servers whose resources the prompt may mention; they are read later
 * @throws UsageError
 */
export async function readPrompt(
  prompt: string | undefined,
  root: string,
  attach: readonly string[] = [],
  serversIn: (prompt: string) => Promise<ReadonlySet<string>> = async () => new Set(),
): Promise<Prompt> {
  const isAll = prompt === undefined || prompt === "-";
  if (!isAll && prompt.trim() === "") throw new UsageError('The prompt is empty. Say what to do, or "-" for stdin.');
  const piped = await readPiped(prompt);
  if (isAll && piped.trim() === "") {
    throw new UsageError(
      prompt === "-"
        ? "Stdin held no prompt. Pipe one in."
        : 'There is no prompt. Say what to do, "-" for stdin, or --resume to go on with a conversation.',
    );
  }
  const files = isAll ? [] : await mentionedFiles(prompt, root, { servers: await serversIn(prompt) });
  for (const path of attach) files.push(await attachedFile(path, root));
  const distinct = new Map(files.map((file) => [file.real, file]));
  const isPiped = piped.trim() !== "";
  const text = isAll ? piped : isPiped ? withPiped(prompt, piped) : prompt;
  return { text, isPiped, files: [...distinct.values()] };
}

/** Shows the model which text was piped in. */
function withPiped(prompt: string, piped: string): string {
  return `${prompt}\n\n${between("stdin", "", piped)}`;
}

/** A text between tags that it does not end itself. */
function between(name: string, attribute: string, text: string): string {
  let tag = name;
  while (text.includes(`</${tag}`)) tag += "_";
  return `<${tag}${attribute}>\n${text.trimEnd()}\n</${tag}>`;
}

/** What the model gets of a prompt: its words, the texts of files, each marked with its path, and the images and PDFs. */
export function contentOf({ text, files }: Prompt): { text: string; attachments: Attachment[] } {
  const texts = files.flatMap((file) =>
    file.text === undefined ? [] : [between("file", ` path=${JSON.stringify(file.asked)}`, file.text)],
  );
  const attachments = files.flatMap(({ attachment }) => attachment ?? []);
  return { text: [text, ...texts].join("\n\n"), attachments };
}

/** Text that is piped in, or comes from a file; empty if there is none. Waits for a pipe that stays silent only for the prompt "-". */
async function readPiped(prompt: string | undefined): Promise<string> {
  const { stdin } = process;
  if (prompt === "-") return readStdin();
  if (stdin.isTTY) return "";
  const silent = new AbortController();
  const first = once(stdin, "readable", silent).then(() => true);
  const given = await Promise.race([first, setTimeout(longestSilence, false, { ref: false })]);
  if (given) return readStdin();
  first.catch(() => {});
  silent.abort();
  note(
    `Stdin is open, but nothing came for ${longestSilence / 1000} s, so it is not read. "-" as the prompt waits for it.`,
  );
  return "";
}

/** Milliseconds. Programs that start others often leave them a pipe that they never use. */
const longestSilence = 2000;

/** All of the text that is piped in. @throws UsageError for bytes that are no text */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  const text = textIn(Buffer.concat(chunks));
  if (text !== undefined) return text;
  throw new UsageError(
    "Stdin is neither text in UTF-8 nor in UTF-16 with a byte order mark. Attach an image or a PDF with @ and its path.",
  );
}

/** @throws UsageError for a file of a kind that the model does not take */
export function checkTaken({ files }: Prompt, { name, model, capabilities }: Provider): void {
  const { attachments: taken = [] } = capabilities;
  const wrong = files.find(({ attachment }) => attachment && !taken.includes(attachment.kind));
  if (!wrong?.attachment) return;
  const { kind, mediaType } = wrong.attachment;
  const what = `${oneLine(wrong.asked, 200)} (${mediaType}) cannot be attached`;
  const others = taken.length === 0 ? "no attachments" : `only ${taken.map((one) => `${one}s`).join(" and ")}`;
  const advice = `Choose a model that takes ${kind}s, or leave it out.`;
  throw new UsageError(`${what}: ${oneLine(`${name} ${model}`, 100)} takes ${others}. ${advice}`);
}

/** Where the prompt came from, if no person vouches for all of it. */
export function sourceOf({ isPiped, files }: Prompt, root: Pick<Root, "isMarked">): string | undefined {
  if (isPiped) return "piped input";
  return files.find(({ real, isUntrusted }) => isUntrusted === true || root.isMarked(real))?.asked;
}

/** The files whose content the prompt holds: private, as what a tool reads. Undefined without any. */
export function privateIn({ files }: Prompt): string | undefined {
  return files.length === 0 ? undefined : files.map(({ asked }) => asked).join(", ");
}
