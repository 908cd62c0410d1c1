import { expect, it } from "vitest";
import { createScreenAddress } from "../../src/services/address.ts";

it("adds a history entry for each new address of the screen that is shown", () => {
  // An added entry drops those ahead of it, which an earlier test may have left by going back.
  window.history.pushState(null, "", "/leads?name=ada");
  const { length } = window.history;
  const leads = createScreenAddress("/leads");
  leads.write("name=ada");
  createScreenAddress("/stats").write("days=7");
  expect([window.history.length - length, leads.read()]).toEqual([0, "name=ada"]);
  leads.write("name=bob");
  expect([window.history.length - length, window.location.search]).toEqual([1, "?name=bob"]);
  leads.write("");
  expect([window.history.length - length, window.location.href]).toEqual([2, "http://localhost:3000/leads"]);
});
