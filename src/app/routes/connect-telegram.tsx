import { createChatImport } from "../../machines/chat-import/chat-import.machine.ts";
import { useMemo } from "react";
import { LOGIN_ATTEMPT_MS } from "../../../domain/limits.ts";
import { createTelegramAccount } from "../../machines/telegram-account/telegram-account.machine.ts";
import { Telegram, createTelegram } from "../../machines/telegram/telegram.machine.ts";
import type { PendingLogin } from "../../machines/telegram/telegram.outcomes.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { ChatImportCard } from "../../views/chat-import/ChatImportCard.tsx";
import { ConnectTelegramView } from "../../views/connect-telegram/ConnectTelegramView.tsx";
import { keptText } from "../kept-text.ts";
import type { Services } from "../services.ts";
import { forgettingDraft } from "../use-draft.ts";

const qrImageService: string | null = import.meta.env["VITE_QR_IMAGE_SERVICE"] || null;

export default function ConnectTelegramRoute({ services }: { services: Services }) {
  const { connection, account, chatImport, input, kept } = useMemo(() => logicOf(services), [services]);
  return (
    <Telegram.Provider logic={connection} options={{ input }}>
      <ConnectTelegramView
        accountHealth={account}
        keptPhone={kept.phone}
        keptCap={kept.cap}
        more={<ChatImportCard logic={chatImport} />}
        qrImageService={qrImageService}
      />
    </Telegram.Provider>
  );
}

const PHONE = "telegram phone";
const LOGIN = "telegram login";
const CAP = "daily limit";

const NO_LOGIN = { phone: "", step: "", hint: "", until: "" };

/** A login by code, kept in this tab for as long as it can be finished. */
function pendingLoginOf(drafts: Services["drafts"], clock: Services["clock"]) {
  return {
    read(): PendingLogin | null {
      const { phone = "", step = "", hint = "", until = "" } = drafts.read(LOGIN, NO_LOGIN) ?? {};
      if (Date.parse(until) <= clock.now() || (step !== "code" && step !== "password")) return null;
      return { phone, step, hint: hint || null };
    },
    write({ phone, step, hint }: PendingLogin) {
      const sent = step === "code" ? null : drafts.read(LOGIN, NO_LOGIN)?.until;
      const until = sent ?? new Date(clock.now() + LOGIN_ATTEMPT_MS).toISOString();
      drafts.write(LOGIN, { phone, step, hint: hint ?? "", until }, NO_LOGIN);
    },
    clear: () => drafts.forget(LOGIN),
  };
}

function logicOf(services: Services) {
  const { storage, drafts, clock } = services;
  const telegram = createTelegramGateway(services.http);
  const phoneKey = `leadloom.telegram_phone.${services.userId()}`;
  const pendingLogin = pendingLoginOf(drafts, clock);
  return {
    input: { phone: storage.get(phoneKey), login: pendingLogin.read() },
    chatImport: createChatImport(services),
    kept: { phone: keptText(drafts, PHONE), cap: keptText(drafts, CAP) },
    connection: createTelegram(services, {
      telegram,
      phoneMemory: {
        write(phone) {
          storage.set(phoneKey, phone);
          drafts.forget(PHONE);
        },
        clear() {
          storage.remove(phoneKey);
          drafts.forget(PHONE);
          drafts.forget(CAP);
        },
      },
      loginMemory: pendingLogin,
    }),
    account: createTelegramAccount(services, {
      account: { ...telegram, saveDailyCap: forgettingDraft(services, CAP, telegram.saveDailyCap) },
    }),
  };
}
