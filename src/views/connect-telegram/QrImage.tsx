import { useLingui } from "@lingui/react/macro";
import { useMemo } from "react";
import { encode } from "uqr";
import css from "./ConnectTelegramView.module.css";

const SIZE = 220;
/** The quiet zone of the QR standard, in modules. */
const QUIET_ZONE = 4;

/**
 * The login's QR, drawn in the page: its address is a live credential of the account and goes to no image service
 * unless the installation names one.
 */
export function QrImage({ url, imageService }: { url: string; imageService: string | null }) {
  const { t } = useLingui();
  const name = t`QR code for the Telegram login`;
  if (imageService !== null) {
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
