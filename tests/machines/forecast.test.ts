import { expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import { createForecast } from "../../src/machines/forecast/forecast.machine.ts";
import { type VisitOf, newsInvariants, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { forecastModel, forecastOf, people } from "./forecast.model.ts";
import { account } from "./telegram-account.model.ts";

type Visited = VisitOf<typeof forecastModel>;
const READS = ["fetchForecast", "fetchPeople", "fetchAccount"];
const stores =
  (what: "day" | "people" | "account") =>
  ({ context, before, event }: Visited) =>
    expect(context).toEqual({
      ...before,
      [what]: event.output,
      isUnknown: { ...before.isUnknown, [what]: event.output === null },
    });
const isUnknown = ({ context }: Visited) => Object.values(context.isUnknown).every(Boolean);
const readsAll = ({ calls }: Visited) => expect(Object.keys(calls)).toEqual(expect.arrayContaining(READS));
const startsReading = (visit: Visited) => {
  expect(READS.filter((read) => read in visit.callsBefore)).toEqual([]);
  readsAll(visit);
};

walkEveryPath(forecastModel, {
  ...readingInvariants("day.", "fetchForecast", stores("day")),
  ...readingInvariants("people.", "fetchPeople", stores("people")),
  ...readingInvariants("account.", "fetchAccount", stores("account")),
  ...newsInvariants("news.changed", READS),
  "news.pausing": {
    accepts: ["news.changed"],
    after: {
      "news.changed": (visit) => {
        startsReading(visit);
        expect(isUnknown(visit)).toEqual(false);
      },
      "after newsPause": startsReading,
      "after age": (visit) => {
        readsAll(visit);
        expect(isUnknown(visit)).toEqual(false);
      },
    },
  },
  "news.unheard": {
    after: {
      "news.changed": (visit) => expect(isUnknown(visit)).toEqual(true),
      "after age": (visit) => expect(isUnknown(visit)).toEqual(true),
    },
  },
});

it("refreshes once per burst of events, and after 10 min without any", async () => {
  const page = fakePage();
  let reads = 0;
  const logic = createForecast(page, {
    now: () => 1_000,
    forecast: {
      fetchForecast: async () => ((reads += 1), forecastOf()),
      fetchPeopleWaiting: async () => people,
      fetchAccount: async () => account,
    },
  });
  const clock = new SimulatedClock();
  const { chart, context } = startJourney(logic, { clock });
  const readsAfter = async (time: number) => {
    clock.increment(time);
    await settle();
    return reads;
  };
  expect(await readsAfter(0)).toEqual(1);
  expect(context().day).toEqual({ forecast: forecastOf(), readAt: 1_000 });
  for (let times = 0; times < 2; times += 1) page.publish("lead.changed");
  expect(await readsAfter(0)).toEqual(2);
  expect(await readsAfter(3_000)).toEqual(3);
  clock.increment(3_000);
  expect(await readsAfter(599_999)).toEqual(3);
  expect(await readsAfter(1)).toEqual(4);
  chart.stop();
  expect(page.hasListeners()).toEqual(false);
});
