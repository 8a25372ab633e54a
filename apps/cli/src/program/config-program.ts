import { type Command, Option } from "commander";
import type { GetOptions, SetOptions } from "../commands/config-command.ts";
import type { TrustOptions } from "../commands/trust.ts";
import type { Resolved } from "../place/config/merge.ts";
import type { TypedOptions } from "../place/config/typed-words.ts";

/** Gives every command the values of the configuration before it runs. */
export function addConfiguration(program: Command): void {
  program.hook("preAction", async (_, command) => {
    // Imported when it is used: a command without configurable options starts without it.
    const { configure } = await import("../work/configure.ts");
    resolved.set(command, await configure(command));
  });
}

/** The options that were typed, by their names in camelCase, for a command that goes on: other places say the rest again. */
export function typedOptions(command: Command): TypedOptions {
  const typed = command.options
    .map((option) => option.attributeName())
    .filter((name) => command.getOptionValueSource(name) === "cli");
  return Object.fromEntries(typed.map((name) => [name, command.getOptionValue(name)]));
}

const resolved = new WeakMap<Command, ReadonlyMap<string, Resolved>>();

/** `cogency config` and `cogency trust`. */
export function addConfigCommands(program: Command, run: Command): void {
  const config = program
    .command("config")
    .description("look at the configuration, change it, and keep keys")
    .helpCommand(false);

  const get = config
    .command("get")
    .description("print the values that apply here: one, or all that are set; the options of run may follow")
    .argument("[key]", "such as model or baseUrl")
    .option("--show-origin", "say where each value comes from")
    .action(async (key: string | undefined, options: GetOptions) => {
      const { getConfig } = await import("../commands/config-command.ts");
      await getConfig(key, options, resolved.get(get) ?? new Map());
    });
  // So that flags are a place like any other.
  for (const option of run.options) get.addOption(hidden(option));

  config
    .command("set")
    .description("write a value into your configuration, or the project's")
    .argument("<key>", "such as model, or profiles.fast.model")
    .argument("[value]", "a text, a number, true or false; lists as JSON")
    .option("--unset", "remove it instead")
    .addOption(projectOption())
    .action(async (key: string, value: string | undefined, options: SetOptions) => {
      const { setConfig } = await import("../commands/config-command.ts");
      await setConfig(key, value, options);
    });

  config
    .command("path")
    .description("print the path of the configuration")
    .addOption(projectOption())
    .action(async (options: { project?: true }) => {
      const { printConfigPath } = await import("../commands/config-command.ts");
      await printConfigPath(options);
    });

  config
    .command("edit")
    .description("open the configuration in $EDITOR, and check it afterwards")
    .addOption(projectOption())
    .action(async (options: { project?: true }) => {
      const { editConfig } = await import("../commands/config-command.ts");
      await editConfig(options);
    });

  const key = config
    .command("key")
    .description("keep keys of servers in a file that only you can read")
    .helpCommand(false);
  key
    .command("set")
    .description("keep a key; it is read from stdin, or from a prompt that does not show it")
    .argument("<name>", "the name of the variable that it stands for, such as OPENAI_API_KEY")
    .action(async (name: string) => {
      const { setKey } = await import("../commands/config-key.ts");
      await setKey(name);
    });
  key
    .command("list")
    .description("print the names of the keys that are kept")
    .action(async () => {
      const { listKeys } = await import("../commands/config-key.ts");
      await listKeys();
    });
  key
    .command("remove")
    .description("remove a key")
    .argument("<name>", "its name")
    .action(async (name: string) => {
      const { removeKey } = await import("../commands/config-key.ts");
      await removeKey(name);
    });

  program
    .command("trust")
    .description(
      "trust a folder: its configuration, rules, AGENTS.md files, skills and commands then apply, and those below it",
    )
    .argument("[folder]", "the project of the current folder if absent")
    .option("--remove", "forget whether the folder is trusted")
    .addOption(new Option("--list", "print the folders that are trusted, and those that are not").conflicts("remove"))
    .option("--yes", "trust it without asking")
    .action(async (folder: string | undefined, options: TrustOptions) => {
      const { trust } = await import("../commands/trust.ts");
      await trust(folder, options);
    });
}

function projectOption(): Option {
  return new Option("--project", "the project's configuration instead of yours");
}

function hidden(option: Option): Option {
  return Object.assign(Object.create(Object.getPrototypeOf(option)), option, { hidden: true });
}
