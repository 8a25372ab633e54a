import { describe, expect, it } from "vitest";
import { redactor } from "./redactor.ts";

describe("redactor", () => {
  it.each([
    {
      secrets: ["sk-12345678"],
      text: "key sk-12345678, again sk-12345678.",
      clean: "key [redacted], again [redacted].",
    },
    { secrets: ["sk-12345678\n"], text: "key sk-12345678", clean: "key [redacted]" },
    { secrets: ["Bearer sk-12345678"], text: "not Bearer: sk-12345678", clean: "not Bearer: [redacted]" },
    { secrets: ["sk-1234", "sk-12345678"], text: "sk-12345678", clean: "[redacted]" },
    {
      secrets: ["ab+cd/ef= gh"],
      text: "/?a=ab%2Bcd%2Fef%3D%20gh&b=ab%2bcd%2fef%3d+gh",
      clean: "/?a=[redacted]&b=[redacted]",
    },
    { secrets: ["it's (secret)"], text: "/?a=it%27s+%28secret%29", clean: "/?a=[redacted]" },
    { secrets: ['say "friend"'], text: String.raw`{"said":"say \"friend\""}`, clean: '{"said":"[redacted]"}' },
    { secrets: ["half \ud83d of it"], text: "/?a=half%20%EF%BF%BD%20of%20it", clean: "/?a=[redacted]" },
    { secrets: ["", "1", "none"], text: "none of 1", clean: "none of 1" },
    { secrets: [], text: "as it is", clean: "as it is" },
  ])("with $secrets turns $text into $clean", ({ secrets, text, clean }) => {
    expect(redactor(secrets)(text)).toBe(clean);
  });

  const secret = 'sk-proj_AB/cd+ef=gh&ij"kl<é€𝄞>';
  const bytes = Buffer.from(secret);
  const each = (spell: (byte: number) => string) => Array.from(bytes, spell).join("");
  const hex = (byte: number) => byte.toString(16).padStart(2, "0");
  const units = Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index));
  const html: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

  it.each<[how: string, spelled: string]>([
    ["as it is", secret],
    ["in the query of an address", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["in the path of an address", encodeURIComponent(secret)],
    ["in an address, twice", encodeURIComponent(encodeURIComponent(secret))],
    ["in an address, three times", encodeURIComponent(encodeURIComponent(encodeURIComponent(secret)))],
    ["in an address, wholly", each((byte) => `%${hex(byte)}`)],
    [
      "in an address, every other character",
      Array.from(secret, (one, at) => (at % 2 ? encodeURIComponent(one) : one)).join(""),
    ],
    ["in JSON", JSON.stringify(secret)],
    ["in JSON in JSON", JSON.stringify(JSON.stringify(secret))],
    ["in JSON, wholly", units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")],
    [
      "in JSON in JSON, wholly",
      units.map((unit) => `\\\\u${unit.toString(16).padStart(4, "0").toUpperCase()}`).join(""),
    ],
    ["in JSON, with slashes escaped", JSON.stringify(secret).replaceAll("/", "\\/")],
    ["in HTML", secret.replaceAll(/[&<>"]/g, (one) => html[one] ?? "")],
    ["in HTML by numbers", Array.from(secret, (one) => `&#${one.codePointAt(0)};`).join("")],
    ["in HTML by hexadecimal numbers", Array.from(secret, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join("")],
    ["in upper case", secret.toUpperCase()],
    ["in base64", bytes.toString("base64")],
    ["in base64 of addresses", bytes.toString("base64url")],
    ["in hexadecimal", bytes.toString("hex")],
    ["in hexadecimal and upper case", bytes.toString("hex").toUpperCase()],
  ])("recognizes a secret %s", (_, spelled) => {
    expect(redactor([secret])(`It is ${spelled}, I think.`)).toMatch(/^It is "?\\?"?\[redacted\]=*\\?"?"?, I think\.$/);
  });

  it.each(["", "B", "Be", "Bearer ", "user:", "x-api-key: "])("recognizes a secret in base64 after %j", (before) => {
    for (const after of ["", "\n", ":password", " and more"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const spelled = Buffer.from(before + secret + after).toString(encoding);
        const clean = redactor([secret])(spelled);
        expect(clean).toContain("[redacted]");
        // What is left decodes to what stood around it, but for the pieces of a character at the borders.
        const left = clean.split("[redacted]").map((part) => Buffer.from(part, encoding).toString("latin1"));
        expect(left.join("").length).toBeLessThanOrEqual(before.length + after.length + 4);
      }
    }
  });

  it("removes the beginning of a secret if the text was cut inside it", () => {
    const redact = redactor(["sk-12345678-90abcdef"]);
    for (let length = 8; length < 20; length++) {
      expect(redact(`It is ${"sk-12345678-90abcdef".slice(0, length)}`)).toBe("It is [redacted]");
    }
    expect(redact("It is sk-1234")).toBe("It is sk-1234");
  });

  it("takes linear time for long texts that only resemble secrets", () => {
    const redact = redactor(['sk-12345678-%&/"abc', "aaaaaaaaaaaaaaaaaaaaab", "%%%%%%%%x", "&&&&&&&&x"]);
    const pieces = ["%25", "%", "\\", "\\u00", "&amp;", "&#", "&#0", "0", "a", "sk-12345678-", "73", "\\/"];
    for (const piece of pieces) {
      const text = piece.repeat(200_000 / piece.length);
      expect(redact(`${text}.`)).toBe(`${text}.`);
    }
  });
});
