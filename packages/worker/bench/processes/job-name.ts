/** The name of jobs that do nothing: the queue of pg-boss, the task of Graphile Worker. */
export const jobName = "nothing";
