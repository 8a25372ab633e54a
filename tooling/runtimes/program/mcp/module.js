import { runtime } from "../report.js";
import { listen } from "./listen.js";
import { runsOf } from "./runs.js";
import { serverFor } from "./server.js";

// The server and its client are in one process, and talk over loopback.
const server = serverFor();
const { url, close } = await listen(server.handler);
const found = await runsOf({ open: `${url}/mcp` });
await server.close();
await close();
console.log(JSON.stringify({ ...(await runtime()), how: "ES module", ...found }));
