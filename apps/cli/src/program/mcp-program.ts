import { type Command, Option } from "commander";
import type { Cancellation } from "../base/cancellation.ts";
import type { AddOptions } from "../commands/mcp/add-server.ts";
import type { ServeOptions } from "../commands/mcp/serve-tools.ts";
import type { ServerFile } from "../commands/mcp/server-files.ts";
import { addOptions, optionOf, portOption, repeated } from "./options.ts";

/** `cogency mcp`: servers whose tools the agent gets. */
export function addMcpCommands(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  const mcp = program
    .command("mcp")
    .description("add MCP servers, whose tools the agent gets, look at them, and offer our own tools as one")
    .helpCommand(false);

  mcp
    .command("list")
    .description("connect the servers that count here, and say how each is, and why")
    .option("--json", "one JSON array: each server with its state")
    .action(async (options: { json?: true }) => {
      const { listServers } = await import("../commands/mcp/list-servers.ts");
      exit(await listServers({ ...options, root: "." }, cancellation));
    });

  mcp
    .command("get")
    .description("connect to one server, and say all about it: its command or address, its tools and prompts")
    .argument("<server>", "its name")
    .option("--json", "one JSON object")
    .action(async (name: string, options: { json?: true }) => {
      const { getServer } = await import("../commands/mcp/get-server.ts");
      exit(await getServer(name, { ...options, root: "." }, cancellation));
    });

  mcp
    .command("add")
    .description("connect to a server once, and write it into your configuration")
    .argument("<name>", "how you call it; its tools are <name>__<tool>")
    .argument("<target...>", "its address; or after -- its command and the arguments")
    .addOption(repeated("--env <pair>", `a variable of a program, such as 'TOKEN=\${TOKEN}'`))
    .addOption(repeated("--header <pair>", `a header for an address, such as 'Authorization: Bearer \${TOKEN}'`))
    .addOption(projectOption())
    .addOption(new Option("--no-check", "write it without connecting"))
    .option("--yes", "write into the file of the project without asking")
    .configureOutput({
      outputError: (text, write) => write(text.includes("unknown option") ? `${text}${commandAdvice}` : text),
    })
    .action(async (name: string, target: readonly string[], options: AddOptions) => {
      const { addServer } = await import("../commands/mcp/add-server.ts");
      exit(await addServer(name, target, options, cancellation));
    });

  mcp
    .command("remove")
    .description("remove a server from your configuration")
    .argument("<server>", "its name")
    .addOption(projectOption())
    .action(async (name: string, options: ServerFile) => {
      const { removeServer } = await import("../commands/mcp/remove-server.ts");
      await removeServer(name, options);
    });

  mcp
    .command("login")
    .description("log in to a server in your browser; the login is kept in a file that only you can read")
    .argument("<server>", "its name")
    .action(async (name: string) => {
      const { loginServer } = await import("../commands/mcp/login-server.ts");
      exit(await loginServer(name, { root: "." }, cancellation));
    });

  mcp
    .command("logout")
    .description("forget the login of a server")
    .argument("<server>", "its name")
    .action(async (name: string) => {
      const { logoutServer } = await import("../commands/mcp/login-server.ts");
      await logoutServer(name, { root: "." });
    });

  mcp
    .command("call")
    .description("call a tool of a server yourself, without asking; what the server asks meanwhile is put to you")
    .argument("<server>", "its name")
    .argument("<tool>", "its name, as the server calls it; cogency mcp get shows them")
    .argument("[arguments]", 'its arguments as a JSON object; "-" reads them from stdin', "{}")
    .option("--json", "the result as one JSON object")
    .action(async (server: string, tool: string, args: string, options: { json?: true }) => {
      const { callServer } = await import("../commands/mcp/call-server.ts");
      exit(await callServer(server, tool, args, { ...options, root: "." }, cancellation));
    });

  const serve = addOptions(
    mcp.command("serve").description("offer our tools for the files of a folder to other programs, as an MCP server"),
    "tools",
  );
  serve
    .addOption(
      optionOf(
        "allow",
        'what may change something without asking, such as write or "shell:git status"; without it nothing changes',
      ),
    )
    .addOption(portOption("--http <port>", "serve at http://127.0.0.1:<port>/mcp instead, with a token"))
    .addHelpText("after", serveText)
    .action(async (options: ServeOptions) => {
      const { serveTools } = await import("../commands/mcp/serve-tools.ts");
      const allow = serve.getOptionValueSource("allow") === "cli" ? options.allow : undefined;
      exit(await serveTools({ ...options, allow }, cancellation));
    });

  mcp
    .command("logs")
    .description("print what a server has written lately, and how its states have changed")
    .argument("<server>", "its name")
    .option("-f, --follow", "go on until Ctrl-C")
    .action(async (name: string, options: { follow?: true }) => {
      const { printLogs } = await import("../commands/mcp/server-logs.ts");
      exit(await printLogs(name, { ...options, root: "." }, cancellation));
    });
}

const commandAdvice = "Options of the server's own command stand after --: cogency mcp add <name> -- <command>\n";

const serveText = `
For a program that reads .mcp.json or the like:
  { "mcpServers": { "files": {
      "command": "cogency", "args": ["mcp", "serve", "--root", "."] } } }

Only tools that change nothing are offered. With --allow all are: what the rules
name runs, and each other call that changes something is put to the person at
that program, if it can ask.
`;

/** The program that a server in a sandbox is started by. */
export function addSandboxedCommand(program: Command, cancellation: Cancellation, exit: (code: number) => void): void {
  program
    .command("_sandboxed", { hidden: true })
    .argument("<command...>")
    .action(async (command: readonly string[]) => {
      const { sandboxed } = await import("../commands/mcp/sandboxed.ts");
      exit(await sandboxed(command, cancellation));
    });
}

function projectOption(): Option {
  return new Option("--project", "the project's .mcp.json instead, which other agents read, too");
}
