import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Paperclip, SendHorizontal, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useRef } from "react";
import { newKey } from "../../../domain/new-key.ts";
import { translate } from "#language";
import { Composer, excessOf, selectRefusedFile, selectOtherDraft } from "../../machines/composer/composer.machine.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { FilePreview } from "../../ui/FileInput.tsx";
import { Row, Text } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import css from "./Composer.module.css";
import { useSnippetPicker } from "./SnippetPicker.tsx";

/** Maximum number of lines of the box, where the browser cannot size it by its content. */
const MOST_LINES = 6;

/** The reply box: text, an attachment, and validation errors. */
export function ComposerView() {
  const text = Composer.useSelector(({ context }) => context.text);
  const file = Composer.useSelector(({ context }) => context.file);
  const refusedFile = Composer.useSelector(selectRefusedFile);
  const excess = Composer.useSelector(({ context }) => excessOf(context));
  const otherDraft = Composer.useSelector(selectOtherDraft);
  const canSend = Composer.useCan({ type: "reply.send", key: "", at: "" });
  const send = Composer.useSend();
  const picker = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const noteId = useId();
  const snippets = useSnippetPicker(text, (picked) => {
    send({ type: "text.change", text: picked.text });
    if (picked.file !== null) send({ type: "file.attach", file: picked.file });
    box.current?.focus();
  });

  const sendNow = () => {
    if (!canSend) return;
    send({ type: "reply.send", key: newKey(), at: new Date().toISOString() });
    box.current?.focus();
  };
  const choose = (draft: () => void) => () => {
    draft();
    box.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (snippets.onKey(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      sendNow();
    }
    if (event.key === "Escape") box.current?.blur();
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.files[0];
    if (pasted === undefined) return;
    event.preventDefault();
    send({ type: "file.attach", file: pasted });
  };
  const note =
    excess > 0
      ? file === null
        ? t`${plural(excess, { one: "# character", other: "# characters" })} too many.`
        : t`${plural(excess, { one: "# character", other: "# characters" })} too many beside a picture or video.`
      : translate(refusedFile);

  return (
    <form
      className={css["composer"]}
      onSubmit={(event) => {
        event.preventDefault();
        sendNow();
      }}
    >
      {file !== null && (
        <Row align="start" gap={2} className={css["attached"]}>
          <FilePreview file={file} />
          <IconButton
            ref={passFocusOnRemoval}
            label={t`Remove the file`}
            icon={<X />}
            onClick={() => send({ type: "file.remove" })}
          />
        </Row>
      )}
      {snippets.list}
      <p className={css["otherDraft"]} role="status">
        {otherDraft !== null && (
          <Trans>
            Another draft was saved for this lead: <q dir="auto">{otherDraft}</q>
          </Trans>
        )}
      </p>
      {otherDraft !== null && (
        <Row align="stretch" gap={2} after={2} className={css["choices"]}>
          <Button size="small" onClick={choose(() => send({ type: "draft.takeOther" }))}>
            {t`Use it instead`}
          </Button>
          <Button size="small" variant="ghost" onClick={choose(() => send({ type: "draft.keepOwn" }))}>
            {t`Keep mine`}
          </Button>
        </Row>
      )}
      <Text size="sm" tone="bad" id={noteId} className={css["note"]} role="status">
        {note}
      </Text>
      <Row align="end" gap={2} className={css["row"]}>
        <IconButton
          className={css["attach"]}
          label={t`Attach a picture or video`}
          icon={<Paperclip />}
          onClick={() => picker.current?.click()}
        />
        <input
          ref={picker}
          type="file"
          hidden
          accept="image/*,video/*"
          aria-label={t`Picture or video`}
          onChange={({ target }) => {
            const chosen = target.files?.[0];
            if (chosen) send({ type: "file.attach", file: chosen });
            target.value = "";
          }}
        />
        <textarea
          ref={box}
          className={css["box"]}
          data-shortcut="reply"
          {...snippets.attributes}
          aria-label={t`Reply`}
          aria-describedby={noteId}
          aria-invalid={excess > 0 || undefined}
          placeholder={t`Write a reply`}
          dir="auto"
          rows={Math.min(MOST_LINES, text.split("\n").length)}
          value={text}
          onChange={({ target }) => send({ type: "text.change", text: target.value })}
          onKeyDown={onKey}
          onPaste={onPaste}
        />
        <IconButton
          type="submit"
          className={css["send"]}
          label={t`Send`}
          title={t`Send (Ctrl+Enter)`}
          icon={<SendHorizontal />}
          disabled={!canSend}
        />
      </Row>
    </form>
  );
}
