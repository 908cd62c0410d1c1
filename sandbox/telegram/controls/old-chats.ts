import { SandboxError } from "../errors.ts";
import { addOldMessage } from "../world/messages.ts";
import { addPerson } from "../world/people.ts";
import { unixTime, type PeerRef, type World } from "../world/world.ts";
import { requireAccount } from "./inputs.ts";

const MOST_CHATS = 5_000;
const MOST_DAYS = 3_650;
const DAY_SECONDS = 86_400;
const NAMES = ["Ada", "Boris", "Chloe", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jun"];
/** The messages of a chat, incoming and outgoing in turn. */
const TALK = ["Good day, is this still available?", "Yes, it is.", "Thank you, I will think about it."];
const MINUTE = 60;

/** Adds old chats to the account, the newest from today, the oldest from almost `days` days ago. */
export function addOldChats(
  world: World,
  phone: string,
  { count, days }: { count: number; days: number },
): { count: number } {
  const account = requireAccount(world, phone);
  if (count < 1 || count > MOST_CHATS) throw new SandboxError(422, "invalid", `count is from 1 to ${MOST_CHATS}.`);
  if (days < 1 || days > MOST_DAYS) throw new SandboxError(422, "invalid", `days is from 1 to ${MOST_DAYS}.`);
  const now = unixTime(world);
  const span = days * DAY_SECONDS * 0.98;
  // Oldest first, because a box numbers its messages in order of arrival.
  for (let chat = count; chat >= 1; chat -= 1) {
    const person = addPerson(world, { first_name: NAMES[chat % NAMES.length] ?? "Ada", last_name: `Old ${chat}` });
    const peer: PeerRef = { type: "user", id: person.user_id };
    const begin = Math.floor(now - (span * chat) / (count + 1));
    // Every other chat ends with an outgoing message.
    TALK.slice(0, chat % 2 === 0 ? 2 : 3).forEach((text, index) => {
      const out = index % 2 === 1;
      const placement = { peer, fromId: out ? account.user_id : person.user_id, out };
      addOldMessage(world, account.user_id, placement, { text }, begin + index * MINUTE);
    });
  }
  world.changed();
  return { count };
}
