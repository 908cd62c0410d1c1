import type { TlObject } from "../wire/tl.ts";
import { accountMethods } from "./account.ts";
import { authMethods } from "./auth.ts";
import { channelMethods } from "./channels.ts";
import { contactMethods } from "./contacts.ts";
import type { CallContext } from "./context.ts";
import { helpMethods } from "./help.ts";
import { messageMethods } from "./messages.ts";
import { qrMethods } from "./qr.ts";
import { sendMethods } from "./send.ts";
import { updateMethods } from "./updates.ts";
import { uploadMethods } from "./upload.ts";
import { userMethods } from "./users.ts";

type Handler = (context: CallContext, call: TlObject) => unknown;

export const handlers: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    ...accountMethods,
    ...authMethods,
    ...channelMethods,
    ...contactMethods,
    ...helpMethods,
    ...messageMethods,
    ...qrMethods,
    ...sendMethods,
    ...updateMethods,
    ...uploadMethods,
    ...userMethods,
  } as Record<string, Handler>),
);
