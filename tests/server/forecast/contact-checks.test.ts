import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Bus, Topics } from "../../../server/core/bus.ts";
import { startContactChecks } from "../../../server/forecast/contact-checks.ts";
import type { SendPort } from "../../../server/outbox/port.ts";
import { accountOf, newLead, startTestEngine } from "../../support/engine.ts";
import { refusal } from "../../support/fake-telegram.ts";

type Wanted = Topics["contacts.wanted"];

/** Starts the checks of a seller with one lead. Only the first call is answered by `first`. */
async function startChecks() {
  const engine = await startTestEngine();
  onTestFinished(() => engine.stop());
  const seller = await engine.newSeller();
  const lead = await newLead(engine, seller);
  let notify: (wanted: Wanted) => void = () => {};
  const bus = {
    ...engine.deps.bus,
    on: (_topic: string, listener: typeof notify) => {
      notify = listener;
      return () => {};
    },
  } as Bus;
  const first = Promise.withResolvers<never>();
  const requirementsOf = vi.fn<SendPort["requirementsOf"]>(async (ids) => ids.map(() => null));
  const begun = Promise.withResolvers<void>();
  requirementsOf.mockImplementationOnce(() => {
    begun.resolve();
    return first.promise;
  });
  const port = { ...engine.fakeTelegram().port, requirementsOf };
  const checks = startContactChecks({ ...engine.deps, bus }, accountOf(seller, port));
  const want = (leadIds: string[]) => notify({ owner_id: seller.id, stage_id: null, filter: null, lead_ids: leadIds });
  onTestFinished(() => checks.stop());
  return { engine, clock: engine.clock, leadId: lead.id, begun, first, requirementsOf, want };
}

test("checks newly named contacts after a refusal too", async () => {
  const { engine, clock, leadId, begun, first, requirementsOf, want } = await startChecks();
  want([leadId]);
  await begun.promise;
  want(Array.from({ length: 5_000 }, () => randomUUID()));
  first.reject(refusal("TIMEOUT"));
  await clock.pass(61_000);
  want([leadId]);
  await engine.idle();
  expect(requirementsOf).toHaveBeenCalledTimes(2);
});
