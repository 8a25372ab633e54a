import { realpathSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import type { Attachment } from "@cogency/protocol";
import { attachmentOf } from "@cogency/toolbox/files";
import { programOutside } from "@cogency/toolbox/shell";
import { type ClipboardWay, clipboardWays, type Print } from "./clipboard-ways.ts";
import { plainText } from "./plain-text.ts";
import { printedBy } from "./printed-by.ts";

/** What a clipboard holds that a prompt takes; `why` says in a sentence that it holds nothing, or cannot be read. */
export type Clipboard =
  | { readonly kind: "picture"; readonly picture: Attachment }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nothing"; readonly why: string };

export interface ClipboardPlace {
  /** The folder of the project. A program in it is never run. */
  readonly root: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
}

/** Characters. A longer text is of no use in a line that is typed. */
const longestText = 256 * 1024;

/** The most that a picture may have, as a file that is attached. */
const limits = { most: 20 * 1024 * 1024, time: 5000 } as const;

/**
 * Reads the clipboard of this machine by the programs that it has for that. A picture comes before a text, which the terminal's own key
 * pastes, too. What a picture is, its bytes say.
 *
 * @throws UsageError for a program that takes too long, or gives too much
 */
export async function readClipboard({
  root,
  env = process.env,
  platform = process.platform,
}: ClipboardPlace): Promise<Clipboard> {
  const ways = clipboardWays({ env, platform });
  if (ways.length === 0)
    return nothing("There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set, as over SSH.");
  const find = (name: string) => programOutside(name, placeOf(root), env.PATH);
  const there = ways.filter(({ programs }) => programs.every((name) => find(name) !== undefined));
  if (there.length === 0) return nothing(`The clipboard cannot be read without ${wanted(ways)} on the PATH.`);
  const print: Print = async (name, args) => {
    const program = find(name);
    return program === undefined ? undefined : printedBy(program, args, environment(program, env), limits);
  };
  for (const way of there) {
    const bytes = await way.picture?.(print);
    const picture = bytes && attachmentOf(bytes);
    if (picture?.kind === "image") return { kind: "picture", picture };
  }
  for (const way of there) {
    const text = plainText(await way.text(print));
    if (text.length > longestText)
      return nothing(
        `The clipboard holds a text of ${text.length.toLocaleString("en")} characters: save it as a file, and name that with @.`,
      );
    if (text !== "") return { kind: "text", text };
  }
  return nothing("The clipboard holds neither a picture (PNG, JPEG, GIF or WebP) nor a text.");
}

function nothing(why: string): Clipboard {
  return { kind: "nothing", why };
}

function placeOf(root: string): { base: string; given: string } {
  const given = resolve(root);
  return { base: realpathSync(given), given };
}

function wanted(ways: readonly ClipboardWay[]): string {
  return ways.map(({ programs }) => programs.join(" and ")).join(" or ");
}

/** What the program starts in turn it finds beside itself, or in folders of the system. */
function environment(program: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: [dirname(program), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter) };
}
