import { styleText } from "node:util";
import type { Json } from "@cogency/protocol";
import { visible, wordWrapped } from "../../base/terminal/text.ts";
import { pathText } from "../../person/show/agent-paths.ts";
import type { Paper } from "../../person/turn/paper.ts";
import type { PersonQuestion } from "../conversation/person.ts";
import { type AnswerField, answerFields, answerOf } from "./answer-fields.ts";
import type { OpenQuestion } from "./open-question.ts";

/** What a tool asks: a text, or the fields of its schema, one after another. */
export class ToolQuestion implements OpenQuestion {
  readonly takesText = true;
  readonly #paper: Paper;
  readonly #fields: readonly AnswerField[];
  readonly #values: (Json | undefined)[] = [];
  readonly #settle: (answer: Json | Error) => void;
  #problem: string | undefined;

  constructor(
    { call, agents = [], message, schema, problem }: PersonQuestion,
    paper: Paper,
    settle: (answer: Json | Error) => void,
  ) {
    this.#paper = paper;
    this.#fields = answerFields(schema);
    this.#problem = problem;
    this.#settle = settle;
    const lines = visible(message).split("\n");
    paper.add((columns) => [
      "",
      this.#bold(`${pathText(agents, call?.name ?? "Cogency")} asks`),
      ...lines.flatMap((line) => wordWrapped(line, columns)),
    ]);
    this.#settleIfDone();
  }

  key(): boolean {
    return false;
  }

  submit(text: string): void {
    const field = this.#field;
    if (!field) return;
    const reading = field.read(text);
    if ("problem" in reading) {
      this.#problem = `Not that: ${reading.problem}`;
      this.#paper.refresh();
      return;
    }
    this.#problem = undefined;
    this.#values.push(reading.value);
    const shown = reading.value === undefined ? "(left out)" : visible(text.trim() || JSON.stringify(reading.value));
    this.#paper.add((columns) =>
      `${field.name === undefined ? "" : `${visible(field.name)}: `}${shown}`
        .split("\n")
        .flatMap((line) => wordWrapped(line, columns - 2))
        .map((line, at) => this.#bold(`${at === 0 ? ">" : " "} ${line}`)),
    );
    this.#settleIfDone();
  }

  escape(): void {
    this.#paper.add(() => [styleText("dim", "Not answered.", { stream: this.#paper.stream })]);
    this.#settle(new Error("the user did not want to answer."));
  }

  rows(columns: number): string[] {
    const field = this.#field;
    const name = field?.name === undefined ? "Your answer" : visible(field.name);
    const hint = field?.hint ? ` (${visible(field.hint)})` : "";
    const at = this.#fields.length > 1 ? `${this.#values.length + 1} of ${this.#fields.length}. ` : "";
    return [
      ...(this.#problem === undefined
        ? []
        : wordWrapped(visible(this.#problem), columns).map((line) =>
            styleText("yellow", line, { stream: this.#paper.stream }),
          )),
      ...wordWrapped(`${at}${name}${hint}`, columns).map((line) => this.#bold(line)),
      styleText("dim", "Enter answers, Esc does not", { stream: this.#paper.stream }),
    ];
  }

  get #field(): AnswerField | undefined {
    return this.#fields[this.#values.length];
  }

  #settleIfDone(): void {
    if (this.#field) this.#paper.refresh();
    else this.#settle(answerOf(this.#fields, this.#values));
  }

  #bold(text: string): string {
    return styleText("bold", text, { stream: this.#paper.stream });
  }
}
