import type { Boss } from "./boss.ts";

/**
 * Creates the queue if it is missing. The policy `short` keeps one job of a key that waits, and takes another while one is active. Of
 * the others, `exclusive` drops a wake that comes while a worker looks, `stately` and `key_strict_fifo` hold a conversation back after
 * a job that failed.
 *
 * @throws Error for a queue of another policy
 */
export async function prepareQueue(boss: Boss, name: string): Promise<void> {
  await boss.createQueue(name, {
    policy: "short",
    notify: true,
    // A wake is not repeated: what is due stands in the store.
    retryLimit: 0,
    // A worker without a place holds one job for as long as it has none.
    expireInSeconds: 86_399,
    deleteAfterSeconds: 3600,
  });
  const policy = (await boss.getQueue(name))?.policy;
  if (policy === "short") return;
  throw new Error(
    `The queue ${JSON.stringify(name)} of pg-boss has the policy ${JSON.stringify(policy)}, which swallows wakes; it must be "short". Give another name as \`queue\`, or delete that queue.`,
  );
}
