import { outputOf, readingOf } from "../kit/loading.ts";

type Followed<Read, Stop, Store, Forget, Input, Waiting, Ended, Unread, Stopped, NotStopped> = {
  /** The actor that reads how far the job is. */
  read: Read;
  /** The actor that stops it. */
  stop: Stop;
  /** The action that keeps how far it is; its params are what was read. */
  store: Store;
  /** The action that forgets why the job was not stopped before. */
  forget: Forget;
  /** What both actors are given. */
  input?: Input;
  /** What else the chart does between two readings. */
  waiting?: Waiting;
  /** The transitions once the job does not go on. */
  ended: Ended;
  /** The transitions when it could not be read how far the job is. */
  unread: Unread;
  stopped: Stopped;
  notStopped: NotStopped;
};

/**
 * A job of the server, followed until it ends: the states `running` (`waiting` and `reading` by turns) and `cancelling`. 'job.cancel' is
 * taken in all of `running`; other states in which the job goes on lead to `cancelling` themselves. Needs the guard `isGoingOn` and
 * the delay `pollPause` in the chart's setup. Spread into the chart's states.
 */
export const following = <
  const Read extends string,
  const Stop extends string,
  const Store extends string,
  const Forget extends string,
  const Ended extends readonly unknown[],
  const Unread,
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
  unread,
  stopped,
  notStopped,
}: Followed<Read, Stop, Store, Forget, Input, Waiting, Ended, Unread, Stopped, NotStopped>) => ({
  running: {
    initial: "waiting" as const,
    on: { "job.cancel": { target: "cancelling" as const, actions: forget } },
    states: {
      waiting: { ...(waiting as Waiting), after: { pollPause: "reading" as const } },
      reading: {
        invoke: {
          ...readingOf<Read, Input>({ src: read, ...(input === undefined ? {} : { input }) }),
          onDone: [
            {
              guard: { type: "isGoingOn" as const, params: outputOf },
              target: "waiting" as const,
              actions: { type: store, params: outputOf },
            },
            ...ended,
          ] as const,
          onError: unread,
        },
      },
    },
  },
  cancelling: {
    invoke: {
      ...readingOf<Stop, Input>({ src: stop, ...(input === undefined ? {} : { input }) }),
      onDone: stopped,
      onError: notStopped,
    },
  },
});
