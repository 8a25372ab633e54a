import { timeRatio } from "@tooling/vitest/time-ratio";
import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";

describe("redactSecrets", () => {
  it.each([
    ["sk-"],
    ["eyJ"],
    ["eyJ-"],
    ["-----BEGIN PRIVATE KEY-----"],
    ['password="'],
    ["password='password=\""],
    ['token=\\"'],
    ["://a:b"],
    ["Authorization: basic "],
    ["--password "],
    ["<password>"],
    ["curl -u "],
    ["cookie:a="],
    ["cookie:a=b;"],
    ["authorization:a1"],
    ["password:a"],
    ["PASS"],
    ["\nTOKEN=a aaaa"],
    ["-----BEGIN PRIVATE KEY-----\nA-b: c"],
    ["SG.a"],
    ["_auth="],
    ["machine a login b "],
    ["mysql -p'"],
    ["sshpass -v -p "],
    [" name: a\n"],
    ['"--password","'],
    ["redis-cli -a "],
    ["smbclient -U a%"],
    ["?sig="],
    ["password: |\n"],
    ["a: |\n   b\n"],
    ["credentials: |\n credentials: |\n  credentials: |\n   credentials: |\n"],
    ["Private-Lines: 1\n"],
    ["<password>a "],
    ["<password a"],
    ["<password><![CDATA["],
    [' key="password" value="'],
    ["<name>password</name>"],
    ["a:5432:a:a:"],
    ["-"],
    ["a"],
    ["0f"],
    [" "],
    ["\\"],
  ])("takes time in proportion to the length of a text of nothing but %j", (piece) => {
    const text = (length: number) => piece.repeat(length / piece.length);
    const [small, large] = [text(30_000), text(300_000)];
    expect(
      timeRatio(
        () => redactSecrets(small),
        () => redactSecrets(large),
      ),
    ).toBeLessThan(40);
  });
});
