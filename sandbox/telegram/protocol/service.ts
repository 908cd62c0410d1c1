import type { Long } from "@mtcute/core";
import { fromTlLong, toTlLong } from "../wire/longs.ts";
import { serialize, type TlObject } from "../wire/tl.ts";
import { Salts } from "./salts.ts";
import type { LiveSession, Sessions } from "./sessions.ts";
import { TlWriter } from "../wire/tl-buffer.ts";
import type { AuthKey } from "../world/logins.ts";
import type { World } from "../world/world.ts";

export type ServiceContext = {
  world: World;
  sessions: Sessions;
  live: LiveSession;
  wireKey: AuthKey;
  messageId: bigint;
  /** closes the connection if no ping arrives for that long */
  disconnectAfter(seconds: number): void;
};

const FUTURE_SALTS = 0xae500895;

const longs = (object: TlObject, key: string): bigint[] => (object[key] as Long[]).map(fromTlLong);

/** Returns a message state for msgs_state_info (https://core.telegram.org/mtproto/service_messages_about_messages). */
function stateOf({ live }: ServiceContext, id: bigint): number {
  const { received } = live.session;
  const state = received.get(id);
  if (state !== undefined) return 4 | (state.answered ? 64 : state.done === null ? 16 : 32);
  if (received.isAboveAll(id)) return 3;
  return received.isForgotten(id) ? 1 : 2;
}

function stateInfo(context: ServiceContext, ids: bigint[]): void {
  const info = Buffer.from(ids.map((id) => stateOf(context, id)));
  context.live.session.push(serialize({ _: "mt_msgs_state_info", reqMsgId: toTlLong(context.messageId), info }), {
    content: false,
    answerTo: context.messageId,
  });
}

function futureSalts({ world, wireKey, live, messageId }: ServiceContext, count: number): void {
  const now = Math.floor(world.clock.wall() / 1000);
  const salts = new Salts(world, wireKey).future(now, count);
  const writer = new TlWriter();
  writer.int(FUTURE_SALTS);
  writer.long(toTlLong(messageId));
  writer.int(now);
  writer.int(salts.length);
  for (const { validSince, validUntil, salt } of salts) {
    writer.int(validSince);
    writer.int(validUntil);
    writer.long(salt);
  }
  live.session.push(writer.result(), { content: false, answerTo: messageId });
}

function dropAnswer({ live, messageId }: ServiceContext, requestId: bigint): void {
  const state = live.session.received.get(requestId);
  const answer = live.session.dropAnswer(requestId);
  if (answer !== null) {
    live.session.answer(messageId, {
      _: "mt_rpc_answer_dropped",
      msgId: toTlLong(answer.id),
      seqNo: answer.seqNo,
      bytes: answer.body.length,
    });
    return;
  }
  const running = state?.done !== null && state !== undefined && !state.answered;
  live.session.answer(messageId, { _: running ? "mt_rpc_answer_dropped_running" : "mt_rpc_answer_unknown" });
}

function pong({ live, messageId }: ServiceContext, pingId: unknown): void {
  live.session.push(serialize({ _: "mt_pong", msgId: toTlLong(messageId), pingId }), {
    content: false,
    answerTo: messageId,
  });
}

function destroyAuthKey({ world, wireKey, live, messageId, sessions }: ServiceContext): void {
  live.session.push(serialize({ _: "mt_destroy_auth_key_ok" }), { content: false, answerTo: messageId });
  live.session.flush();
  world.store.run("delete from auth_keys where id = ? or permanent_id = ?", wireKey.id, wireKey.id);
  sessions.removeKey(wireKey.id);
  world.changed();
}

/** Handles a service message; returns false if the message is a call. */
export function handleService(context: ServiceContext, message: TlObject): boolean {
  const { live, messageId, sessions } = context;
  const { session } = live;
  switch (message._) {
    case "mt_msgs_ack":
      session.markAcknowledged(longs(message, "msgIds"));
      return true;
    case "mt_ping":
      pong(context, message["pingId"]);
      return true;
    case "mt_ping_delay_disconnect":
      pong(context, message["pingId"]);
      context.disconnectAfter(message["disconnectDelay"] as number);
      return true;
    case "mt_get_future_salts":
      futureSalts(context, message["num"] as number);
      return true;
    case "mt_msgs_state_req":
      stateInfo(context, longs(message, "msgIds"));
      return true;
    case "mt_msg_resend_req": {
      const missing = session.resend(longs(message, "msgIds"));
      if (missing.length > 0) stateInfo(context, missing);
      return true;
    }
    case "mt_rpc_drop_answer":
      dropAnswer(context, fromTlLong(message["reqMsgId"] as Long));
      return true;
    case "mt_destroy_session": {
      const sessionId = message["sessionId"] as Long;
      const removed = sessions.remove(live.keyId, Buffer.from(sessionId.toBytesLE()));
      session.push(serialize({ _: removed ? "mt_destroy_session_ok" : "mt_destroy_session_none", sessionId }), {
        content: false,
        answerTo: messageId,
      });
      return true;
    }
    case "mt_destroy_auth_key":
      destroyAuthKey(context);
      return true;
    case "mt_msgs_state_info":
    case "mt_msgs_all_info":
    case "mt_http_wait":
    case "mt_msg_detailed_info":
      return true;
    default:
      return false;
  }
}
