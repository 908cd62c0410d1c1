const BOUNDARY = "----leadloom-test-form";

/** Encodes a multipart form as a browser does. The file comes last, in the field `media`. */
export function form(fields: Record<string, string>, file?: Uint8Array, filename = "file.bin") {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const payload = Buffer.concat([
    Buffer.from(parts.join("")),
    ...(file === undefined
      ? []
      : [
          Buffer.from(
            `--${BOUNDARY}\r\ncontent-disposition: form-data; name="media"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
          ),
          file,
          Buffer.from("\r\n"),
        ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
  return { payload, headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` } };
}

/** Returns a form as the page sends it, with an optional file. */
export function formWith(fields: Record<string, string | undefined>, file?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) if (text !== undefined) form.set(name, text);
  if (file !== undefined) form.set("media", new Blob([file]), "picture.png");
  return form;
}
