import { readFileSync } from "node:fs";
import { scripted } from "@cogency/provider";

/** `--provider <this file> --model <file>`: gives the answers in the file; an array is a batch of calls. */
export default function model({ model = "" }: { model?: string }) {
  const answers: (string | object[])[] = JSON.parse(readFileSync(model, "utf8"));
  const texts = answers.map((answer) =>
    typeof answer === "string" ? answer : `<execute>${JSON.stringify(answer)}</execute>`,
  );
  return scripted([...texts, "That was it.", "That was it again."]);
}
