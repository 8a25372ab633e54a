import { deepEqual, match } from "node:assert/strict";
import { test } from "node:test";
import { createAgent } from "@cogency/agent";
import { openExtension } from "@cogency/extensions";
import { scripted } from "@cogency/provider";
import * as extension from "./parrot.js";

const callOf = (text: string) => `<execute>[{"name":"parrot","args":{"text":"${text}"}}]</execute>`;

test("an agent can use all of it", async () => {
  const { capability, skills, commands, problems } = await openExtension(extension, { options: { times: 3 } });
  deepEqual(problems, []);
  deepEqual([skills.length, commands.length], [1, 1]);
  const agent = createAgent({ provider: scripted([callOf("hello"), "Done.<end>"]) }).use(capability);
  let results = "";
  for await (const event of agent.run("Go.", { conversation: "a" }))
    if (event.type === "result") results += event.content;
  match(results, /hello hello hello/);
});

test("the hook blocks a call", async () => {
  const { capability } = await openExtension(extension);
  const agent = createAgent({ provider: scripted([callOf("crackers"), "Done.<end>"]) }).use(capability);
  let results = "";
  for await (const event of agent.run("Go.", { conversation: "b" }))
    if (event.type === "result") results += event.content;
  match(results, /enough crackers/);
});

test("options that are wrong are told", async () => {
  const { problems } = await openExtension(extension, { options: { times: 0 } });
  match(problems[0]?.message ?? "", /options\.times/);
});
