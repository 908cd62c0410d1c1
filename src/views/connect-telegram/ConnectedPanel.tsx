import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId } from "react";
import { Telegram } from "../../machines/telegram/telegram.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Note, Row, Stack } from "../../ui/layout.tsx";
import { focusIfLost } from "../../ui/lost-focus.ts";
import css from "./ConnectTelegramView.module.css";

/** `message` is shown beside the control that it concerns. */
export function ConnectedPanel({ message }: { message: ReactNode }) {
  const [chart, send] = Telegram.use();
  const phone = chart.context.connectedPhone;
  const isBusy = chart.hasTag("busy");
  const stops = useId();
  return (
    <Card>
      <Row wraps justify="between" gap={4} className={css["connected"]}>
        <div>
          <h2 ref={focusIfLost} tabIndex={-1}>
            {phone === null ? (
              t`Leadloom is connected to Telegram`
            ) : (
              <Trans>
                Leadloom is connected to Telegram as{" "}
                <bdi dir="ltr" className={css["phone"]}>
                  {phone}
                </bdi>
              </Trans>
            )}
          </h2>
          <Note before={1}>
            {t`New conversations become leads. You can also end this session in Telegram under Settings, Devices.`}
          </Note>
        </div>
        <Stack justify="start" gap={2} className={css["disconnect"]}>
          <Button onClick={() => send({ type: "account.disconnect" })} isPending={isBusy} aria-describedby={stops}>
            {isBusy ? t`Disconnecting...` : t`Disconnect`}
          </Button>
          <Note before={1} id={stops}>
            {t`Disconnecting stops scheduled follow-ups, reminders and a running bulk message until you connect again.`}
          </Note>
        </Stack>
      </Row>
      {message}
    </Card>
  );
}
