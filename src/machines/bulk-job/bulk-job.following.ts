import { withOutput } from "../kit/chart.ts";
import { invokeOf } from "../kit/loading.ts";

type Followed<Read, Stop, Store, Forget, Input, Waiting, Ended, LoadFailed, Stopped, NotStopped> = {
  /** The actor that reads the job's progress. */
  read: Read;
  /** The actor that stops it. */
  stop: Stop;
  /** The action that stores the progress; its params are what was read. */
  store: Store;
  /** The action that clears the problem of an earlier attempt to stop the job. */
  forget: Forget;
  /** The input of both actors. */
  input?: Input;
  /** What the chart adds to the state `waiting`. */
  waiting?: Waiting;
  ended: Ended;
  loadFailed: LoadFailed;
  stopped: Stopped;
  notStopped: NotStopped;
};

/**
 * The states that follow a job on the server until it ends, to spread into a chart's states: `running`, which alternates between
 * `waiting` and `reading`, and `cancelling`. Every state of `running` accepts `job.cancel`. Other states in which the job is still running
 * need their own transition to `cancelling`. The chart's setup must have the guard `isGoingOn` and the delay `pollPause`.
 */
export const following = <
  const Read extends string,
  const Stop extends string,
  const Store extends string,
  const Forget extends string,
  const Ended extends readonly unknown[],
  const LoadFailed,
  const Stopped,
  const NotStopped,
  Input = never,
  const Waiting = unknown,
>({
  read,
  stop,
  store,
  forget,
  input,
  waiting,
  ended,
  loadFailed,
  stopped,
  notStopped,
}: Followed<Read, Stop, Store, Forget, Input, Waiting, Ended, LoadFailed, Stopped, NotStopped>) => ({
  running: {
    initial: "waiting" as const,
    on: { "job.cancel": { target: "cancelling" as const, actions: forget } },
    states: {
      waiting: { ...(waiting as Waiting), after: { pollPause: "reading" as const } },
      reading: {
        invoke: {
          ...invokeOf<Read, Input>({ src: read, ...(input === undefined ? {} : { input }) }),
          onDone: [
            {
              guard: withOutput("isGoingOn"),
              target: "waiting" as const,
              actions: withOutput(store),
            },
            ...ended,
          ] as const,
          onError: loadFailed,
        },
      },
    },
  },
  cancelling: {
    invoke: {
      ...invokeOf<Stop, Input>({ src: stop, ...(input === undefined ? {} : { input }) }),
      onDone: stopped,
      onError: notStopped,
    },
  },
});
