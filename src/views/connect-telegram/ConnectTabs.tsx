import {
  selectIsCodeTabDisabled,
  selectIsQrTabDisabled,
  selectTab,
  useTelegram,
  useTelegramEvents,
} from "../../machines/telegram/index.ts";
import { Tabs } from "../../ui/Tabs.tsx";
import { CodeFlow } from "./CodeFlow.tsx";
import { QrFlow } from "./QrFlow.tsx";

/** The two ways in. Each tab is closed while leaving for it would break the other off half way. */
export function ConnectTabs({ qrImageService }: { qrImageService: string | null }) {
  const tab = useTelegram(selectTab);
  const isCodeDisabled = useTelegram(selectIsCodeTabDisabled);
  const isQrDisabled = useTelegram(selectIsQrTabDisabled);
  const { chooseTab } = useTelegramEvents();
  return (
    <Tabs
      label="How to connect"
      selected={tab}
      onSelect={(id) => chooseTab(id === "qr" ? "qr" : "code")}
      items={[
        { id: "code", label: "Use Code", isDisabled: isCodeDisabled, content: <CodeFlow /> },
        { id: "qr", label: "Use QR", isDisabled: isQrDisabled, content: <QrFlow qrImageService={qrImageService} /> },
      ]}
    />
  );
}
