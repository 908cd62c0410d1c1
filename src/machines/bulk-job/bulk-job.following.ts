import { withOutput } from "../kit/chart.ts";
import { invokeOf } from "../kit/loading.ts";

type FollowedJob = {
  /** The actor that reads the job's progress. */
  read: string;
  /** The actor that stops it. */
  stop: string;
  /** The action that stores the progress; its params are what was read. */
  store: string;
  /** The action that clears the problem of an earlier attempt to stop the job. */
  forget: string;
  /** The input of both actors. */
  input?: unknown;
  /** What the chart adds to the state `waiting`. */
  waiting?: object;
  ended: readonly unknown[];
  loadFailed: unknown;
  stopped: unknown;
  notStopped: unknown;
};

type InputOf<Job> = Job extends { input: infer Input } ? Input : never;

/**
 * The states that follow a job on the server until it ends, to spread into a chart's states: `running`, which alternates between
 * `waiting` and `reading`, and `cancelling`. Every state of `running` accepts `job.cancel`. Other states in which the job is still running
 * need their own transition to `cancelling`. The chart's setup must have the guard `isGoingOn` and the delay `pollPause`.
 */
export const following = <const Job extends FollowedJob>(job: Job) => {
  const input = job.input === undefined ? {} : { input: job.input as InputOf<Job> };
  return {
    running: {
      initial: "waiting" as const,
      on: { "job.cancel": { target: "cancelling" as const, actions: job.forget as Job["forget"] } },
      states: {
        waiting: { ...(job.waiting as Job["waiting"]), after: { pollPause: "reading" as const } },
        reading: {
          invoke: {
            ...invokeOf<Job["read"], InputOf<Job>>({ src: job.read, ...input }),
            onDone: [
              {
                guard: withOutput("isGoingOn"),
                target: "waiting" as const,
                actions: withOutput<Job["store"]>(job.store),
              },
              ...(job.ended as Job["ended"]),
            ] as const,
            onError: job.loadFailed as Job["loadFailed"],
          },
        },
      },
    },
    cancelling: {
      invoke: {
        ...invokeOf<Job["stop"], InputOf<Job>>({ src: job.stop, ...input }),
        onDone: job.stopped as Job["stopped"],
        onError: job.notStopped as Job["notStopped"],
      },
    },
  };
};
