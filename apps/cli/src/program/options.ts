import { type Command, Option } from "commander";
import { UsageError } from "../base/errors/usage-error.ts";
import { type SettingName, settingOf } from "../place/config/settings.ts";
import { defaultStore } from "../place/store/store-path.ts";

/** Adds the options of these keys of the configuration. */
export function addSettings(command: Command, ...names: SettingName[]): Command {
  for (const name of names) command.addOption(settingOption(name));
  return command;
}

/** The option of a key of the configuration, which says what it takes. */
export function settingOption(name: SettingName, description = settingOf(name).description): Option {
  const { flags, type, choices, usual } = settingOf(name);
  if (choices) return new Option(flags, description).choices(choices).default(usual);
  if (type === "switch") return new Option(flags, description);
  if (type === "count") return countOption(flags, description);
  if (type === "amount") return amountOption(flags, description);
  return type === "list" ? repeated(flags, description) : valueOption(flags, description);
}

export function storeOption(): Option {
  return settingOption("store").default(
    defaultStore(),
    "$COGENCY_STORE, else $XDG_DATA_HOME/cogency/cogency.db, else ~/.cogency/cogency.db",
  );
}

export function userOption(description: string): Option {
  return valueOption("--user <name>", description);
}

export function limitOption(count: number, noun: string): Option {
  return countOption("--limit <count>", `the most ${noun} to print`).default(count);
}

/** An option that takes a whole number from 1 up. */
function countOption(flags: string, description: string): Option {
  const option = valueOption(flags, description, (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new UsageError(`${option.long} must be a whole number from 1 up.`);
  });
  return option;
}

/** An option that takes a number above 0. */
function amountOption(flags: string, description: string): Option {
  const option = valueOption(flags, description, (text) => {
    if (/^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) > 0) return Number(text);
    throw new UsageError(`${option.long} must be a number above 0, such as 0.5.`);
  });
  return option;
}

/** An option that takes a number from 0 up. */
export function numberOption(flags: string, description: string): Option {
  const option = valueOption(flags, description, (text) => {
    if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
    throw new UsageError(`${option.long} must be a number from 0 up, such as 10.`);
  });
  return option;
}

/** An option that may be given several times; its values add up. */
export function repeated(flags: string, description: string): Option {
  const option = valueOption(flags, description);
  return option.argParser((value: string, before: string[] | undefined) => [
    ...(before ?? []),
    filled(option.long, value),
  ]);
}

/** An option that takes any value except an empty one. */
export function valueOption(
  flags: string,
  description: string,
  read: (text: string) => unknown = (text) => text,
): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string) => read(filled(option.long, value)));
}

/** Refuses an empty value, which usually comes from an unset shell variable. */
export function filled(option: string | undefined, value: string): string {
  if (value.trim() !== "") return value;
  throw new UsageError(`${option} is empty. Give it a value, or leave it out.`);
}
