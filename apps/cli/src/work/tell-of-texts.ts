import { noteOnce } from "../base/terminal/note.ts";
import { oneLine } from "../base/terminal/text.ts";
import { problemLine, type Texts } from "../place/texts/find-texts.ts";

/**
 * Says on stderr which texts are left out, and why, and which ones nobody has looked at since they were changed.
 *
 * @param one `skill`
 * @param top the folder of the project
 */
export function tellOfTexts(one: string, { problems, unseen }: Omit<Texts<never>, "items">, top: string): void {
  const kind = one.replace(/^./, (first) => first.toUpperCase());
  for (const problem of problems) noteOnce(oneLine(`${kind} left out: ${problemLine(problem)}`, 600));
  if (unseen.length === 0) return;
  const shown = [...unseen.slice(0, 5), ...(unseen.length > 5 ? [`${unseen.length - 5} more`] : [])].join(", ");
  noteOnce(
    `You have not looked at these ${one}s of the project since they were changed, so what they say counts as untrusted: ${shown}. To read them and take them as yours: cogency trust ${oneLine(top, 200)}`,
  );
}
