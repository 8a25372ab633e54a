import type { Json, JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { revealed, visible } from "../text.ts";
import type { Actions } from "./page-context.ts";
import { button, tag } from "./tag.ts";

/**
 * A form for what a tool asks: a field for each property of its schema, or one for an answer that is no object. The examples of a text
 * are buttons that answer at once.
 */
export function answerForm(
  question: QuestionPart,
  asked: readonly (HTMLElement | false)[],
  actions: Actions,
): HTMLElement {
  const schema = (question.schema ?? { type: "string" }) as JsonObject;
  const properties = schema.type === "object" && isObject(schema.properties) ? schema.properties : undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = properties
    ? Object.entries(properties).map(([name, one]) => fieldOf(name, isObject(one) ? one : {}, required.includes(name)))
    : [fieldOf("", schema, true)];
  const state = tag("p", { class: "fact", role: "status" });
  const send = async (content: Json) => {
    set.disabled = true;
    state.textContent = "Sending…";
    const wasSent = await actions.answer(question.id, content);
    set.disabled = wasSent;
    state.textContent = wasSent ? "Sent." : "Not sent.";
  };
  const examples = examplesOf(schema).map((text) => button(visible(text), () => send(text)));
  const set = tag(
    "fieldset",
    {},
    tag("legend", {}, "Your answer is needed"),
    ...asked,
    ...(examples.length > 0 ? [tag("div", { class: "row" }, ...examples)] : []),
    ...fields.map(({ element }) => element),
    tag("div", { class: "row" }, tag("button", { type: "submit", class: "main" }, "Answer")),
    state,
  );
  const form = tag("form", { "aria-label": `Question of ${revealed(question.name)}` }, set);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    let content: Json | undefined;
    try {
      const given = fields.map(({ name, read }) => [name, read()] as const);
      content = properties
        ? (Object.fromEntries(given.filter(([, value]) => value !== undefined)) as JsonObject)
        : given[0]?.[1];
    } catch {
      state.textContent = "This is not valid JSON.";
      return;
    }
    await send(content ?? null);
  });
  return form;
}

/** Texts that a person may choose instead of writing one. */
function examplesOf({ type, examples }: JsonObject): string[] {
  if (type !== "string" || !Array.isArray(examples)) return [];
  return examples.filter((example) => typeof example === "string").slice(0, 8);
}

interface Field {
  readonly name: string;
  readonly element: HTMLElement;
  /** @throws SyntaxError for text that should be JSON */
  read(): Json | undefined;
}

function fieldOf(name: string, schema: JsonObject, isRequired: boolean): Field {
  const { title, description, type } = schema;
  const words = [title, description].find((text) => typeof text === "string");
  const text = visible(typeof words === "string" ? words : name || "Answer");
  const labelled = (field: HTMLElement) => tag("label", { class: "field" }, text, " ", field);
  const choices = Array.isArray(schema.enum) ? schema.enum : undefined;
  if (choices) {
    const options = choices.map((choice, i) => tag("option", { value: i }, visible(String(choice))));
    const select = tag(
      "select",
      { required: isRequired },
      !isRequired && tag("option", { value: "" }, "–"),
      ...options,
    );
    return { name, element: labelled(select), read: () => (select.value === "" ? undefined : choices[+select.value]) };
  }
  if (type === "boolean") {
    const box = tag("input", { type: "checkbox" });
    return { name, element: labelled(box), read: () => box.checked };
  }
  if (type === "number" || type === "integer") {
    const input = tag("input", { type: "number", step: type === "integer" ? 1 : "any", required: isRequired });
    return { name, element: labelled(input), read: () => (input.value === "" ? undefined : input.valueAsNumber) };
  }
  if (type === "string") {
    const input = tag("textarea", { rows: 2, required: isRequired });
    return {
      name,
      element: labelled(input),
      read: () => (input.value === "" && !isRequired ? undefined : input.value),
    };
  }
  const input = tag("textarea", { rows: 3, required: isRequired, placeholder: "JSON", class: "code" });
  return {
    name,
    element: labelled(input),
    read: () => (input.value.trim() === "" ? undefined : JSON.parse(input.value)),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
