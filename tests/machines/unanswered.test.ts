import { describe, expect, it, vi } from "vitest";
import { type AnyEventObject, type AnyStateMachine, createActor, fromPromise } from "xstate";
import { boardMachine } from "../../src/machines/board/index.ts";
import { NO_FILTERS } from "../../src/machines/leads/index.ts";
import { HttpError } from "../../src/services/http.ts";

type Case = {
  machine: AnyStateMachine;
  input?: unknown;
  /** The actor that reads the truth, or the action by which others are told to read it. */
  reads: { actor: string; answer: unknown } | { action: string };
  /** The write that fails. */
  write: string;
  /** What other actors answer. */
  answers?: Record<string, unknown>;
  /** What the user does. An event is sent once the chart takes it. */
  events: AnyEventObject[];
  /** The chart keeps no text of a refusal: the alert of the specification is all there is. */
  isAlertOnly?: true;
};

const stage = { id: "s1", name: "Interested", order: 1, color: "#999999", keywords: ["price"] };
const lead = { id: "l1", name: "Ada", stage_id: "s1", notes: "", followup_order_sent: 0, tags: [], fields: {} };
const board = { columns: [column("s1", [lead]), column("s2", [])], valueField: null };
function column(id: string, leads: object[]) {
  return { stage: { ...stage, id, name: id }, leads, total: leads.length, value: null };
}

const cases: Record<string, Case> = {
  "moving a card": {
    machine: boardMachine,
    input: { filters: NO_FILTERS },
    reads: { actor: "fetchBoard", answer: board },
    write: "moveLead",
    events: [{ type: "card.move", leadId: "l1", stageId: "s2" }],
    isAlertOnly: true,
  },
};

/** Every text in a chart's context. */
const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

async function fail({ machine, input, reads, write, answers = {}, events }: Case, error: unknown) {
  let count = 0;
  const read = () => {
    count += 1;
  };
  const actors: Record<string, unknown> = { askConfirmation: fromPromise(async () => true) };
  actors["showAlert"] = fromPromise(async () => {});
  for (const [name, answer] of Object.entries(answers)) actors[name] = fromPromise(async () => answer);
  if ("actor" in reads)
    actors[reads.actor] = fromPromise(async () => {
      read();
      return reads.answer;
    });
  const refuse = Promise.withResolvers<never>();
  actors[write] = fromPromise(() => refuse.promise);
  const actions = "action" in reads ? { [reads.action]: read } : {};
  const logic = machine.provide({ actors, actions, delays: { newsPause: 0, pollInterval: 0 } } as never);
  const chart = createActor(logic, { input }).start();
  for (const event of events) {
    await vi.waitFor(() => expect([event.type, chart.getSnapshot().can(event)]).toEqual([event.type, true]));
    chart.send(event);
  }
  await new Promise((resolve) => setTimeout(resolve));
  const before = count;
  refuse.reject(error);
  await vi.waitFor(() => expect(chart.getSnapshot().children[write]).toBeUndefined());
  return {
    texts: () => textsIn(chart.getSnapshot().context),
    readsAgain: () => count > before,
    stop: () => chart.stop(),
  };
}

describe.each(Object.entries(cases))("%s", (_name, known) => {
  it("says that the outcome is unknown and reads again when the server does not respond", async () => {
    const { texts, readsAgain, stop } = await fail(known, new HttpError(null, null));
    await vi.waitFor(() => expect(readsAgain()).toEqual(true));
    const isTold = texts().some((text) => /^No response from the server\. .*\b(may|If)\b/.test(text));
    expect(isTold).toEqual(known.isAlertOnly !== true);
    stop();
  });

  it("gives the server's reason when it refuses", async () => {
    if (known.isAlertOnly) return;
    const { texts, stop } = await fail(known, new HttpError(409, { code: "conflict", message: "Not now." }));
    await vi.waitFor(() => expect(texts()).toContain("Not now."));
    expect(texts()).not.toContainEqual(expect.stringMatching(/No response/));
    stop();
  });
});
