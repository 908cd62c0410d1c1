import { type AnyMachineSnapshot, type AnyStateMachine, type InspectionEvent, StateMachine } from "xstate";
import { createSignal } from "../../services/signal.ts";
import { redact } from "./redact.ts";

export type WatchedActor = {
  /** unique on the page, also for two actors of one machine */
  sessionId: string;
  /** the session id of the parent actor; null if it has none */
  parentId: string | null;
  name: string;
  /** the subject, such as the lead's name; empty for actors that exist once */
  about: string;
  /** the machine's id, null for promises and callbacks */
  machineId: string | null;
  state: string;
  activeIds: readonly string[];
  context: unknown;
  status: string;
};
export type LoggedEvent = { number: number; actor: string; sessionId: string; type: string; payload: unknown };
export type InspectorView = { actors: readonly WatchedActor[]; events: readonly LoggedEvent[] };

type InspectedActor = {
  sessionId: string;
  id?: string;
  logic?: unknown;
  getSnapshot?: () => unknown;
  _parent?: { sessionId: string } | undefined;
};

/** Maximum number of stored events; the oldest are dropped. */
export const LOG_SIZE = 300;

/** Records the page's actors and their events for a view. Notifies listeners at most once per turn. */
export function createActorLog() {
  const actors = new Map<string, WatchedActor>();
  const { notify, listen } = createSignal();
  let events: LoggedEvent[] = [];
  let view: InspectorView = { actors: [], events: [] };
  let count = 0;
  let isDue = false;

  const publish = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      view = { actors: [...actors.values()], events: [...events] };
      notify();
    });
  };

  /** Names of leads by id, as far as an actor has known them. */
  const names = new Map<string, string>();

  const note = (actorRef: InspectedActor, snapshot: unknown) => {
    const watched = watchedOf(actorRef, snapshot, names);
    // Ended actors without a machine are removed from the list; the log records their end.
    if (watched.machineId === null && watched.status !== "active") actors.delete(watched.sessionId);
    else if (watched.status === "stopped") actors.delete(watched.sessionId);
    else actors.set(watched.sessionId, watched);
  };

  return {
    inspect(event: InspectionEvent): void {
      const actorRef = event.actorRef as InspectedActor;
      if (event.type === "@xstate.actor") note(actorRef, snapshotOf(actorRef));
      else if (event.type === "@xstate.snapshot") note(actorRef, event.snapshot);
      else if (event.type === "@xstate.event") {
        const { type, ...payload } = event.event;
        count += 1;
        const entry = {
          number: count,
          actor: [nameOf(actorRef), actors.get(actorRef.sessionId)?.about].filter(Boolean).join(" "),
          sessionId: actorRef.sessionId,
          type,
          payload: redact(payload),
        };
        events = [...events.slice(1 - LOG_SIZE), entry];
        if (type === "xstate.stop") actors.delete(actorRef.sessionId);
      } else return;
      publish();
    },
    subscribe: listen,
    read: (): InspectorView => view,
  };
}

export type ActorLog = ReturnType<typeof createActorLog>;

/** A child announces itself before it has a snapshot, and reading it then throws. Its first snapshot follows. */
function snapshotOf(actor: InspectedActor): unknown {
  try {
    return actor.getSnapshot?.();
  } catch {
    return undefined;
  }
}

const nameOf = (actor: InspectedActor): string =>
  actor.logic instanceof StateMachine ? actor.logic.id : (actor.id ?? actor.sessionId);

type Held = Record<string, unknown>;

/** The context keys that hold the subject of a chart with several actors. */
const SUBJECTS = ["lead", "stage", "followup", "reminder", "job"];
const NAMES = ["name", "title", "username", "message", "id"];

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function aboutOf(context: unknown, names: Map<string, string>): string {
  const held = (context ?? {}) as Held;
  const subject = SUBJECTS.map((key) => held[key]).find((value) => typeof value === "object" && value !== null);
  const named = (subject ?? {}) as Held;
  const name = NAMES.map((key) => named[key]).find(isText);
  const isLead = subject !== undefined && subject === held["lead"];
  const leadId = isLead ? named["id"] : held["leadId"];
  if (isLead && isText(leadId) && name !== undefined) names.set(leadId, name);
  // A chart that only knows the lead's id gets the name that other actors know.
  return name ?? (isText(leadId) ? (names.get(leadId) ?? leadId) : ([held["kind"], held["what"]].find(isText) ?? ""));
}

function watchedOf(actor: InspectedActor, snapshot: unknown, names: Map<string, string>): WatchedActor {
  const { status = "active", context } = (snapshot ?? {}) as { status?: string; context?: unknown };
  const machine = actor.logic instanceof StateMachine ? (actor.logic as AnyStateMachine) : null;
  const { value } = (snapshot ?? {}) as Partial<AnyMachineSnapshot>;
  return {
    sessionId: actor.sessionId,
    // oxlint-disable-next-line no-underscore-dangle -- xstate's name for the actor that started this one
    parentId: actor._parent?.sessionId ?? null,
    name: nameOf(actor),
    about: machine ? aboutOf(context, names) : "",
    machineId: machine?.id ?? null,
    state: machine ? valueText(value) : status,
    activeIds: machine ? [machine.id, ...idsWithin(machine.id, value)] : [],
    context: redact(context),
    status,
  };
}

/** Ids of the live states: a state's id is its path. */
function idsWithin(parent: string, value: unknown): string[] {
  if (typeof value === "string") return [`${parent}.${value}`];
  return Object.entries((value ?? {}) as Record<string, unknown>).flatMap(([key, inner]) => [
    `${parent}.${key}`,
    ...idsWithin(`${parent}.${key}`, inner),
  ]);
}

/** Returns the state as text: `connected.settled`, or for parallel regions `composer: composing, job: absent`. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  const [only] = entries;
  if (entries.length === 1 && only) return `${only[0]}.${valueText(only[1])}`;
  return entries.map(([region, state]) => `${region}: ${valueText(state)}`).join(", ");
}
