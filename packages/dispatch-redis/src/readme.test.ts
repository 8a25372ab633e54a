import { readmeExamples } from "@tooling/readme";
import { describeRedis, redisUrl } from "@tooling/redis/describe";
import { beforeAll } from "vitest";

describeRedis("with REDIS_URL", () => {
  beforeAll(() => {
    // The examples run in processes with this one's environment.
    process.env.REDIS_URL = redisUrl();
  });

  readmeExamples(new URL("../README.md", import.meta.url));
});
