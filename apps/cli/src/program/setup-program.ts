import { Argument, type Command, Option } from "commander";
import type { Shell } from "../commands/completion/scripts.ts";
import type { DoctorOptions } from "../commands/doctor.ts";
import type { InitOptions, PackageKind } from "../commands/init.ts";
import type { ModelsOptions } from "../commands/list-models.ts";
import { addOptions, valueOption } from "./options.ts";

/** Commands that look at the surroundings of a run, or prepare them. */
export function addSetupCommands(program: Command, exit: (code: number) => void): void {
  program
    .command("models")
    .description(
      "list the models of the servers that have a key, or run on this machine; or those in the files of a folder",
    )
    .argument("[server]", "only this server; or the path of a folder with GGUF files, or of one")
    .addOption(valueOption("--prices <file>", "what models cost, as run --prices takes it"))
    .option("--json", "one line of JSON for each server or file")
    .action(async (server: string | undefined, options: ModelsOptions) => {
      const { listModels } = await import("../commands/list-models.ts");
      await listModels(server, options);
    });

  const doctor = program
    .command("doctor")
    .description("check what runs need on this machine, and say how to mend what is wrong")
    .addOption(new Option("--no-request", "do not ask the model"))
    .option("--json", "one line of JSON for each finding");
  addOptions(doctor, "doctor").action(async (options: DoctorOptions) => {
    const { doctor } = await import("../commands/doctor.ts");
    exit(await doctor(options));
  });

  program
    .command("init")
    .helpGroup("What you add:")
    .description("make a package with a tool, an extension, a provider or a store, which builds and passes its tests")
    .addArgument(new Argument("<kind>", "what the package is").choices(["provider", "tool", "extension", "store"]))
    .argument("<name>", "such as acme, or @acme/models")
    .addOption(valueOption("--folder <folder>", "where to make it; a folder with the name of the package if absent"))
    .action(async (kind: PackageKind, name: string, options: InitOptions) => {
      const { init } = await import("../commands/init.ts");
      await init(kind, name, options);
    });

  program
    .command("completion")
    .description("print the script with which a shell completes the command line")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .action(async (shell: Shell) => {
      const { completionScripts } = await import("../commands/completion/scripts.ts");
      process.stdout.write(completionScripts[shell]);
    });

  program
    .command("_complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { complete } = await import("../commands/completion/complete.ts");
      await complete(program, words);
    });
}
