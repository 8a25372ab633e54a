import { describeTopReadme } from "./describe-documents.ts";

describeTopReadme();
