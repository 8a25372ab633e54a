import { editProfile, forget, forgetAll, isMemoryError, readProfile, remember } from "@cogency/memory";
import { isConflictError, type Store } from "@cogency/storage";
import { editElsewhere } from "../../base/edit-elsewhere.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { scopeOf } from "../../base/scope-of.ts";
import { note } from "../../base/terminal/note.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { memoryRows, wordsStay } from "../../person/show/memory-rows.ts";
import { editedIn, linesOf } from "../../place/memory/profile-lines.ts";
import { openStore } from "../../place/store/open-store.ts";
import { withHistory } from "../../place/store/with-history.ts";
import { isAgreed } from "../is-agreed.ts";
import type { MemoryCommandOptions } from "./show-memory.ts";

/** `cogency memory remember`. @throws UsageError for words that cannot be kept */
export async function rememberWords(
  words: string,
  { store: place, about }: MemoryCommandOptions & { about?: "person" | "preference" | "project" | "rule" },
): Promise<void> {
  const store = await openStore(place);
  try {
    const scope = about === "project" ? scopeOf(".") : undefined;
    const { id } = await said(() => remember(store, undefined, { words, about, scope }));
    note(`Remembered as ${id}.`);
  } finally {
    await store.close();
  }
}

/**
 * `cogency memory forget`. Forgets nothing unless all of the memories exist.
 *
 * @throws UsageError for ids that there are not, and if there is no terminal to ask at
 */
export async function forgetMemory(
  ids: readonly string[],
  options: MemoryCommandOptions & { all?: true; yes?: true },
): Promise<void> {
  const { all, yes } = options;
  if (ids.length > 0 === (all === true))
    throw new UsageError("Name the memories by their ids, as cogency memory show prints them, or give --all.");
  const canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!yes && !canAsk)
    throw new UsageError("There is no terminal to ask at. Give --yes to forget without being asked.");
  await withHistory(options, async (store) => {
    if (!yes && !(await isAgreed(await described(store, ids, all), terminal(), "Forget this? It cannot be undone.")))
      return note("Nothing was forgotten.");
    if (all) await forgetAll(store, undefined);
    const forgotten = all ? [] : await said(() => forget(store, undefined, ids));
    note(
      `${all ? "All of it is" : `${counted(forgotten.length, "memory", "memories")} forgotten: ${forgotten.length === 1 ? "it is" : "they are"}`} gone from the store, and from the next run on from every prompt. ${wordsStay}`,
    );
  });
}

/** One line for each memory that would be forgotten. */
async function described(store: Store, ids: readonly string[], all = false): Promise<string[]> {
  try {
    const { memories } = (await readProfile(store, undefined)).profile;
    const unknown = ids.find((id) => !memories.some((memory) => memory.id === id));
    if (unknown !== undefined) throw new UsageError(`There is no memory ${oneLine(unknown, 40)}.`);
    const named = memories.filter(({ id }) => all || ids.includes(id));
    return memoryRows(named).map(([id, , , words]) => `${id} ${words}`);
  } catch (error) {
    // Whatever stands there, all of it can be forgotten.
    if (all && isMemoryError(error)) return [oneLine(error.message, 200)];
    throw error;
  }
}

/** `cogency memory edit`. @throws UsageError without an editor, and for a line that cannot be kept */
export async function editMemory(options: MemoryCommandOptions): Promise<void> {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new UsageError("No editor is set in EDITOR. cogency memory remember and forget need none.");
  const before = await withHistory(options, (store) => readProfile(store, undefined));
  const { memories } = before.profile;
  const given = linesOf(memories);
  const text = await editElsewhere(given, editor);
  if (text === undefined) throw new UsageError(`The editor failed: ${oneLine(editor, 100)}. Nothing was changed.`);
  if (text.trimEnd() === given.trimEnd()) return note("Nothing was changed.");
  // An editor that fails may leave an empty file.
  if (text.trim() === "")
    return note("The file was left empty, so nothing was changed. cogency memory forget --all removes all.");
  const edited = editedIn(text, memories, scopeOf("."));
  const all = edited.map(({ memory }) => memory);
  const next = await withHistory(options, (store) =>
    said(
      () => editProfile(store, undefined, all, before.version),
      (index) => `Line ${edited[index]?.line}: `,
    ),
  );
  note(`${counted(next.memories.length, "memory", "memories")} kept.`);
}

function terminal() {
  return { input: process.stdin, output: process.stderr };
}

/** @throws UsageError in place of what is wrong with the words of the person */
async function said<T>(change: () => Promise<T>, where: (index: number) => string = () => ""): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (isConflictError(error))
      throw new UsageError("The memories have changed meanwhile, so nothing was changed. Do it once more.");
    if (!isMemoryError(error) || !["invalid_memory", "unknown_memory"].includes(error.code)) throw error;
    throw new UsageError(`${where(error.index ?? 0)}${oneLine(error.message, 300)} Nothing was changed.`);
  }
}
