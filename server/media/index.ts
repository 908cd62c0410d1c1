export { mediaTypeOf } from "./kind.ts";
export { readForm } from "./multipart.ts";
export { registerMedia } from "./routes.ts";
export { createMediaLinks, type MediaLinks } from "./signed-url.ts";
export { readRangeHeader } from "./range.ts";
export { checkMedia, loadMedia, readRange, storeMedia, type CheckedFile } from "./store.ts";
export { tidyMedia } from "./tidy.ts";
