export type { RedisClient, RedisConnection, RedisDispatcher, RedisDispatcherOptions } from "./redis-dispatcher.ts";
export { redisDispatcher } from "./redis-dispatcher.ts";
