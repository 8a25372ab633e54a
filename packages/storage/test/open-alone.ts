import { memoryStore } from "@cogency/storage";

/** What no other process sees. */
export default async () => memoryStore();
