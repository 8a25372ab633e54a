import type { Attack } from "../../harness/attack.ts";
import type { CommandKey } from "./command-keys.ts";

export function commandKeyAttack({ name, env, args, isControl, needs }: CommandKey): Attack {
  return {
    name: `key: ${name}`,
    isDear: true,
    ...(isControl && { isControl }),
    async run(place) {
      if (needs && !(await place.cogency(["run", "--help"])).stdout.includes(needs))
        throw new Error(`There is no ${needs}.`);
      const seen: string[] = [];
      const port = await place.serve((request, response) => {
        seen.push(JSON.stringify([request.url, request.headers]));
        request
          .resume()
          .once("end", () =>
            response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}'),
          );
      });
      const given = Object.fromEntries(Object.entries(env).map(([key]) => [key, `sk-${place.canary}`]));
      await place.cogency(["run", "hello", ...args(port)], { env: given });
      const got = seen.some((request) => request.includes(place.canary));
      if (isControl) return got ? undefined : "the server did not get the key";
      return got ? "the server got the key" : undefined;
    },
  };
}
