import { addNew, base64, demand, fieldsIn, listIn, matching, problemOf, textIn, type Validate } from "./problem.ts";

/**
 * Gemini's generateContent, as models since Gemini 3 take it. The user begins and has the last word, and the roles alternate. No
 * content is without parts, and each part holds one thing. Calls come after the user or after results, and the content after them
 * answers each of them, by the same names and in the same order. Since the last words of the user, the first call of each content
 * is signed. Signatures are given back on parts of the model only.
 */
export const geminiProblem: Validate = (body) =>
  problemOf(() => {
    const fields = fieldsIn(body, "the body");
    checkNames(fields, bodyFields, "the body");
    const { systemInstruction, contents, tools, toolConfig, generationConfig } = fields;
    if (systemInstruction !== undefined) checkSystem(fieldsIn(systemInstruction, "systemInstruction"));
    const names = tools === undefined ? undefined : toolNames(tools);
    if (toolConfig !== undefined) checkCalling(fieldsIn(toolConfig, "toolConfig"), names);
    if (generationConfig !== undefined) checkGeneration(fieldsIn(generationConfig, "generationConfig"));
    checkContents(listIn(contents, "contents"));
  });

type Fields = Readonly<Record<string, unknown>>;

const bodyFields = ["systemInstruction", "contents", "tools", "toolConfig", "generationConfig", "safetySettings"];

/** The server knows every field that it takes, and refuses others. */
function checkNames(fields: Fields, known: readonly string[], place: string): void {
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  demand(unknown === undefined, `Unknown name ${JSON.stringify(unknown)} at ${place}: Cannot find field.`);
}

function checkSystem({ parts }: Fields): void {
  for (const [at, part] of listIn(parts, "systemInstruction.parts").entries()) {
    const place = `systemInstruction.parts[${at}]`;
    demand(textIn(fieldsIn(part, place).text, `${place}.text`) !== "", `${place}.text is empty.`);
  }
}

function toolNames(tools: unknown): Set<string> {
  const names = new Set<string>();
  for (const [at, tool] of listIn(tools, "tools").entries()) {
    const { functionDeclarations } = fieldsIn(tool, `tools[${at}]`);
    for (const [nth, declaration] of listIn(functionDeclarations, `tools[${at}].functionDeclarations`).entries()) {
      const place = `tools[${at}].functionDeclarations[${nth}]`;
      const { name, description, parameters, parametersJsonSchema } = fieldsIn(declaration, place);
      addNew(names, matching(name, functionName, `${place}.name`), place);
      textIn(description, `${place}.description`);
      demand(
        parameters === undefined || parametersJsonSchema === undefined,
        `${place}: only one of parameters and parametersJsonSchema may be set.`,
      );
      if (parameters !== undefined) checkSchema(parameters, `${place}.parameters`);
      if (parametersJsonSchema !== undefined) {
        const { type } = fieldsIn(parametersJsonSchema, `${place}.parametersJsonSchema`);
        demand(type === "object", `${place}.parametersJsonSchema.type is not "object".`);
      }
    }
  }
  return names;
}

/** The subset of OpenAPI that `parameters` is; `parametersJsonSchema` has no such bounds. */
function checkSchema(schema: unknown, place: string): void {
  const fields = fieldsIn(schema, place);
  checkNames(fields, schemaFields, place);
  const { type, properties = {}, items, anyOf = [] } = fields;
  const types = ["string", "number", "integer", "boolean", "array", "object", "null"];
  if (type !== undefined) {
    demand(types.includes(textIn(type, `${place}.type`).toLowerCase()), `${place}.type is ${JSON.stringify(type)}.`);
  }
  for (const [name, one] of Object.entries(fieldsIn(properties, `${place}.properties`))) {
    checkSchema(one, `${place}.properties.${name}`);
  }
  if (items !== undefined) checkSchema(items, `${place}.items`);
  for (const one of anyOf as unknown[]) checkSchema(one, `${place}.anyOf`);
}

const schemaFields = [
  ...["type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required"],
  ...["minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering"],
  ...["default", "items", "minimum", "maximum"],
];

function checkCalling({ functionCallingConfig }: Fields, names: Set<string> | undefined): void {
  const { mode, allowedFunctionNames } = fieldsIn(functionCallingConfig, "toolConfig.functionCallingConfig");
  demand(names !== undefined, "Function calling config is set without function_declarations.");
  demand(["AUTO", "ANY", "NONE", "VALIDATED"].includes(String(mode)), `The mode is ${JSON.stringify(mode)}.`);
  if (allowedFunctionNames === undefined) return;
  demand(mode === "ANY" || mode === "VALIDATED", "allowed_function_names should be set only when mode is ANY.");
  for (const name of listIn(allowedFunctionNames, "allowedFunctionNames")) {
    demand(names.has(textIn(name, "allowedFunctionNames")), "allowedFunctionNames names no function.");
  }
}

function checkGeneration({ responseMimeType, responseSchema, responseJsonSchema, maxOutputTokens }: Fields): void {
  const hasSchema = responseSchema !== undefined || responseJsonSchema !== undefined;
  demand(
    !hasSchema || responseMimeType === "application/json",
    'A response schema needs the responseMimeType "application/json".',
  );
  demand(maxOutputTokens === undefined || Number(maxOutputTokens) > 0, "maxOutputTokens must be above 0.");
}

interface Content {
  role: unknown;
  parts: readonly Fields[];
  place: string;
}

function checkContents(contents: readonly unknown[]): void {
  const read = contents.map((content, at): Content => {
    const place = `contents[${at}]`;
    const { role, parts } = fieldsIn(content, place);
    demand(role === "user" || role === "model", `${place}: please use a valid role: user, model.`);
    return {
      role,
      parts: listIn(parts, `${place}.parts`).map((part, nth) => fieldsIn(part, `${place}.parts[${nth}]`)),
      place,
    };
  });
  demand(read[0]?.role === "user", "Please ensure that a multiturn request begins with a user turn.");
  demand(read.at(-1)?.role === "user", "Please ensure that a multiturn request ends with a user turn.");
  const turn = read.findLastIndex(({ role, parts }) => role === "user" && beginsTurn(parts));
  let asked: readonly Fields[] = [];
  for (const [at, { role, parts, place }] of read.entries()) {
    demand(role !== read[at - 1]?.role, `${place}: please ensure that roles alternate between user and model.`);
    for (const [nth, part] of parts.entries()) checkPart(part, role === "model", `${place}.parts[${nth}]`);
    if (role === "user") checkResponses(parts, asked, place);
    asked = role === "user" ? [] : fieldsOf(parts, "functionCall");
    if (role === "model" && at > turn) checkSigned(parts, place);
  }
}

/** Whether a content of the user is more than what calls have given. */
function beginsTurn(parts: readonly Fields[]): boolean {
  return parts.some((part) => "text" in part) || !parts.some((part) => "functionResponse" in part);
}

function fieldsOf(parts: readonly Fields[], name: string): Fields[] {
  return parts.flatMap((part) => (name in part ? [part[name] as Fields] : []));
}

function checkPart(part: Fields, isOfModel: boolean, place: string): void {
  checkNames(part, [...kinds, "thought", "thoughtSignature"], place);
  const [kind, ...others] = kinds.filter((name) => name in part);
  demand(kind !== undefined, `${place}: required oneof field 'data' must have one initialized field.`);
  demand(others.length === 0, `${place}: oneof field 'data' is already set, cannot set ${others[0]}.`);
  const { thought, thoughtSignature } = part;
  demand(
    isOfModel || (thought === undefined && thoughtSignature === undefined),
    `${place}: thoughts and signatures are the model's.`,
  );
  if (thoughtSignature !== undefined && thoughtSignature !== unsigned) {
    matching(thoughtSignature, /^[A-Za-z0-9+/_-]+={0,2}$/, `${place}.thoughtSignature`);
  }
  switch (kind) {
    case "text":
      demand(textIn(part.text, `${place}.text`) !== "" || thoughtSignature !== undefined, `${place}.text is empty.`);
      break;
    case "functionCall": {
      demand(isOfModel, `${place}: a function call is the model's.`);
      const { name, args } = fieldsIn(part.functionCall, `${place}.functionCall`);
      matching(name, functionName, `${place}.functionCall.name`);
      if (args !== undefined) fieldsIn(args, `${place}.functionCall.args`);
      break;
    }
    case "functionResponse": {
      demand(!isOfModel, `${place}: a function response is the user's.`);
      const { name, response } = fieldsIn(part.functionResponse, `${place}.functionResponse`);
      matching(name, functionName, `${place}.functionResponse.name`);
      fieldsIn(response, `${place}.functionResponse.response`);
      break;
    }
    case "inlineData": {
      const { mimeType, data } = fieldsIn(part.inlineData, `${place}.inlineData`);
      matching(mimeType, /^\w+\/[\w.+-]+$/, `${place}.inlineData.mimeType`);
      matching(data, base64, `${place}.inlineData.data`);
      break;
    }
    case "fileData":
      demand(
        textIn(fieldsIn(part.fileData, `${place}.fileData`).fileUri, `${place}.fileUri`) !== "",
        `${place}.fileUri is empty.`,
      );
      break;
  }
}

const kinds = ["text", "functionCall", "functionResponse", "inlineData", "fileData"];

function checkResponses(parts: readonly Fields[], asked: readonly Fields[], place: string): void {
  const given = fieldsOf(parts, "functionResponse");
  demand(
    given.length === 0 || asked.length > 0,
    `${place}: please ensure that function response turn comes immediately after a function call turn.`,
  );
  demand(
    given.length === asked.length,
    `${place}: please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.`,
  );
  const keys = ({ name, id }: Fields) => `${name} ${id}`;
  for (const [nth, response] of given.entries()) {
    const call = asked[nth] ?? {};
    demand(
      keys(response) === keys(call),
      `${place}: response ${keys(response)} stands where ${keys(call)} was called.`,
    );
  }
  const late = parts.findIndex((part, nth) => "functionResponse" in part && nth >= given.length);
  demand(late === -1, `${place}: function responses must come first.`);
}

function checkSigned(parts: readonly Fields[], place: string): void {
  const first = parts.find((part) => "functionCall" in part);
  demand(
    first === undefined || first.thoughtSignature !== undefined,
    `${place}: Function call is missing a thought_signature in functionCall parts.`,
  );
}

/** What stands for the signature of a call that this model has not made. */
const unsigned = "skip_thought_signature_validator";

const functionName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;
