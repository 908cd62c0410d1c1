import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FileDown, RotateCcw } from "lucide-react";
import { useState } from "react";
import { translate } from "#language";
import type { Message, MessageMedia as Media } from "../../../domain/message.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { Button } from "../../ui/Button.tsx";
import { Note, Row, Stack, Span } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import css from "./Media.module.css";
import { kindName } from "./names.ts";
import { namesText, sizeText } from "../../language/format.ts";
import { lengthText } from "./times.ts";

const MOST_WIDE = 320;
const MOST_HIGH = 340;

type Lost = { message: UiTextOrString | null; canRetry: boolean };

/** Asks why a file did not load: an element's error event has no reason. A file of another Telegram account needs no retry. */
async function readLoss(url: string): Promise<Lost> {
  try {
    const answer = await fetch(url, { headers: { Range: "bytes=0-0" } });
    if (answer.ok) return { message: null, canRetry: true };
    const { withText } = await import("../../../domain/refusal-text.ts");
    const { message } = failureOf({ status: answer.status, body: withText(await answer.json()) });
    return { message, canRetry: answer.status !== 409 };
  } catch {
    return { message: null, canRetry: true };
  }
}

type MessageMediaProps = {
  message: Message;
  media: Media;
  /** The file did not load although it should be shown. */
  onLost?: ((id: string) => void) | undefined;
};

/** A message's file. Pictures load when they come into view, other files when played. */
export function MessageMedia({ message, media, onLost }: MessageMediaProps) {
  const { kind, direction, id } = message;
  const [lost, setLost] = useState<Lost | null>(null);
  const reportLost = () => onLost?.(id);
  const explainLoss = () => {
    void readLoss(media.url).then(setLost);
    reportLost();
  };
  const loss = lost !== null && (
    <Note size="xs" role="alert">
      {translate(lost.message) ?? t`${{ kind: kindName(kind) }} could not be loaded.`}
    </Note>
  );
  if (kind === "photo" || kind === "sticker")
    return <Picture key={media.url} kind={kind} media={media} direction={direction} onRetry={reportLost} />;
  if (kind === "video")
    return (
      <>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- users' videos have no captions */}
        <video
          className={css["picture"]}
          style={{ ...boxOf(media), minInlineSize: 220 }}
          src={media.url}
          poster={media.preview ?? undefined}
          preload="none"
          controls
          playsInline
          onError={explainLoss}
          onPlaying={() => setLost(null)}
          aria-label={labelOf(kind, media)}
        />
        {loss}
      </>
    );
  if (kind === "voice" || kind === "audio")
    return (
      <Stack gap={1}>
        {kind === "audio" && media.name !== null && <Span weight="medium">{media.name}</Span>}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- voice messages have no captions */}
        <audio
          className={css["player"]}
          src={media.url}
          preload="none"
          controls
          onError={explainLoss}
          onPlaying={() => setLost(null)}
          aria-label={labelOf(kind, media)}
        />
        {loss}
        {media.seconds !== null && (
          <Note as="span" size="xs">
            {lengthText(media.seconds)}
          </Note>
        )}
      </Stack>
    );
  return (
    <Row as="a" gap={3} className={css["file"]} href={media.url} download={media.name ?? true}>
      <FileDown className={css["fileIcon"]} />
      <Stack as="span" share="less">
        <Span weight="medium" dir="auto">
          {media.name ?? t`File`}
        </Span>
        {media.size !== null && (
          <Note as="span" size="xs">
            {sizeText(media.size)}
          </Note>
        )}
      </Stack>
    </Row>
  );
}

const labelOf = (kind: Message["kind"], { seconds, name }: Media) =>
  namesText([kindName(kind), name, seconds === null ? null : lengthText(seconds)].filter((part) => part !== null));

/** Returns the file's size, to avoid a layout shift when it loads. */
function boxOf({ width, height }: Media, most = { width: MOST_WIDE, height: MOST_HIGH }) {
  if (width === null || height === null || width <= 0 || height <= 0) return { inlineSize: 240, aspectRatio: "4 / 3" };
  const scale = Math.min(1, most.width / width, most.height / height);
  return { inlineSize: Math.max(72, Math.round(width * scale)), aspectRatio: `${width} / ${height}` };
}

type PictureProps = {
  kind: "photo" | "sticker";
  media: Media;
  direction: Message["direction"];
  onRetry: () => void;
};

function Picture({ kind, media, direction, onRetry }: PictureProps) {
  const [attempt, setAttempt] = useState(0);
  const [lost, setLost] = useState<Lost | null>(null);
  const box = kind === "sticker" ? boxOf(media, { width: 160, height: 160 }) : boxOf(media);
  const alt = direction === "in" ? t`${{ kind: kindName(kind) }} from them` : t`${{ kind: kindName(kind) }} from you`;
  return (
    <div className={css["picture"]} style={box}>
      {media.preview !== null && <img className={css["preview"]} src={media.preview} alt="" />}
      {lost !== null ? (
        <Stack justify="center" gap={2} className={css["lost"]}>
          <span>{translate(lost.message) ?? t`${{ kind: kindName(kind) }} could not be loaded.`}</span>
          {lost.canRetry && (
            <Button
              ref={passFocusOnRemoval}
              size="small"
              onClick={() => {
                setLost(null);
                setAttempt(attempt + 1);
                onRetry();
              }}
            >
              <Trans>
                <RotateCcw />
                Try again
              </Trans>
            </Button>
          )}
        </Stack>
      ) : (
        <a className={css["look"]} href={media.url} target="_blank" rel="noopener noreferrer">
          <img
            key={attempt}
            className={css["whole"]}
            src={media.url}
            alt={alt}
            loading="lazy"
            decoding="async"
            onError={() => void readLoss(media.url).then(setLost)}
          />
        </a>
      )}
    </div>
  );
}
