import { useMemo } from "react";
import * as v from "valibot";
import { createTelegramAccount } from "../../machines/telegram-account/index.ts";
import { TelegramProvider, createTelegram } from "../../machines/telegram/index.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { ChatImportCard } from "../../views/chat-import/ChatImportCard.tsx";
import { ConnectTelegramView } from "../../views/connect-telegram/ConnectTelegramView.tsx";
import { chatImportOf } from "../chat-import.ts";
import { keptText } from "../kept-text.ts";
import type { Services } from "../services.ts";
import { forgettingDraft } from "../use-draft.ts";

const qrImageService: string | null = import.meta.env["VITE_QR_IMAGE_SERVICE"] || null;
const QrNews = v.object({ qr_url: v.pipe(v.string(), v.minLength(1)) });

export default function ConnectTelegramRoute({ services }: { services: Services }) {
  const { connection, account, chatImport, phone, kept } = useMemo(() => logicOf(services), [services]);
  return (
    <TelegramProvider logic={connection} options={{ input: { phone } }}>
      <ConnectTelegramView
        accountHealth={account}
        keptPhone={kept.phone}
        keptCap={kept.cap}
        more={<ChatImportCard logic={chatImport} />}
        qrImageService={qrImageService}
      />
    </TelegramProvider>
  );
}

ConnectTelegramRoute.firstReads = () => ["/api/telegram/status"];

const PHONE = "telegram phone";
const CAP = "daily limit";

function logicOf(services: Services) {
  const { http, events, storage, notifier, logger, drafts } = services;
  const telegram = createTelegramGateway(http);
  const phoneKey = `leadloom.telegram_phone.${services.userId()}`;
  const onChanged = (listener: () => void) => events.subscribe("telegram.changed", listener);
  return {
    phone: storage.get(phoneKey),
    chatImport: chatImportOf(services),
    kept: { phone: keptText(drafts, PHONE), cap: keptText(drafts, CAP) },
    connection: createTelegram({
      telegram,
      news: {
        onConnectionChanged: onChanged,
        onQrRenewed: (listener) =>
          events.subscribe("telegram.qr", (data) => {
            const news = v.safeParse(QrNews, data);
            if (news.success) listener(news.output.qr_url);
          }),
      },
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
      notifier,
      logger,
    }),
    account: createTelegramAccount({
      account: { ...telegram, saveDailyCap: forgettingDraft(services, CAP, telegram.saveDailyCap) },
      news: { onAccountChanged: onChanged },
      notifier,
      logger,
    }),
  };
}
