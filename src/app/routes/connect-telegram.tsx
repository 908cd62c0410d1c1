import { useMemo } from "react";
import * as v from "valibot";
import { LOGIN_ATTEMPT_MS } from "../../../domain/limits.ts";
import { ConnectedAccount, createTelegramAccount } from "../../machines/telegram-account/telegram-account.machine.ts";
import { Telegram, createTelegram } from "../../machines/telegram/telegram.machine.ts";
import type { PendingLogin } from "../../machines/telegram/telegram.outcomes.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import ChatImportCard from "../../views/chat-import/ChatImportCard.tsx";
import { AccountHealth } from "../../views/connect-telegram/AccountHealth.tsx";
import { ConnectTelegramView } from "../../views/connect-telegram/ConnectTelegramView.tsx";
import type { Services } from "../services.ts";
import { afterSuccess } from "../after-success.ts";

export default function ConnectTelegramRoute({ services }: { services: Services }) {
  const { connection, account, input, telegramDrafts } = useMemo(() => logicOf(services), [services]);
  return (
    <Telegram.Provider logic={connection} options={{ input }}>
      <ConnectTelegramView
        phoneDraft={telegramDrafts.phone}
        connected={
          <>
            <ConnectedAccount.Provider logic={account}>
              <AccountHealth capDraft={telegramDrafts.cap} />
            </ConnectedAccount.Provider>
            <ChatImportCard page={services} />
          </>
        }
      />
    </Telegram.Provider>
  );
}

const TEXT = { text: v.string() };
const LOGIN = {
  phone: v.string(),
  step: v.picklist(["code", "password"]),
  hint: v.string(),
  until: v.string(),
};
/** A pending login by code, stored in this tab until it expires. */
function pendingLoginOf({ drafts, clock }: Services) {
  const draft = drafts.of("telegram login", LOGIN);
  return {
    read(): PendingLogin | null {
      const { phone = "", step, hint = "", until = "" } = draft.read() ?? {};
      return Date.parse(until) <= clock.now() || step === undefined ? null : { phone, step, hint: hint || null };
    },
    write({ phone, step, hint }: PendingLogin) {
      const sent = step === "code" ? null : draft.read()?.until;
      const until = sent ?? new Date(clock.now() + LOGIN_ATTEMPT_MS).toISOString();
      draft.write({ phone, step, hint: hint ?? "", until }, {});
    },
    clear: draft.forget,
  };
}

function logicOf(services: Services) {
  const { storage, drafts } = services;
  const telegram = createTelegramGateway(services.http);
  const phoneKey = `leadloom.telegram_phone.${services.userId()}`;
  const pendingLogin = pendingLoginOf(services);
  const telegramDrafts = { phone: drafts.of("telegram phone", TEXT), cap: drafts.of("daily limit", TEXT) };
  return {
    input: { phone: storage.get(phoneKey), login: pendingLogin.read() },
    telegramDrafts,
    connection: createTelegram(services, {
      telegram,
      phoneMemory: {
        write(phone) {
          storage.set(phoneKey, phone);
          telegramDrafts.phone.forget();
        },
        clear() {
          storage.remove(phoneKey);
          telegramDrafts.phone.forget();
          telegramDrafts.cap.forget();
        },
      },
      loginMemory: pendingLogin,
    }),
    account: createTelegramAccount(services, {
      account: { ...telegram, saveDailyCap: afterSuccess(telegram.saveDailyCap, telegramDrafts.cap.forget) },
    }),
  };
}
