import { fileURLToPath } from "node:url";

/**
 * For processes that tests start by the dozen: Node keeps what it has compiled, and source without its types, so that
 * they start three times as fast. One that is always killed calls `flushCompileCache`.
 */
export const childEnvironment = {
  ...process.env,
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.compile-cache", import.meta.url)),
};
