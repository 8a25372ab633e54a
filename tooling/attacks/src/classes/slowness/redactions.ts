import { redactSecrets } from "@cogency/storage";
import type { Attack } from "../../harness/attack.ts";
import { cpu } from "./slow.ts";

/** Pieces of text that begin like a secret, to be repeated. */
export const redactionPieces = [
  "password=",
  'password: "',
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "eyJ.",
  "eyJhbGciOi.eyJ",
  "sk-",
  "AKIA",
  "Authorization: Bearer ",
  "://a:",
  "https://a:b",
  "machine a login b ",
  "curl -u ",
  "a=",
  '"auth":"',
  "mysql -p",
  "--password ",
  "token ",
  "_auth=",
  "Cookie: a=b; ",
  "1234567890:",
  "\u0130password=",
  "=".repeat(50),
  "aA1+/",
  " \t",
  "PuTTY-User-Key-File-3: ",
  'password=\\"',
  "client-key-data: ",
];

export function redactionAttack(piece: string): Attack {
  return {
    name: `redaction: ${JSON.stringify(piece)}`,
    async run() {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      const begun = cpu();
      redactSecrets(text);
      redactSecrets(`${text}x\n${text}`);
      const taken = cpu() - begun;
      // 1.5 million characters. Ordinary text takes less than a tenth of this time.
      return taken > 1500 ? `it took ${Math.round(taken)} ms` : undefined;
    },
  };
}
