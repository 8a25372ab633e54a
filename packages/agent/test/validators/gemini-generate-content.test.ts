import { describeValidator } from "./describe-validator.ts";
import { geminiProblem } from "./gemini-generate-content.ts";

const says = (...parts: object[]) => ({ role: "model", parts });
const gives = (...parts: object[]) => ({ role: "user", parts });
const text = { text: "Go." };
const user = gives(text);
const words = says({ text: "I see." });
const signed = { thoughtSignature: "c2ln" };
const call = (id: string, more: object = {}) => ({ functionCall: { id, name: "look", args: {}, ...more } });
const first = (id: string, more: object = {}) => ({ ...call(id, more), ...signed });
const response = (id: string, more: object = {}) => ({
  functionResponse: { id, name: "look", response: { output: "" }, ...more },
});
const picture = { inlineData: { mimeType: "image/png", data: "aGk=" } };
const body = (contents: unknown[], more: object = {}) => ({ contents, ...more });
const declared = (...functionDeclarations: object[]) => ({ tools: [{ functionDeclarations }] });
const look = { name: "look", description: "Look.", parametersJsonSchema: { type: "object" } };
const calling = (functionCallingConfig: object) => ({ toolConfig: { functionCallingConfig } });
const oldTool = (parameters: object) => declared({ name: "look", description: "Look.", parameters });

describeValidator("Gemini's generateContent", geminiProblem, {
  good: [
    body([user]),
    body([gives(text, picture, { fileData: { fileUri: "https://example.com/a.pdf" } })], {
      systemInstruction: { parts: [text] },
    }),
    body([user, says({ text: "Hm.", thought: true }, first("1"), call("2")), gives(response("1"), response("2"))], {
      ...declared(look),
      ...calling({ mode: "ANY", allowedFunctionNames: ["look"] }),
    }),
    body([user, says(first("1")), gives(response("1"), picture), says(first("2")), gives(response("2"), text)]),
    body([user, says(call("1")), gives(response("1")), words, user]),
    body([user, says({ ...call("1"), thoughtSignature: "skip_thought_signature_validator" }), gives(response("1"))]),
    body([user, says({ text: "I see." }, { text: "", ...signed }), user]),
    body([user], oldTool({ type: "OBJECT", properties: { at: { type: "string", enum: ["here"] } } })),
    body([user], { generationConfig: { responseMimeType: "application/json", responseJsonSchema: {} } }),
  ],
  bad: [
    ["no contents", body([]), "contents is empty"],
    ["a field that no request has", body([user], { messages: [] }), 'Unknown name "messages"'],
    ["an empty system prompt", body([user], { systemInstruction: { parts: [{ text: "" }] } }), "is empty"],
    ["the role of a tool", body([{ ...user, role: "function" }]), "valid role"],
    ["no role", body([{ parts: [text] }]), "valid role"],
    ["no parts", body([gives()]), "parts is empty"],
    ["the model first", body([words, user]), "begins with a user turn"],
    ["the model last", body([user, words]), "ends with a user turn"],
    ["two of one role", body([user, user]), "roles alternate"],
    ["a part without data", body([gives({})]), "must have one initialized field"],
    ["a part of two things", body([gives({ ...text, ...picture })]), "cannot set inlineData"],
    ["a part of another wire", body([gives({ type: "text", ...text })]), 'Unknown name "type"'],
    ["empty words", body([gives({ text: "" })]), "text is empty"],
    ["half a surrogate pair", body([gives({ text: "\ud83d" })]), "half a surrogate pair"],
    ["thoughts of the user", body([gives({ ...text, thought: true })]), "are the model's"],
    ["a signature of the user", body([gives({ ...text, ...signed })]), "are the model's"],
    [
      "a signature that is none",
      body([user, says({ ...call("1"), thoughtSignature: "?" }), gives(response("1"))]),
      "does not match",
    ],
    ["a call of the user", body([gives(call("1"))]), "a function call is the model's"],
    ["a response of the model", body([user, says(response("1")), user]), "a function response is the user's"],
    ["a call without a response", body([user, says(first("1")), user]), "number of function response parts"],
    [
      "one response of two",
      body([user, says(first("1"), call("2")), gives(response("1"))]),
      "number of function response parts",
    ],
    [
      "two responses to one call",
      body([user, says(first("1")), gives(response("1"), response("1"))]),
      "number of function response parts",
    ],
    ["a response without a call", body([user, words, gives(response("1"))]), "immediately after a function call turn"],
    [
      "a response to an earlier call",
      body([user, says(first("1")), gives(response("1")), words, gives(response("1"))]),
      "immediately after a function call turn",
    ],
    [
      "a response of another name",
      body([user, says(first("1")), gives(response("1", { name: "walk" }))]),
      "response walk 1 stands where look 1 was called",
    ],
    [
      "responses in another order",
      body([user, says(first("1"), call("2")), gives(response("2"), response("1"))]),
      "response look 2 stands where look 1 was called",
    ],
    ["words before a response", body([user, says(first("1")), gives(text, response("1"))]), "must come first"],
    [
      "a response that is text",
      body([user, says(first("1")), gives(response("1", { response: "Owls." }))]),
      "is not an object",
    ],
    ["arguments that are text", body([user, says(first("1", { args: "{}" })), gives(response("1"))]), "not an object"],
    [
      "a name that is not allowed",
      body([user, says(first("1", { name: "9a" })), gives(response("1", { name: "9a" }))]),
      "does not match",
    ],
    ["a call that is not signed", body([user, says(call("1")), gives(response("1"))]), "missing a thought_signature"],
    [
      "a call that is not signed before others that are",
      body([user, says(call("1"), first("2")), gives(response("1"), response("2"))]),
      "missing a thought_signature",
    ],
    [
      "a call of an earlier step of the turn that is not signed",
      body([user, says(call("1")), gives(response("1"), picture), says(first("2")), gives(response("2"))]),
      "missing a thought_signature",
    ],
    ["data without its type", body([gives({ inlineData: { data: "aGk=" } })]), "mimeType is not a text"],
    ["data that is no base64", body([gives({ inlineData: { mimeType: "image/png", data: "?" } })]), "does not match"],
    ["a file without its address", body([gives({ fileData: {} })]), "fileUri is not a text"],
    ["no functions in a tool", body([user], declared()), "functionDeclarations is empty"],
    ["two functions of one name", body([user], declared(look, look)), "used twice"],
    ["a function without a description", body([user], declared({ name: "look" })), "description is not a text"],
    ["a function whose name begins with a digit", body([user], declared({ ...look, name: "9" })), "does not match"],
    ["a schema that is no object", body([user], declared({ ...look, parametersJsonSchema: {} })), '"object"'],
    ["two schemas", body([user], declared({ ...look, parameters: {} })), "only one of parameters"],
    [
      "a word of JSON Schema in the subset of OpenAPI",
      body([user], oldTool({ type: "object", additionalProperties: false })),
      'Unknown name "additionalProperties"',
    ],
    [
      "such a word further inside",
      body([user], oldTool({ type: "object", properties: { at: { items: { $ref: "#" } } } })),
      'Unknown name "$ref"',
    ],
    ["an unknown type in a schema", body([user], oldTool({ type: "date" })), 'type is "date"'],
    ["a choice without tools", body([user], calling({ mode: "AUTO" })), "without function_declarations"],
    ["an unknown mode", body([user], { ...declared(look), ...calling({ mode: "auto" }) }), 'The mode is "auto"'],
    [
      "names beside a mode that forces nothing",
      body([user], { ...declared(look), ...calling({ mode: "AUTO", allowedFunctionNames: ["look"] }) }),
      "only when mode is ANY",
    ],
    [
      "a choice of another function",
      body([user], { ...declared(look), ...calling({ mode: "ANY", allowedFunctionNames: ["walk"] }) }),
      "names no function",
    ],
    [
      "a schema of the answer without its type",
      body([user], { generationConfig: { responseJsonSchema: {} } }),
      "responseMimeType",
    ],
    ["no room for an answer", body([user], { generationConfig: { maxOutputTokens: 0 } }), "above 0"],
  ],
});
