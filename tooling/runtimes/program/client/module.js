import { listen } from "../mcp/listen.js";
import { runtime } from "../report.js";
import { runsOf } from "./runs.js";
import { serverFor } from "./server.js";

// The server and its client are in one process, and talk over loopback.
const server = serverFor(2);
const { url, close } = await listen(server.handler);
const found = await runsOf(`${url}/api`);
await server.end();
await close();
console.log(JSON.stringify({ ...(await runtime()), how: "ES module", ...found }));
