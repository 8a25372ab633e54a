export { findRedis } from "./find-redis.ts";
export { type RedisServer, startRedis } from "./start-redis.ts";
