import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { redactSecrets } from "@cogency/storage";
import { UsageError } from "../base/errors/usage-error.ts";
import { readRegularText } from "../base/files/read-regular-file.ts";
import { isObject } from "../base/is-object.ts";
import { note } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { oneLine, visible } from "../base/terminal/text.ts";
import { changeJson } from "../place/config/change-json.ts";
import { configOf, readConfig, userConfigFile } from "../place/config/config-file.ts";
import { unknownKey } from "../place/config/config-problem.ts";
import type { Resolved } from "../place/config/merge.ts";
import { isSettingName, type SettingName, settingNames } from "../place/config/option-table.ts";
import { projectFiles } from "../place/config/project.ts";
import { readValue, shownValue } from "../work/configure.ts";
import { keepTrust } from "./keep-trust.ts";

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
  await trusted(options, () =>
    changeJson(
      file,
      options.project ? 0o644 : 0o600,
      (text) => configOf(file, text),
      (before) => {
        const profiles = isObject(before.profiles) ? before.profiles : {};
        return profile === undefined
          ? changed(before, name, content)
          : changed(before, "profiles", changed(profiles, profile, changed(profiles[profile], name, content)));
      },
    ),
  );
  note(`Written to ${file}.`);
}

function changed(values: unknown, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...rest } = isObject(values) ? values : {};
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** `cogency config edit`. @throws UsageError without an editor, and for what is wrong in the file afterwards */
export async function editConfig(options: { project?: true }): Promise<void> {
  const file = configPath(options);
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor) throw new UsageError(`No editor is set in EDITOR. The file is ${file}.`);
  if (readRegularText(file) === undefined) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, "{}\n", { mode: options.project ? 0o644 : 0o600 });
  }
  await trusted(options, async () => {
    // EDITOR may hold options of the editor, so a shell reads it; the file is an argument of its own.
    const { status } = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    if (status !== 0) throw new UsageError(`The editor ended with exit code ${status}: ${editor}`);
  });
  readConfig(file);
  note(`${file} is valid.`);
}

/** `cogency config path`. */
export async function printConfigPath(options: { project?: true }): Promise<void> {
  await put(`${visible(configPath(options))}\n`);
}

/** The file that a command of `cogency config` works on. */
function configPath({ project }: { project?: true }): string {
  return project ? projectFiles(".").config : userConfigFile();
}

function trusted({ project }: { project?: true }, change: () => Promise<void>): Promise<void> {
  return project ? keepTrust(change) : change();
}

/** @throws UsageError for a name that is not a key; it says which one was meant */
function configurableKey(name: string): SettingName {
  if (isSettingName(name)) return name;
  if (name === "mcp")
    throw new UsageError("mcp holds servers: cogency mcp list shows them, and cogency mcp add and remove change them.");
  if (name === "hooks")
    throw new UsageError("hooks is a list: cogency hooks list shows it, and cogency config edit changes it.");
  throw new UsageError(oneLine(`In a configuration ${unknownKey("", name, settingNames)}`, 600));
}
