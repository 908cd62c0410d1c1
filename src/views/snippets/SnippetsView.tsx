import { Pencil, Plus, ScrollText, Trash2 } from "lucide-react";
import { type FormEvent, useEffect } from "react";
import { NAME_MAX_CHARS } from "../../../domain/limits.ts";
import type { Snippet } from "../../../domain/snippet.ts";
import { lengthOf } from "../../machines/kit/attaching.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/failed.ts";
import {
  selectActive,
  selectForm,
  selectHasFile,
  selectIsEditing,
  selectIsLoading,
  selectIsSaving,
  selectIsShown,
  selectOutdated,
  selectProblem,
  selectRefused,
  selectSnippets,
  selectUnread,
  useCanSnippets,
  useSnippets,
  useSnippetsEvents,
} from "../../machines/snippets/index.ts";
import { announced } from "../../ui/announced.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { handFocusOn, useFocusKeeper } from "../../ui/focus.ts";
import { useFocusOnFault } from "../../ui/focus-fault.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Refusal } from "../../ui/Refusal.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { MediaField } from "../preview/MediaField.tsx";
import { PLACEHOLDERS_HINT, PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import css from "./SnippetsView.module.css";

/** Texts kept for answering: the list, and one of them being written. */
export function SnippetsView() {
  const isEditing = useSnippets(selectIsEditing);
  const canAdd = useCanSnippets({ type: "snippet.add" });
  const { add } = useSnippetsEvents();
  return (
    <div className={css["page"]}>
      <PageHeader title="Snippets" subtitle="Texts you send often. In the reply box, type / to find them." />
      {isEditing ? (
        <SnippetEditor />
      ) : (
        <Button className={css["add"]} variant="primary" isResting={!canAdd} onClick={add}>
          <Plus size={16} aria-hidden="true" />
          Add Snippet
        </Button>
      )}
      <SnippetRows />
    </div>
  );
}

function SnippetRows() {
  const snippets = useSnippets(selectSnippets);
  const isLoading = useSnippets(selectIsLoading);
  const isShown = useSnippets(selectIsShown);
  const isEditing = useSnippets(selectIsEditing);
  const unread = useSnippets(selectUnread);
  const outdated = useSnippets(selectOutdated);
  const problem = useSnippets(selectProblemOver);
  const { retry } = useSnippetsEvents();
  const keepFocus = useFocusKeeper("li");
  if (isLoading) return <Skeleton height="6rem" />;
  if (unread !== null) return <NotRead what={unread} onRetry={retry} />;
  return (
    <>
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retry} />}
      {problem !== null && !isEditing && <FormProblem>{problem}</FormProblem>}
      {isShown && snippets.length === 0 && (
        <EmptyState icon={<ScrollText />} title="No snippets yet">
          Keep the answers that you write again and again.
        </EmptyState>
      )}
      <ul ref={keepFocus} className={css["list"]}>
        {snippets.map((snippet) => (
          <Row key={snippet.id} snippet={snippet} />
        ))}
      </ul>
    </>
  );
}

function Row({ snippet: { id, title, text, media } }: { snippet: Snippet }) {
  const canEdit = useCanSnippets({ type: "snippet.edit", id });
  const canDelete = useCanSnippets({ type: "snippet.delete", id });
  // The button that asked keeps the focus for the answer.
  const isAsked = useSnippets((chart) => selectActive(chart)?.id === id && !selectIsEditing(chart));
  const problem = useSnippets((chart) => (selectIsEditing(chart) ? null : selectProblemOf(id)(chart)));
  const { edit, remove } = useSnippetsEvents();
  return (
    <li className={css["row"]}>
      <div className={css["words"]}>
        <h2 className={css["title"]} dir="auto">
          {title}
        </h2>
        <p className={css["text"]} dir="auto">
          {text}
        </p>
        {media !== null && <p className={css["file"]}>With a picture or video</p>}
      </div>
      <IconButton label={`Edit ${title}`} icon={<Pencil />} disabled={!canEdit} onClick={() => edit(id)} />
      <IconButton
        label={`Delete ${title}`}
        icon={<Trash2 />}
        disabled={!canDelete && !isAsked}
        aria-disabled={!canDelete || undefined}
        onClick={() => remove(id)}
      />
      {problem !== null && (
        <div className={css["problem"]}>
          <FormProblem>{problem}</FormProblem>
        </div>
      )}
    </li>
  );
}

const FIELDS = ["title", "text"];

function SnippetEditor() {
  const form = useSnippets(selectForm);
  const active = useSnippets(selectActive);
  const hasFile = useSnippets(selectHasFile);
  const isSaving = useSnippets(selectIsSaving);
  const problem = useSnippets(selectProblem);
  const refused = useSnippets(selectRefused);
  const canSave = useCanSnippets({ type: "form.submit" });
  const { change, cancel, save } = useSnippetsEvents();
  const length = lengthOf(form.text, hasFile);
  const title = useFocusOnFault(refused);
  useEffect(() => title.current?.querySelector("input")?.focus(), [title]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  return (
    <Card ref={handFocusOn} aria-label={active === null ? "Add Snippet" : "Edit Snippet"}>
      <form ref={title} className={css["form"]} onSubmit={submit} noValidate>
        <TextField
          label="Title"
          dir="auto"
          maxLength={NAME_MAX_CHARS}
          readOnly={isSaving}
          value={form.title}
          errorMessage={announced(refused["title"])}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextArea
          label="Text"
          dir="auto"
          rows={5}
          readOnly={isSaving}
          description={length.note === undefined ? PLACEHOLDERS_HINT : `${length.note}. ${PLACEHOLDERS_HINT}`}
          errorMessage={length.problem ?? announced(refused["text"])}
          value={form.text}
          onChange={(event) => change({ text: event.target.value })}
        />
        <PlaceholderPreview text={form.text} />
        <MediaField
          label="Image or video"
          description={
            hasFile && !(form.media instanceof File)
              ? "Choosing one replaces the present file."
              : "Optional, at most 10 MB."
          }
          errorMessage={form.lostMedia === "" ? undefined : `The file ${form.lostMedia} was not kept. Choose it again.`}
          disabled={isSaving}
          file={form.media instanceof File ? form.media : null}
          onFile={(media) => change({ media: media ?? undefined, lostMedia: "" })}
        />
        {hasFile && !(form.media instanceof File) && (
          <Button size="small" variant="ghost" isResting={isSaving} onClick={() => change({ media: null })}>
            Take the file away
          </Button>
        )}
        <Refusal problem={problem} refused={refused} fields={FIELDS} />
        <div className={css["actions"]}>
          <Button type="submit" variant="primary" isPending={isSaving} disabled={!canSave && !isSaving}>
            Save Snippet
          </Button>
          <Button onClick={cancel} isResting={isSaving}>
            Cancel
          </Button>
        </div>
      </form>
    </Card>
  );
}
