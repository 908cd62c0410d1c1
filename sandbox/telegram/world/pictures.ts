import { crc32, deflateSync } from "node:zlib";
import type { tl } from "@mtcute/core";

const PREVIEW = { width: 16, height: 12 };

export const samplePreview = (): tl.RawPhotoCachedSize => ({
  _: "photoCachedSize",
  type: "s",
  w: PREVIEW.width,
  h: PREVIEW.height,
  bytes: picture(PREVIEW),
});

/** Creates a PNG with a gradient from blue to green. */
export function picture({ width, height }: { width: number; height: number }): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      rows[at] = 40;
      rows[at + 1] = Math.floor((255 * x) / width);
      rows[at + 2] = Math.floor((255 * (height - y)) / height);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
