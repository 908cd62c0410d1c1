import { useLingui } from "@lingui/react/macro";
import type { ControlId } from "../../commands/commands.ts";
import {
  Telegram,
  selectIsCodeTabDisabled,
  selectIsQrTabDisabled,
  selectTab,
} from "../../machines/telegram/telegram.machine.ts";
import type { TextDraft } from "../../machines/kit/page.ts";
import { Tabs } from "../../ui/Tabs.tsx";
import { CodeFlow } from "./CodeFlow.tsx";
import { QrFlow } from "./QrFlow.tsx";

type ConnectTabsProps = { qrImageService: string | null; keptPhone: TextDraft | undefined };

/** The two ways in. Each tab is closed while leaving for it would break the other off half way. */
export function ConnectTabs({ qrImageService, keptPhone }: ConnectTabsProps) {
  const { t } = useLingui();
  const tab = Telegram.useSelector(selectTab);
  const isCodeDisabled = Telegram.useSelector(selectIsCodeTabDisabled);
  const isQrDisabled = Telegram.useSelector(selectIsQrTabDisabled);
  const send = Telegram.useSend();
  return (
    <Tabs
      label={t`How to connect`}
      selected={tab}
      onSelect={(id) => send({ type: "tab.choose", tab: id === "qr" ? "qr" : "code" })}
      items={[
        {
          id: "code",
          label: t`Use Code`,
          command: "telegram.code" satisfies ControlId,
          isDisabled: isCodeDisabled,
          content: <CodeFlow keptPhone={keptPhone} />,
        },
        {
          id: "qr",
          label: t`Use QR`,
          command: "telegram.qr" satisfies ControlId,
          isDisabled: isQrDisabled,
          content: <QrFlow qrImageService={qrImageService} />,
        },
      ]}
    />
  );
}
