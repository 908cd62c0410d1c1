import { type ReactNode, useId } from "react";
import { selectConnectedPhone, selectIsBusy, useTelegram, useTelegramEvents } from "../../machines/telegram/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { focusIfLost } from "../../ui/focus.ts";
import css from "./ConnectTelegramView.module.css";

/** `message` stands beside the control that it speaks of. */
export function ConnectedPanel({ message }: { message: ReactNode }) {
  const phone = useTelegram(selectConnectedPhone);
  const isBusy = useTelegram(selectIsBusy);
  const { disconnect } = useTelegramEvents();
  const stops = useId();
  return (
    <Card>
      <div className={css["connected"]}>
        <div>
          <h2 ref={focusIfLost} tabIndex={-1} className={css["connectedTitle"]}>
            Leadloom is connected to Telegram
            {phone !== null && (
              <>
                {" "}
                as <bdi className={css["phone"]}>{phone}</bdi>
              </>
            )}
          </h2>
          <p className={css["hint"]}>
            New conversations become leads. You can also end this session in Telegram under Settings, Devices.
          </p>
        </div>
        <div className={css["disconnect"]}>
          <Button onClick={disconnect} isPending={isBusy} aria-describedby={stops}>
            {isBusy ? "Disconnecting..." : "Disconnect"}
          </Button>
          <p id={stops} className={css["hint"]}>
            Disconnecting stops scheduled follow-ups, reminders and a running bulk message until you connect again.
          </p>
        </div>
      </div>
      {message}
    </Card>
  );
}
