import { Option } from "commander";
import { UsageError } from "../base/errors/usage-error.ts";
import { defaultStore } from "../place/store/store-path.ts";

export function storeOption(): Option {
  return valueOption(
    "--store <place>",
    'the SQLite file of the conversations, or the postgres:// address of a database; ":memory:" keeps nothing',
  ).default(defaultStore(), "$COGENCY_STORE, else $XDG_DATA_HOME/cogency/cogency.db, else ~/.cogency/cogency.db");
}

export function userOption(description: string): Option {
  return valueOption("--user <name>", description);
}

export function startInOption(description: string): Option {
  return new Option("--start-in <where>", description).choices(["text", "think"]).default("text");
}

export function accessOption(description: string): Option {
  return new Option("--access <level>", description).choices(["sandbox", "project", "system"]).default("project");
}

export function limitOption(count: number, noun: string): Option {
  return countOption("--limit <count>", `the most ${noun} to print`).default(count);
}

/** An option that takes a whole number from 1 up. */
export function countOption(flags: string, description: string): Option {
  const option = valueOption(flags, description, (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new UsageError(`${option.long} must be a whole number from 1 up.`);
  });
  return option;
}

/** An option that takes a number above 0. */
export function amountOption(flags: string, description: string): Option {
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

/** An option that takes any value except an empty one. */
export function valueOption(
  flags: string,
  description: string,
  read: (text: string) => unknown = (text) => text,
): Option {
  const option = new Option(flags, description);
  return option.argParser((value: string) => read(filled(option, value)));
}

/** Refuses an empty value, which usually comes from an unset shell variable. */
export function filled(option: Option, value: string): string {
  if (value.trim() !== "") return value;
  throw new UsageError(`${option.long} is empty. Give it a value, or leave it out.`);
}
