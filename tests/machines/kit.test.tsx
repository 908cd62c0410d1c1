import { msg } from "@lingui/core/runtime-macro";
import { act, render, screen } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type PromiseActorLogic, assign, createActor, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";
import { settle, startJourney } from "../support/page.ts";
import { offline } from "../support/model.ts";
import { createChart } from "../../src/machines/kit/chart.ts";
import { type ReadingEvent, initialLoad, selectOutdated, selectLoadFailed } from "../../src/machines/kit/loading.ts";
import { createReporter } from "../../src/machines/kit/page.ts";
import { loadRegion, throttled } from "../../src/machines/kit/refreshing.ts";
import { writing } from "../../src/machines/kit/writing.ts";
import { leadsText, percentText, shortened } from "../../src/language/format.ts";
import type { Logger } from "../../src/services/logger.ts";
import { HttpError } from "../../src/services/http.ts";

const listSetupOver = (
  fetchWords: PromiseActorLogic<string[], { page: number }>,
  logger: Logger = { warn: () => {} },
) =>
  setup({
    types: { context: {} as { words: string[]; page: number }, events: {} as ReadingEvent },
    actors: { fetchWords, fetchNumber: fromPromise<number, void>(async () => 7) },
    actions: { storeWords: assign((_, words: string[]) => ({ words })), reportFailure: createReporter(logger) },
  });
const createList = (...given: Parameters<typeof listSetupOver>) =>
  listSetupOver(...given).createMachine({
    id: "list",
    context: { words: [], page: 3 },
    type: "parallel",
    states: {
      words: loadRegion({
        src: "fetchWords",
        store: "storeWords",
        what: msg`the words`,
        input: ({ context }: { context: { page: number } }) => ({ page: context.page }),
      }),
      more: {
        initial: "loading",
        states: {
          ...initialLoad({
            src: "fetchWords",
            id: "fetchRest",
            store: "storeWords",
            what: msg`the rest`,
            shown: "shown",
            input: () => ({ page: 4 }),
          }),
          shown: {},
        },
      },
    },
  });

describe("a read", () => {
  const start = () => {
    const pages: { page: number; settle: PromiseWithResolvers<string[]>; signal: AbortSignal }[] = [];
    const warnings: unknown[] = [];
    const fetchWords: PromiseActorLogic<string[], { page: number }> = fromPromise(({ input, signal }) => {
      const settle = Promise.withResolvers<string[]>();
      pages.push({ ...input, settle, signal });
      return settle.promise;
    });
    const logger = { warn: (what: string, error: unknown) => void warnings.push(what, error) };
    return { ...startJourney(createList(fetchWords, logger)), pages, warnings };
  };

  it("names what failed, logs the error, keeps the old data and retries on demand", async () => {
    const { pages, warnings, go, context, snapshot } = start();
    const missing = () => [selectLoadFailed(snapshot()), selectOutdated(snapshot())].map((list) => list?.map(english));
    expect(pages.map(({ page }) => page)).toEqual([3, 4]);
    pages[0]?.settle.reject(offline);
    await settle();
    expect(missing()).toEqual([["the words"], undefined]);
    pages[1]?.settle.reject(offline);
    await settle();
    expect(missing()).toEqual([["the words", "the rest"], undefined]);
    expect(warnings).toEqual(["fetchWords failed", offline, "fetchRest failed", offline]);
    await go({ type: "reading.retry" });
    pages[2]?.settle.resolve(["price"]);
    await settle();
    expect([context().words, missing()]).toEqual([["price"], [undefined, undefined]]);
    await go({ type: "reading.refresh" });
    pages.at(-1)?.settle.reject(offline);
    await settle();
    expect([context().words, missing()]).toEqual([["price"], [undefined, ["the words"]]]);
    await go({ type: "reading.retry" });
    pages.at(-1)?.settle.resolve(["offer"]);
    await settle();
    expect([context().words, missing()]).toEqual([["offer"], [undefined, undefined]]);
  });

  it("aborts an older request on a refresh, and when its chart stops", async () => {
    const { pages, go, context, chart } = start();
    await go({ type: "reading.refresh" });
    expect(pages.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    pages[2]?.settle.resolve(["newest"]);
    await settle();
    pages[0]?.settle.resolve(["older"]);
    await settle();
    expect(context().words).toEqual(["newest"]);
    chart.stop();
    expect(pages[1]?.signal.aborted).toEqual(true);
  });

  it("is type-checked against its chart: actor, action and output", () => {
    const context = { words: [], page: 1 };
    const listSetup = listSetupOver(fromPromise<string[], { page: number }>(async () => []));
    const noActor = loadRegion({ src: "fetchNothing", store: "storeWords" });
    const noAction = loadRegion({ src: "fetchNumber", store: "storeNothing" });
    const otherOutput = loadRegion({ src: "fetchNumber", store: "storeWords" });
    const refused = [
      // @ts-expect-error -- unknown actor
      () => listSetup.createMachine({ ...noActor, context }),
      // @ts-expect-error -- unknown action
      () => listSetup.createMachine({ ...noAction, context }),
      // @ts-expect-error -- a number is not a list of words
      () => listSetup.createMachine({ ...otherOutput, context }),
    ];
    expect(refused.length).toEqual(3);
  });
});

describe("a write", () => {
  const start = (write: () => Promise<"saved" | "refused">) => {
    const notices: string[] = [];
    const page = {
      notifier: {
        toast: (message: UiTextOrString) => void notices.push(english(message)),
        warn: (message: UiTextOrString) => void notices.push(`⚠ ${english(message)}`),
      },
      logger: { warn: (what: string) => void notices.push(`log: ${what}`) },
    };
    const save = writing<"saved" | "refused", { name: string }>(page, write, {
      done: (output, { name }) => (output === "saved" ? `${name} saved` : { failed: `${name} refused` }),
      failed: (_error, { name }) => ({ refused: `${name} was not saved`, unknown: `${name} may have been saved.` }),
    });
    return { notices, actor: createActor(save, { input: { name: "Ada" } }).start() };
  };

  it("leaves the message to a chart that waits for it", async () => {
    const { notices, actor } = start(async () => "saved");
    await settle();
    expect([actor.getSnapshot().output, notices]).toEqual(["saved", []]);
  });

  it.each([
    ["succeeds", async () => "saved" as const, ["Ada saved"]],
    ["is refused", async () => "refused" as const, ["⚠ Ada refused"]],
    [
      "gets no response",
      () => Promise.reject(offline),
      ["log: a write failed after its screen was left", "⚠ No response from the server. Ada may have been saved."],
    ],
    [
      "fails without a reason",
      () => Promise.reject(new HttpError(409, null)),
      ["log: a write failed after its screen was left", "⚠ Ada was not saved"],
    ],
  ])("shows its outcome in a toast when its chart is gone and it %s", async (_how, answer, words) => {
    const gate = Promise.withResolvers<void>();
    const { notices, actor } = start(async () => {
      await gate.promise;
      return answer();
    });
    actor.stop();
    gate.resolve();
    await settle();
    expect(notices).toEqual(words);
  });
});

it("enables a control by what its chart accepts, and keeps the first chart", () => {
  const createDoor = () =>
    setup({ types: { events: {} as { type: "door.open" } } }).createMachine({
      initial: "closed",
      states: { closed: { on: { "door.open": "open" } }, open: {} },
    });
  const Door = createChart<typeof createDoor>("door");
  function OpenButton() {
    const [door, send] = Door.use();
    const canOpen = Door.useCan({ type: "door.open" });
    return (
      <button type="button" disabled={!canOpen} onClick={() => send({ type: "door.open" })}>
        {door.matches("open") ? "It is open" : "Open"}
      </button>
    );
  }

  const show = () => (
    <Door.Provider logic={createDoor()}>
      <OpenButton />
    </Door.Provider>
  );
  const { rerender } = render(show());
  const button = screen.getByRole<HTMLButtonElement>("button");
  expect([button.textContent, button.disabled]).toEqual(["Open", false]);
  act(() => button.click());
  rerender(show());
  expect([button.textContent, button.disabled]).toEqual(["It is open", true]);
});

it("throttles a listener: first event at once, last after a pause, none once ended", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const received: number[] = [];
  const { call, end } = throttled((news: number) => received.push(news), 2_000);
  for (const news of [1, 2, 3]) call(news);
  expect(received).toEqual([1]);
  vi.advanceTimersByTime(2_000);
  expect(received).toEqual([1, 3]);
  vi.advanceTimersByTime(10_000);
  expect(received).toEqual([1, 3]);
  call(4);
  call(5);
  end();
  vi.advanceTimersByTime(10_000);
  expect(received).toEqual([1, 3, 4]);
});

it("counts leads, rounds small shares to zero and shortens by visible letters", () => {
  expect([leadsText(1), leadsText(1_200), percentText(0.04)]).toEqual(["1 lead", "1,200 leads", "0%"]);
  expect([shortened("Interested", 20), shortened("👩‍👩‍👧 family", 4)]).toEqual(["Interested", "👩‍👩‍👧 f…"]);
});
