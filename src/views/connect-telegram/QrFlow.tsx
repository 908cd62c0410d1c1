import {
  selectIsBusy,
  selectIsCancelling,
  selectQrStep,
  selectQrUrl,
  useTelegram,
  useTelegramEvents,
} from "../../machines/telegram/index.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/focus.ts";
import { Spinner } from "../../ui/Spinner.tsx";
import { PasswordForm } from "./CodeFlow.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./ConnectTelegramView.module.css";
import { QrImage } from "./QrImage.tsx";

export function QrFlow({ qrImageService }: { qrImageService: string | null }) {
  const step = useTelegram(selectQrStep);
  if (step === "approval") return <ApprovalStep qrImageService={qrImageService} />;
  return step === "password" ? <QrPasswordStep /> : <StartStep />;
}

function StartStep() {
  const isBusy = useTelegram(selectIsBusy);
  const isCancelling = useTelegram(selectIsCancelling);
  const { startQr } = useTelegramEvents();
  return (
    <Stack gap={4} className={css["form"]}>
      <Text tone="muted">
        Open Telegram on your phone, go to Settings, Devices, Link Desktop Device, and scan the picture you get here.
      </Text>
      <Row wraps gap={2}>
        <Button ref={focusIfLost} variant="primary" isPending={isBusy || isCancelling} onClick={startQr}>
          Start QR Login
        </Button>
      </Row>
    </Stack>
  );
}

function ApprovalStep({ qrImageService }: { qrImageService: string | null }) {
  const qrUrl = useTelegram(selectQrUrl);
  return (
    <Stack gap={4} className={css["form"]}>
      <p>Scan this QR in your Telegram app:</p>
      {qrUrl !== null && <QrImage url={qrUrl} imageService={qrImageService} />}
      <Row gap={2} weight="medium" role="status">
        <Spinner />
        <span>Waiting for approval…</span>
      </Row>
      <Note before={1} className={css["hint"]}>
        Tap &apos;Yes&apos; in the app to approve this login.
      </Note>
      <Row wraps gap={2}>
        <CancelButton ref={focusIfLost} />
      </Row>
    </Stack>
  );
}

function QrPasswordStep() {
  const isBusy = useTelegram(selectIsBusy);
  const { submitPassword } = useTelegramEvents();
  return (
    <PasswordForm
      lead="Enter your Telegram password to finish login:"
      isBusy={isBusy}
      onSubmit={submitPassword}
      secondary={<CancelButton />}
    />
  );
}

function CancelButton({ ref }: { ref?: (button: HTMLButtonElement | null) => void }) {
  const { cancelQr } = useTelegramEvents();
  return (
    <Button ref={ref} onClick={cancelQr}>
      Cancel
    </Button>
  );
}
