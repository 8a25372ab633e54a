export { closedPort } from "./closed-port.ts";
export { freePort } from "./free-port.ts";
export { type Loopback, listen } from "./listen.ts";
export { page, serve, serveTcp } from "./serve.ts";
export { eventStream, type WireRequest, wireServer } from "./wire-server.ts";
