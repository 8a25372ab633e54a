import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { visible } from "../../base/terminal/text.ts";
import { configurableKey } from "../../place/config/configurable-key.ts";
import type { Resolved } from "../../place/config/merge.ts";
import { settingNames } from "../../place/config/settings.ts";
import { shownValue } from "../../work/configure.ts";

export interface GetOptions {
  showOrigin?: true;
}

/** `cogency config get`. @throws UsageError for a key that there is not */
export async function getConfig(
  key: string | undefined,
  { showOrigin }: GetOptions,
  resolved: ReadonlyMap<string, Resolved>,
): Promise<void> {
  const names = key === undefined ? settingNames.filter((name) => resolved.has(name)) : [configurableKey(key)];
  for (const name of names) {
    const { value, origin } = resolved.get(name) ?? { value: undefined, origin: "default" };
    const shown = value === undefined ? "" : shownValue(name, value);
    // In a list, a value of several lines could look like other keys.
    const text = key === undefined ? shown.replaceAll("\n", "\\n") : shown;
    const label = key === undefined ? `${name} = ` : "";
    if (value === undefined && !showOrigin) note(`${name} is not set: its default counts.`);
    else await put(`${visible(`${label}${text}${showOrigin ? `${text && "\t"}${origin}` : ""}`)}\n`);
  }
  if (names.length === 0) note("Nothing is configured: every default counts.");
}
