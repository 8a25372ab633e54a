/** What is used of an instance of pg-boss 12. It is not named by its class, which only ES modules can import. */
export interface Boss {
  createQueue(name: string, options: QueueSettings): Promise<void>;
  getQueue(name: string): Promise<{ policy?: string } | null>;
  /** Resolves to null if a job with the same key waits already. */
  send(name: string, data: object, options: SendSettings): Promise<string | null>;
  work(name: string, options: PollSettings, handler: (jobs: { data: object }[]) => Promise<unknown>): Promise<string>;
  offWork(name: string, options: { id: string; wait: boolean }): Promise<void>;
  /** Lets the worker look for a job at once. */
  notifyWorker(id: string): void;
}

interface QueueSettings {
  policy: string;
  notify: boolean;
  retryLimit: number;
  expireInSeconds: number;
  deleteAfterSeconds: number;
}

export interface SendSettings {
  singletonKey?: string;
  startAfter?: Date;
}

interface PollSettings {
  batchSize: number;
  localConcurrency: number;
  pollingIntervalSeconds: number;
  notifyPollingIntervalSeconds: number;
}
