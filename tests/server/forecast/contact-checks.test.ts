import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { Bus, Topics } from "../../../server/core/bus.ts";
import { startContactChecks } from "../../../server/forecast/index.ts";
import type { SendPort } from "../../../server/outbox/index.ts";
import { createFakeTelegram, newLead, startTestEngine } from "../../support/engine.ts";
import { refusal } from "../../support/fake-telegram.ts";
import { waitFor } from "../../support/waiting.ts";

type Wanted = Topics["contacts.wanted"];

test("people who are named are asked about after a refusal too, however many were named in the middle of it", async () => {
  const engine = await startTestEngine();
  onTestFinished(() => engine.stop());
  const seller = await engine.newSeller();
  const lead = await newLead(engine, seller);
  let tell: (wanted: Wanted) => void = () => {};
  const bus = {
    ...engine.deps.bus,
    on: (_topic: string, listener: typeof tell) => {
      tell = listener;
      return () => {};
    },
  } as Bus;
  const first = Promise.withResolvers<never>();
  let asked = 0;
  const requirementsOf: SendPort["requirementsOf"] = async (ids) => {
    asked += 1;
    return asked === 1 ? first.promise : ids.map(() => null);
  };
  const port = { ...createFakeTelegram(engine.clock).port, requirementsOf };
  const { id: userId, accountId, telegramUserId } = seller;
  const { signal } = new AbortController();
  const checks = startContactChecks(
    { ...engine.deps, bus },
    { accountId, userId, telegramUserId, fence: 1n, port, signal },
  );
  const want = (leadIds: string[]) => tell({ owner_id: userId, stage_id: null, filter: null, lead_ids: leadIds });
  want([lead.id]);
  await waitFor(() => expect(asked).toBe(1));
  want(Array.from({ length: 5_000 }, () => randomUUID()));
  first.reject(refusal("TIMEOUT"));
  await new Promise((resolve) => setImmediate(resolve));
  engine.clock.advance(61);
  want([lead.id]);
  await waitFor(() => expect(asked).toBe(2));
  await checks.stop();
});
