import { shellWord } from "../../base/terminal/shell-word.ts";
import { type TypedOptions, typedWords } from "../../place/config/typed-words.ts";
import { shownStore } from "../../place/store/store-address.ts";
import { defaultStore } from "../../place/store/store-path.ts";

/**
 * The command that goes on with a conversation of the store at `place`. The address of a server stands there without user and password,
 * which belong on no screen.
 *
 * @param typed the options that were typed, and stand in no configuration
 */
export function resumeCommand(conversation: string, place: string, typed: TypedOptions = {}): string {
  const store = place === defaultStore() ? "" : ` --store ${shellWord(shownStore(place))}`;
  return ["cogency --resume", shellWord(conversation), ...typedWords(typed).map(shellWord)].join(" ") + store;
}
