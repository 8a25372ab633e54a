import { type Command, Option } from "commander";
import { UsageError } from "../base/errors/usage-error.ts";
import { namedTools } from "../base/tool-names.ts";
import {
  type OptionCommand,
  type OptionName,
  type OptionRow,
  optionRow,
  optionsOf,
} from "../place/config/option-table.ts";
import { isPort } from "../place/config/port.ts";
import { defaultStore } from "../place/store/store-path.ts";

/** Adds those of its options that the table has for a command. */
export function addOptions(command: Command, of: OptionCommand, isAdded = (_: OptionName) => true): Command {
  for (const name of optionsOf(of).filter(isAdded)) command.addOption(optionOf(name));
  return command;
}

/** An option of the table. */
export function optionOf(name: OptionName, description?: string): Option {
  const row = optionRow(name);
  const { usual, preset, excludes = [] } = row;
  const option = optionOfType(name, row, description ?? row.help ?? row.description).conflicts(excludes);
  if (name === "store") return option.default(defaultStore(), placesOfStore);
  return option.default(usual).preset(preset);
}

const placesOfStore = "$COGENCY_STORE, else $XDG_DATA_HOME/cogency/cogency.db, else ~/.cogency/cogency.db";

function optionOfType(name: OptionName, { flags, type, choices }: OptionRow, description: string): Option {
  if (choices) return new Option(flags, description).choices(choices);
  if (name === "tools") return valueOption(flags, description, (text) => namedTools("--tools", text));
  if (flags.endsWith("]")) return new Option(flags, description);
  switch (type) {
    case "switch":
      return new Option(flags, description);
    case "count":
      return countOption(flags, description);
    case "amount":
      return numeric(flags, description, /^(?=.*[1-9])\d{1,9}(\.\d{1,9})?$/, "a number above 0, such as 0.5");
    case "list":
      return repeated(flags, description);
    case "ports":
      return repeated(flags, description, portOf);
    default:
      return valueOption(flags, description);
  }
}

export function userOption(description: string): Option {
  return valueOption("--user <name>", description);
}

export function limitOption(count: number, noun: string): Option {
  return countOption("--limit <count>", `the most ${noun} to print`).default(count);
}

export function countOption(flags: string, description: string): Option {
  return numeric(flags, description, /^[1-9]\d{0,8}$/, "a whole number from 1 up");
}

/** An option that takes a number from 0 up. */
export function numberOption(flags: string, description: string): Option {
  return numeric(flags, description, /^\d{1,9}(\.\d{1,9})?$/, "a number from 0 up, such as 10");
}

function numeric(flags: string, description: string, taken: RegExp, what: string): Option {
  const option = valueOption(flags, description, (text) => {
    if (taken.test(text)) return Number(text);
    throw new UsageError(`${option.long} must be ${what}.`);
  });
  return option;
}

/** An option that may be given several times; its values add up. */
export function repeated(
  flags: string,
  description: string,
  read: (text: string, option: string) => unknown = (text) => text,
): Option {
  const option = valueOption(flags, description);
  return option.argParser((value: string, before: unknown[] | undefined) => [
    ...(before ?? []),
    read(filled(option.long, value), option.long ?? ""),
  ]);
}

/** An option that takes a port. */
export function portOption(flags: string, description: string): Option {
  const option = valueOption(flags, description, (text) => portOf(text, option.long ?? ""));
  return option;
}

function portOf(text: string, option: string): number {
  if (/^\d{1,5}$/.test(text) && isPort(Number(text))) return Number(text);
  throw new UsageError(`${option} must be a port from 1 to 65535, such as 3000.`);
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
function filled(option: string | undefined, value: string): string {
  if (value.trim() !== "") return value;
  throw new UsageError(`${option} is empty. Give it a value, or leave it out.`);
}
