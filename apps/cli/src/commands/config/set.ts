import { redactSecrets } from "@cogency/storage";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { replaceFile, withLock } from "../../base/files/with-lock.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { configOf } from "../../place/config/config-file.ts";
import { isObject } from "../../place/config/config-problem.ts";
import { configurableKey } from "../../place/config/configurable-key.ts";
import { readValue } from "../../work/configure.ts";
import { keepTrust } from "./keep-trust.ts";
import { configPath } from "./path.ts";

export interface SetOptions {
  project?: true;
  unset?: true;
}

/** `cogency config set`. @throws UsageError for a key or a value that there is not, and for a file that is invalid */
export async function setConfig(key: string, value: string | undefined, options: SetOptions): Promise<void> {
  if ((value === undefined) !== (options.unset === true))
    throw new UsageError("Give a value, or --unset to remove the key: cogency config set <key> <value>");
  if (value !== undefined && redactSecrets(value) !== value)
    throw new UsageError(
      "That looks like a key, and a configuration holds none. To keep it: cogency config key set <NAME>",
    );
  const [, profile, field] = /^profiles\.(.+)\.([^.]+)$/.exec(key) ?? [];
  const name = configurableKey(field ?? key);
  const content = value === undefined ? undefined : readValue(name, value);
  const file = configPath(options);
  await keepTrust(options, () =>
    withLock(file, async () => {
      const text = readRegularText(file);
      const before = text === undefined ? {} : parseJson(file, text);
      if (!isObject(before)) throw new UsageError(`${oneLine(file, 300)} has to be one JSON object.`);
      const profiles = isObject(before.profiles) ? before.profiles : {};
      const after =
        profile === undefined
          ? changed(before, name, content)
          : changed(before, "profiles", changed(profiles, profile, changed(profiles[profile], name, content)));
      const written = `${JSON.stringify(after, undefined, 2)}\n`;
      configOf(file, written);
      await replaceFile(file, written, options.project ? 0o644 : 0o600);
    }),
  );
  note(`Written to ${file}.`);
}

function changed(values: unknown, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = isObject(values) ? values : {};
  return value === undefined ? rest : { ...rest, [name]: value };
}
