import { startRedis } from "./start-redis.ts";

// Starts a server, says where, and waits to be killed.
const { url } = await startRedis();
console.log(url);
setInterval(() => {}, 60_000);
