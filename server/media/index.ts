export { mediaTypeOf } from "./kind.ts";
export { readForm, type MultipartForm } from "./multipart.ts";
export { registerMedia } from "./routes.ts";
export { createMediaLinks, type MediaLinks } from "./signed-url.ts";
export { readRangeHeader } from "./range.ts";
export { loadMedia, readRange, storeMedia } from "./store.ts";
export { tidyMedia } from "./tidy.ts";
