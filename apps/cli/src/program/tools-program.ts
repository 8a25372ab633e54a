import { type Command, Option } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { CallOptions } from "../commands/tools/call.ts";
import type { DescribeOptions } from "../commands/tools/describe.ts";
import type { ToolsOptions } from "../commands/tools/list-tools.ts";
import { addOptions } from "./options.ts";

/** `cogency tools`: the tools of a run, without a model. */
export function addToolsCommands(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const tools = program
    .command("tools")
    .description("list the tools of a run, describe them and call them")
    .helpCommand(false);
  const withToolOptions = (command: Command) => addOptions(command, "tools");

  withToolOptions(tools.command("list").description("list the tools that a model would be offered"))
    .option("--json", "one line of JSON each: name, description, annotations")
    .action(async (options: ToolsOptions & { json?: true }) => {
      const { listTools } = await import("../commands/tools/list-tools.ts");
      await listTools(options);
    });

  withToolOptions(tools.command("describe").description("print what the model reads of a tool"))
    .argument("<tool>", "its name, as list shows it")
    .option("--json", "its JSON Schema and the rest as one JSON object")
    .action(async (name: string, options: DescribeOptions) => {
      const { describeTool } = await import("../commands/tools/describe.ts");
      await describeTool(name, options);
    });

  withToolOptions(tools.command("call").description("run one call that you type, without asking"))
    .argument("<tool>", "its name, as list shows it")
    .argument("[arguments]", 'its arguments as a JSON object; "-" reads them from stdin', "{}")
    .addOption(new Option("--json", "the result as one JSON object"))
    .action(async (name: string, args: string, options: CallOptions) => {
      const { callTool } = await import("../commands/tools/call.ts");
      exit(await callTool(name, args, options, cancellation));
    });
}
