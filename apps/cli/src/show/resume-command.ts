import { shownStore } from "../setup/store/store-address.ts";
import { defaultStore } from "../setup/store/store-path.ts";
import { shellWord } from "../terminal/shell-word.ts";

/**
 * The command that goes on with a conversation of the store at `place`. The address of a server stands there without user and password,
 * which belong on no screen.
 */
export function resumeCommand(conversation: string, place: string): string {
  const store = place === defaultStore() ? "" : ` --store ${shellWord(shownStore(place))}`;
  return `cogency --resume ${shellWord(conversation)}${store}`;
}
