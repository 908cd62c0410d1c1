import { expect, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { createAccountPool } from "../../../server/telegram/account/account-pool.ts";
import type { AccountHandle, HolderOptions } from "../../../server/telegram/account/holder.ts";
import type { LeasedRow } from "../../../server/telegram/account/leases.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

vi.mock("../../../server/telegram/account/holder.ts", () => ({
  /** Fails twice: its connection, then its start, because the account is dropped. */
  async holdAccount(_deps: unknown, options: HolderOptions, row: LeasedRow, { leaving }: { leaving: AbortSignal }) {
    options.onFailed({ id: row.id, fence: BigInt(row.fence) } as AccountHandle, new Error("no connection"));
    leaving.throwIfAborted();
  },
}));

test("counts one failure when an account fails to connect while it starts", async () => {
  const work = createWork();
  const clock = createVirtualClock(work, 0);
  const logger = { error: vi.fn<(details: { failures?: number }) => void>() };
  const deps = { clock, logger, work } as never;
  const holder = { onFailed: (held: AccountHandle, error: unknown) => pool.fail(held, error) } as never;
  const pool = createAccountPool(deps, holder, {
    release: ({ id, fence }) => pool.drop(id, fence, false),
    onSlotFree() {},
    onRetryDue() {},
  });
  pool.open({ id: "1", fence: "1", unusable_since: null } as LeasedRow, () => true);
  await work.settled();
  expect(logger.error.mock.calls.map(([{ failures }]) => failures)).toEqual([1]);
});
