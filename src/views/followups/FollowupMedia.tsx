import { t } from "@lingui/core/macro";
import { useMemo } from "react";
import type { FollowupRow } from "../../machines/followups/followups.rows.ts";
import { FilePreview, MediaPreview } from "../../ui/FileInput.tsx";

const VIDEO_TYPES = /^(video\/|\.?(mp4|mov|webm|m4v|avi|mkv)$)/i;

/** The attached image or video, from its address or from the bytes in the response. */
export function FollowupMedia({ media: { type, url, base64 } }: { media: FollowupRow["media"] }) {
  const isVideo = VIDEO_TYPES.test(type ?? "");
  if (url) return <MediaPreview url={url} isVideo={isVideo} name={t`the attachment`} />;
  if (base64) return <EmbeddedMedia base64={base64} isVideo={isVideo} type={type} />;
  return null;
}

function EmbeddedMedia({ base64, isVideo, type }: { base64: string; isVideo: boolean; type: string | null }) {
  const name = t`the attachment`;
  const file = useMemo(() => {
    const bytes = bytesOf(base64);
    return bytes && new File([bytes], name, { type: mimeOf(type, isVideo) });
  }, [base64, isVideo, type, name]);
  return file === null ? <MediaPreview isVideo={isVideo} name={name} /> : <FilePreview file={file} />;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64.replace(/^data:[^,]*,/, "")), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function mimeOf(type: string | null, isVideo: boolean): string {
  if (type?.includes("/")) return type;
  const ending = type?.replace(/^\./, "").toLowerCase() ?? "";
  if (isVideo) return ending === "mov" ? "video/quicktime" : `video/${ending || "mp4"}`;
  return `image/${ending === "jpg" ? "jpeg" : ending || "png"}`;
}
