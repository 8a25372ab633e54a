import type { RecordContent } from "@cogency/protocol";

/** Why a call might run, as the log keeps it. */
export type Allowed = NonNullable<Extract<RecordContent, { kind: "started" }>["data"]["allowed"]>;
