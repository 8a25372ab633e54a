export { type RedisServer, startRedis } from "./start-redis.ts";
