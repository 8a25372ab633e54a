import { listenNode } from "./listen-node.js";
import { serverFor } from "./server.js";

// Two servers at one address, until this process is ended: `/open` admits the pages of a host, `/closed` admits none elsewhere.
const [, , host = ""] = process.argv;
const open = serverFor([host]);
const closed = serverFor();
const { url } = await listenNode((request) =>
  (new URL(request.url).pathname === "/open" ? open : closed).handler(request),
);
console.log(url);
