import { startPostgres } from "./start-postgres.ts";

// Starts a server, says where, and waits to be killed.
const { url } = await startPostgres();
console.log(url);
setInterval(() => {}, 60_000);
