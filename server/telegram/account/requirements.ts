import type { tl } from "@mtcute/core";
import { isInputPeerUser, toInputUser } from "@mtcute/core/utils.js";
import type { TelegramClient } from "@mtcute/node";
import { PEER_NOT_KNOWN, refusalOf } from "../../../domain/send-outcome.ts";
import { callErrorOf } from "../call-error.ts";

/**
 * Returns what Telegram requires to message these users (https://core.telegram.org/method/users.getRequirementsToContact), as the errors
 * that a send would get. Users whose access hash is unknown are answered without a call.
 */
export async function requirementsOf(
  client: TelegramClient,
  telegramUserIds: readonly string[],
): Promise<(string | null)[]> {
  const inputs = await Promise.all(telegramUserIds.map((id) => addressOf(client, Number(id))));
  const known = inputs.filter((input) => input !== null);
  const answers = known.length === 0 ? [] : await client.call({ _: "users.getRequirementsToContact", id: known });
  let place = 0;
  return inputs.map((input) => {
    if (input === null) return PEER_NOT_KNOWN;
    const answer = answers[place];
    place += 1;
    return answer === undefined ? null : reasonOf(answer);
  });
}

async function addressOf(client: TelegramClient, id: number): Promise<tl.TypeInputUser | null> {
  try {
    const peer = await client.resolvePeer(id);
    return isInputPeerUser(peer) ? toInputUser(peer) : null;
  } catch (error) {
    if (refusalOf(callErrorOf(error)) === null) throw error;
    return null;
  }
}

function reasonOf(requirement: tl.TypeRequirementToContact): string | null {
  if (requirement._ === "requirementToContactPremium") return "PRIVACY_PREMIUM_REQUIRED";
  if (requirement._ === "requirementToContactPaidMessages")
    return `ALLOW_PAYMENT_REQUIRED_${requirement.starsAmount.toString()}`;
  return null;
}
