import { memoryStore } from "@cogency/storage";

/** Opens a store that no other process sees. */
export default async () => memoryStore();
