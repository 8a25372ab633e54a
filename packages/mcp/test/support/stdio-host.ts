// A host with one server over stdio: it prints the processes of the server, begins a call that never ends, and closes if argv says so.
import { fileURLToPath } from "node:url";
import { mcp } from "../../src/index.ts";
import { program } from "../../src/node/program.ts";

const [how = "", end] = process.argv.slice(2);
const server = fileURLToPath(new URL("./stdio-server.ts", import.meta.url));
const servers = mcp({ servers: { own: { connector: program({ command: process.execPath, args: [server, how] }) } } });
const { value } = await servers.call("own", "pids");
servers.call("own", "hang").catch(() => {});
process.stdout.write(`${value}\n`);
if (end === "close") await servers.close();
