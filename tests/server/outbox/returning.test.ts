import { expect, it } from "vitest";
import { runBreak, runLostPeople, runOtherAccount } from "../../../tools/chaos/models/returning.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer();

it("finds lost peers after a restart, and sends what was skipped", async () => {
  expect(await runLostPeople(server)).toBe(2);
});

it.each(["sixty days without a subscription", "sixty days with another account that could not reach them"] as const)(
  "holds overdue sends after %s for the user's approval",
  async (name) => {
    expect(await runBreak(server, name)).toBe(6);
  },
);

it("marks no lead unreachable after another account was connected in between", async () => {
  expect(await runOtherAccount(server)).toBe(0);
});
