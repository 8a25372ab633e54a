import type { Attack } from "../../harness/attack.ts";
import { filesBelow } from "../../harness/files-below.ts";

/** Addresses of stores that contain a password. */
export const storeAddresses = [
  "postgres:u:PASSWORD@h/x",
  "postgres:/u:PASSWORD@h/x",
  "postgres:///u:PASSWORD@h/x",
  "POSTGRES:u:PASSWORD@h/x",
  "postgresql:u:PASSWORD@h",
  "pg://u:PASSWORD@h/x",
  "postgres//u:PASSWORD@h/x",
  "postgres;//u:PASSWORD@h/x",
  "mysql:u:PASSWORD@h/x",
  "mongodb+srv:u:PASSWORD@h",
  "jdbc:postgresql://u:PASSWORD@h/x",
  "sqlite://u:PASSWORD@h/x",
  "sqlite:x?key=PASSWORD",
  "file:x.db?password=PASSWORD",
  "redis:u:PASSWORD@h",
  "u:PASSWORD@h:5432/x",
  "//u:PASSWORD@h/x",
  "host=h user=u password=PASSWORD dbname=x",
  "password='PASSWORD' host=h",
  " postgres://u:PASSWORD@127.0.0.1:9/x",
  "\tpostgres://u:PASSWORD@127.0.0.1:9/x",
  "postgres://u:PASSWORD@127.0.0.1:9/x",
  "postgres://u:PASS%ZZWORD@h/x",
  "postgres://u:PASSWORD@h:99999/x",
  "postgres://u:PASSWORD@[::1/x",
  "postgres://127.0.0.1:9/x?password=PASSWORD",
  "postgres:\\\\u:PASSWORD@h\\x",
  '"postgres://u:PASSWORD@h/x"',
  "COGENCY_STORE=postgres://u:PASSWORD@h/x",
  "postgres\u200b://u:PASSWORD@h/x",
  "p\u043estgres://u:PASSWORD@h/x",
];

export function storeAddressAttack(address: string): Attack {
  return {
    name: `store: ${JSON.stringify(address)}`,
    isDear: true,
    async run(place) {
      const word = `Pw${place.canary}`;
      const store = address.replace("PASSWORD", word).replace("PASS%ZZWORD", `${word}%ZZ`);
      for (const [args, env] of [
        [["run", "hello", "--provider", "offline", "--store", store], {}],
        [["history", "list"], { COGENCY_STORE: store }],
      ] as [string[], Record<string, string>][]) {
        const { stdout, stderr } = await place.cogency(args, { env, timeout: 15_000 });
        if ((stdout + stderr).includes(word)) return "the password was printed";
        const made = filesBelow(place.outer).filter((path) => path.includes(word));
        if (made.length > 0) return `a file was made: ${made[0]?.slice(place.outer.length)}`;
      }
      return undefined;
    },
  };
}
