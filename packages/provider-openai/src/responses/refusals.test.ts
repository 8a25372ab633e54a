import { describe, expect, it } from "vitest";
import { createRefusals, learn } from "./refusals.ts";

const body = {
  model: "m",
  include: ["reasoning.encrypted_content"],
  input: [{ role: "user", content: "Hi" }, { type: "reasoning", id: "rs_1" }, { type: "reasoning" }, null],
};
const refusal = (error: object) => Object.assign(new Error("400"), { status: 400 }, error);

describe("learn", () => {
  it.each([
    { param: "include", message: "Encrypted content is not supported with this model." },
    { message: "Unknown parameter: 'include'." },
    { status: 422, message: "include: extra inputs are not permitted" },
  ])("learns from $message that a model has no reasoning, once", (error) => {
    const learned = learn(createRefusals(), body, refusal(error)) ?? createRefusals();
    expect(learned).toEqual({ models: new Set(["m"]), items: new Set() });
    expect(learn(learned, body, refusal(error))).toBeUndefined();
  });

  it.each([
    { code: "invalid_encrypted_content", message: "It could not be verified." },
    { message: "The encrypted content for item rs_1 could not be verified." },
    { message: "reasoning `encrypted_content` was not issued to this caller" },
    { status: 404, message: "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false." },
    { message: "Item 'rs_1' of type 'reasoning' was provided without its required following item." },
  ])("learns from $message that items must not be sent back, once", (error) => {
    const learned = learn(createRefusals(), body, refusal(error)) ?? createRefusals();
    expect(learned).toEqual({ models: new Set(), items: new Set(["rs_1"]) });
    expect(learn(learned, body, refusal(error))).toBeUndefined();
  });

  it("learns of the items that the refusal names, or else of all that were sent", () => {
    const input = ["rs_1", "rs_2"].map((id) => ({ type: "reasoning", id }));
    const itemsAfter = (message: string) => learn(createRefusals(), { model: "m", input }, refusal({ message }))?.items;
    expect(itemsAfter("Item with id 'rs_2' not found.")).toEqual(new Set(["rs_2"]));
    expect(itemsAfter("The encrypted content could not be verified.")).toEqual(new Set(["rs_1", "rs_2"]));
  });

  it.each([
    { title: "what it did not send", error: refusal({ param: "include" }), given: { model: "m", input: [] } },
    { title: "items where it sent none", error: refusal({ message: "rs_1 not found" }), given: { input: "Hi" } },
    { title: "other words", error: refusal({ message: "The input must include a message." }), given: body },
    { title: "another refusal", error: refusal({ message: "The model is not known." }), given: body },
    { title: "another status", error: refusal({ status: 500, message: "include" }), given: body },
    { title: "what is no error", error: "include", given: body },
  ])("learns nothing from $title", ({ error, given }) => {
    expect(learn(createRefusals(), given, error)).toBeUndefined();
  });
});
