import type { Command } from "commander";
import type { HooksOptions } from "../commands/hooks/hooks-here.ts";
import { valueOption } from "./options.ts";

type Given = Partial<HooksOptions>;

/** `cogency hooks`: the programs that are called while an agent works. */
export function addHooksCommands(program: Command, exit: (code: number) => void): void {
  const hooks = program
    .command("hooks")
    .description("list hooks, which are programs that are called while the agent works, check and test them")
    .helpCommand(false);

  hooks
    .command("list")
    .description("list the hooks that count here, and where each is from")
    .option("--json", "one JSON array: each hook with its place")
    .action(async (options: { json?: true }) => {
      const { listHooks } = await import("../commands/hooks/list-hooks.ts");
      await listHooks({ ...options, root: "." });
    });

  hooks
    .command("check")
    .description("print each fault of hooks, and what to write instead; nothing is run")
    .argument("[file...]", "a configuration file; your own and that of the project if absent")
    .action(async (files: readonly string[]) => {
      const { checkHooks } = await import("../commands/hooks/check-hooks.ts");
      exit(await checkHooks(files, "."));
    });

  hooks
    .command("test")
    .description("run one hook with sample input, and show what it answers")
    .argument("<name>", "the name of the hook, as cogency hooks list shows it")
    .addOption(
      valueOption("--input <file>", 'a JSON file that replaces the sample, such as {"tool": "write", "args": {}}'),
    )
    .addOption(
      valueOption("--sandbox <mode>", "auto, required or off, as for a run").choices(["auto", "required", "off"]),
    )
    .action(async (name: string, options: Given & { input?: string }) => {
      const { testHook } = await import("../commands/hooks/test-hook.ts");
      exit(await testHook(name, { ...options, root: "." }));
    });
}
