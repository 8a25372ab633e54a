import { createClient } from "@cogency/client";
import type { NoteCall } from "../server/note-tools.ts";

export const client = createClient<NoteCall>({ url: "/api" });
