import { t } from "@lingui/core/macro";
import { type RefCallback, useCallback, useState } from "react";
import { Button } from "./Button.tsx";
import { Field, type TextFieldProps, split } from "./Field.tsx";
import { Row } from "./layout.tsx";
import { passFocusOnRemoval } from "./lost-focus.ts";
import css from "./FileInput.module.css";

export type FileInputProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  file: File | null;
  onFile: (file: File | null) => void;
  /** Called when the browser cannot show a chosen picture. */
  onBroken?: (file: File) => void;
};

/** A native file input that previews the chosen image or video and can remove it. */
export function FileInput({ file, onFile, onBroken, ...props }: FileInputProps) {
  const { field, own } = split(props);
  // A native file input keeps its value: mounting a new one clears a rejected or removed file.
  const [generation, setGeneration] = useState(0);
  const empty = () => {
    setGeneration((count) => count + 1);
    onFile(null);
  };
  const [seen, setSeen] = useState(file);
  if (seen !== file) {
    setSeen(file);
    if (file === null) setGeneration(generation + 1);
  }
  return (
    <Field {...field}>
      {(control) => (
        <>
          <input
            key={generation}
            {...own}
            type="file"
            {...control}
            onChange={(event) => onFile(event.target.files?.[0] ?? null)}
          />
          {file !== null && (
            <Row wraps align="end" gap={3} before={2}>
              <FilePreview file={file} onBroken={onBroken} />
              <Button ref={passFocusOnRemoval} variant="ghost" size="small" onClick={empty} disabled={props.disabled}>
                {t`Remove file`}
              </Button>
            </Row>
          )}
        </>
      )}
    </Field>
  );
}

/** A native file input that accepts the same file again, because it may have changed. */
export function FileField({ onFile, ...props }: Omit<FileInputProps, "file" | "onBroken">) {
  const { field, own } = split(props);
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...own}
          {...control}
          type="file"
          onClick={({ currentTarget }) => {
            if (currentTarget.value === "") return;
            currentTarget.value = "";
            onFile(null);
          }}
          onChange={(event) => onFile(event.target.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

/** File names of videos whose type the browser does not know. */
const VIDEO_NAME = /\.(mp4|m4v|mov|webm)$/i;

/** The image or video of a chosen file. */
export function FilePreview({ file, onBroken }: { file: File; onBroken?: ((file: File) => void) | undefined }) {
  const show = useCallback(
    (media: HTMLImageElement | HTMLVideoElement | null) => {
      if (!media) return undefined;
      const url = URL.createObjectURL(file);
      media.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <MediaPreview
      ref={show}
      isVideo={file.type === "" ? VIDEO_NAME.test(file.name) : file.type.startsWith("video/")}
      name={file.name}
      onBroken={onBroken && (() => onBroken(file))}
    />
  );
}

export type MediaPreviewProps = {
  url?: string;
  isVideo: boolean;
  name: string;
  ref?: RefCallback<HTMLImageElement | HTMLVideoElement>;
  onBroken?: (() => void) | undefined;
};

export function MediaPreview({ url, isVideo, name, ref, onBroken }: MediaPreviewProps) {
  const media = { src: url, className: css["media"], ref };
  return isVideo ? (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- the user's own attachment has no captions
    <video {...media} controls preload="metadata" aria-label={t`Preview of ${name}`} />
  ) : (
    <img {...media} alt={t`Preview of ${name}`} onError={onBroken} />
  );
}
