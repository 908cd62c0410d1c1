import { Long, type tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { expect, it } from "vitest";
import { requirementsOf } from "../../../server/telegram/account/requirements.ts";

it("somebody known by a message in a group alone is asked about by that message, as a message to them is addressed by it", async () => {
  const asked: tl.TypeInputUser[] = [];
  const group: tl.TypeInputPeer = { _: "inputPeerChannel", channelId: 5, accessHash: Long.fromNumber(9) };
  const client = {
    resolvePeer: (id: number): Promise<tl.TypeInputPeer> =>
      Promise.resolve(
        id === 1
          ? { _: "inputPeerUser", userId: 1, accessHash: Long.fromNumber(7) }
          : { _: "inputPeerUserFromMessage", userId: id, peer: group, msgId: 3 },
      ),
    call: ({ id }: { id: tl.TypeInputUser[] }) => {
      asked.push(...id);
      return Promise.resolve([{ _: "requirementToContactEmpty" }, { _: "requirementToContactPremium" }]);
    },
  };
  expect(await requirementsOf(client as unknown as TelegramClient, ["1", "2"])).toEqual([
    null,
    "PRIVACY_PREMIUM_REQUIRED",
  ]);
  expect(asked).toEqual([
    { _: "inputUser", userId: 1, accessHash: Long.fromNumber(7) },
    { _: "inputUserFromMessage", userId: 2, peer: group, msgId: 3 },
  ]);
});
