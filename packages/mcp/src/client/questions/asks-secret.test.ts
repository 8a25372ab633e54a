import { expect, it } from "vitest";
import { asksSecret } from "./asks-secret.ts";

const asked = (message: string, properties: object) => asksSecret(message, { type: "object", properties });
const text = { type: "string" };

it.each([
  ["a field of the format password", "Log in.", { x: { type: "string", format: "password" } }, "the field x"],
  ["a name", "Log in.", { password: text }, "the field password"],
  ["a name in camel case", "Go on.", { githubApiKey: text }, "the field githubApiKey"],
  ["a name with lines", "Go on.", { "api-key": text }, "the field api-key"],
  ["a token", "Go on.", { github_token: text }, "the field github_token"],
  ["the number of a card", "Pay.", { card_number: { type: "integer" } }, "the field card_number"],
  ["a PIN as a number", "Pay.", { pin: { type: "integer" } }, "the field pin"],
  ["a title", "Go on.", { value: { type: "string", title: "Your API key" } }, "the field value"],
  [
    "a description",
    "Go on.",
    { value: { type: "string", description: "the passphrase of your SSH key" } },
    "the field value",
  ],
  ["a message", "Please paste your GitHub access token here.", { value: text }, "its message"],
  [
    "a message that warns of something else",
    "Do not share it with others: enter your API key.",
    { value: text },
    "its message",
  ],
  ["a message in other words", "Enter your npm token", { value: text }, "its message"],
])("sees %s", (_, message, properties, found) => {
  expect(asked(message, properties)).toBe(found);
});

it.each([
  ["a count of tokens", "How long?", { max_tokens: { type: "integer" } }],
  ["a flag about a key", "Delete the API key of the old server?", { confirm: { type: "boolean" } }],
  ["a choice among words", "Which kind of login?", { method: { type: "string", enum: ["password", "token"] } }],
  ["an ordinary name", "Who are you?", { name: text, email: { type: "string", format: "email" } }],
  ["a warning", "Do not enter your password here. Who are you?", { name: text }],
  [
    "a warning about a field",
    "Hi.",
    { n: { type: "integer", description: "Any number (do not enter your PIN, or the like)" } },
  ],
  ["a word that holds another", "Where to?", { shipping: text, tokenizer: text }],
])("lets %s pass", (_, message, properties) => {
  expect(asked(message, properties)).toBeUndefined();
});

it("reads no more of a text than it needs, however long it is", () => {
  expect(asked("x".repeat(5_000_000), { a: { type: "string", description: "y ".repeat(2_000_000) } })).toBeUndefined();
});
