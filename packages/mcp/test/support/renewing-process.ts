/** Gets the token of a login in a file, which has ended: `node renewing-process.ts SERVER FILE`. Prints `ready`, waits for a line, prints it. */
import { once } from "node:events";
import { argv, stdin, stdout } from "node:process";
import { oauth } from "../../src/client/auth/oauth.ts";
import { tokenFile } from "../../src/node/token-file.ts";

const [server = "", file = ""] = argv.slice(2);
const login = oauth({ server, store: tokenFile(file) });
stdout.write("ready\n");
await once(stdin, "data");
stdin.destroy();
stdout.write(`${await login.token()}\n`);
