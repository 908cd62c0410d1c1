import { t } from "@lingui/core/macro";
import { Telegram, selectQrStep } from "../../machines/telegram/telegram.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { focusIfLost } from "../../ui/lost-focus.ts";
import { Spinner } from "../../ui/Loading.tsx";
import { PasswordForm } from "./CodeFlow.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./ConnectTelegramView.module.css";
import { useMemo } from "react";
import { encode } from "uqr";

export function QrFlow() {
  const step = Telegram.useSelector(selectQrStep);
  if (step === "approval") return <ApprovalStep />;
  return step === "password" ? <QrPasswordStep /> : <StartStep />;
}

function StartStep() {
  const [chart, send] = Telegram.use();
  const isPending = chart.hasTag("busy") || chart.matches({ disconnected: { qr: "cancelling" } });
  return (
    <Stack max="28rem" gap={4}>
      <Text tone="muted">
        {t`Open Telegram on your phone, go to Settings, Devices, Link Desktop Device, and scan the picture you get here.`}
      </Text>
      <Row wraps gap={2}>
        <Button ref={focusIfLost} variant="primary" isPending={isPending} onClick={() => send({ type: "qr.start" })}>
          {t`Start QR Login`}
        </Button>
      </Row>
    </Stack>
  );
}

function ApprovalStep() {
  const qrUrl = Telegram.useSelector((chart) => chart.context.qrUrl);
  return (
    <Stack max="28rem" gap={4}>
      <p>{t`Scan this QR in your Telegram app:`}</p>
      {qrUrl !== null && <QrImage url={qrUrl} />}
      <Row gap={2} weight="medium" role="status">
        <Spinner />
        <span>{t`Waiting for approval…`}</span>
      </Row>
      <Note>{t`Tap 'Yes' in the app to approve this login.`}</Note>
      <Row wraps gap={2}>
        <CancelButton ref={focusIfLost} />
      </Row>
    </Stack>
  );
}

function QrPasswordStep() {
  return <PasswordForm lead={t`Enter your Telegram password to finish login:`} secondary={<CancelButton />} />;
}

function CancelButton({ ref }: { ref?: (button: HTMLButtonElement | null) => void }) {
  const send = Telegram.useSend();
  return (
    <Button ref={ref} onClick={() => send({ type: "qr.cancel" })}>
      {t`Cancel`}
    </Button>
  );
}

const SIZE = 220;
/** The quiet zone of the QR standard, in modules. */
const QUIET_ZONE = 4;

/**
 * The login's QR code, drawn in the page because its URL is a credential. The build may name an image service instead, as a URL that
 * contains `{url}`.
 */
function QrImage({ url }: { url: string }) {
  const name = t`QR code for the Telegram login`;
  const imageService: string = import.meta.env["VITE_QR_IMAGE_SERVICE"] ?? "";
  if (imageService !== "") {
    const address = imageService.replace("{url}", encodeURIComponent(url));
    return (
      <img className={css["qr"]} src={address} width={SIZE} height={SIZE} alt={name} referrerPolicy="no-referrer" />
    );
  }
  return <DrawnQr url={url} name={name} />;
}

function DrawnQr({ url, name }: { url: string; name: string }) {
  const { size, data } = useMemo(() => encode(url, { border: QUIET_ZONE, ecc: "M" }), [url]);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      className={css["qr"]}
      role="img"
      aria-label={name}
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark} fill="#000" />
    </svg>
  );
}
