import { expect, it } from "vitest";
import { runBreak, runLostPeople, runOtherAccount } from "../../../tools/chaos/models/returning.ts";
import { ownServer } from "../../support/servers.ts";

const server = await ownServer();

it("people whom the address book had lost are found when the account is held again, and what was passed over goes out", async () => {
  expect(await runLostPeople(server)).toBe(2);
});

it.each(["sixty days without a subscription", "sixty days under another account, which could not reach them"] as const)(
  "after %s nothing stale goes out unasked: all are listed for the user to confirm",
  async (name) => {
    expect(await runBreak(server, name)).toBe(6);
  },
);

it("another account in between flags nobody, and the first one reaches everyone again", async () => {
  expect(await runOtherAccount(server)).toBe(0);
});
