import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Pencil, Plus, ScrollText, Trash2 } from "lucide-react";
import { translate } from "#language";
import type { ControlId } from "../../commands/commands.ts";
import { NAME_MAX_CHARS } from "../../../domain/limits.ts";
import type { Snippet } from "../../../domain/snippet.ts";
import { lengthOf } from "../../machines/composer/composer.attaching.ts";
import { selectProblemOf, selectProblemOver } from "../../machines/kit/writing.ts";
import { Snippets, hasFile, selectIsEditing } from "../../machines/snippets/snippets.machine.ts";
import { announced, FormProblem } from "../../ui/form.tsx";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Card, Box, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusKeeper } from "../../ui/focus.ts";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { TextArea, TextField } from "../../ui/Field.tsx";
import { MediaField } from "../preview/MediaField.tsx";
import { placeholdersHint, PlaceholderPreview } from "../preview/PlaceholderPreview.tsx";
import css from "./SnippetsView.module.css";
import { ItemForm } from "../shell/ItemForm.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** Saved replies: the list, and the form for one. */
export function SnippetsView() {
  const [chart, send] = Snippets.use();
  const add = { type: "snippet.add" } as const;
  return (
    <Stack max="46rem" gap={4}>
      <PageHeader title={t`Snippets`} subtitle={t`Texts you send often. In the reply box, type / to find them.`} />
      {selectIsEditing(chart) ? (
        <SnippetEditor />
      ) : (
        <Button
          data-command={"snippets.add" satisfies ControlId}
          isAtStart
          variant="primary"
          isAriaDisabled={!chart.can(add)}
          onClick={() => send(add)}
        >
          <Trans>
            <Plus />
            Add Snippet
          </Trans>
        </Button>
      )}
      <SnippetRows />
    </Stack>
  );
}

function SnippetRows() {
  const [chart, send] = Snippets.use();
  const { snippets } = chart.context;
  const problem = selectProblemOver(chart);
  const keepFocus = useFocusKeeper("li");
  if (chart.matches({ list: "loading" })) return <Skeleton height="6rem" />;
  if (chart.hasTag("loadFailed")) return <ReadProblems chart={chart} send={send} />;
  return (
    <>
      <ReadProblems chart={chart} send={send} />
      {!selectIsEditing(chart) && <FormProblem>{problem}</FormProblem>}
      {chart.matches({ list: "shown" }) && snippets.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t`No snippets yet`}>
          {t`Keep the answers that you write again and again.`}
        </EmptyState>
      )}
      <Stack as="ul" gap={2} ref={keepFocus}>
        {snippets.map((snippet) => (
          <SnippetRow key={snippet.id} snippet={snippet} />
        ))}
      </Stack>
    </>
  );
}

function SnippetRow({ snippet: { id, title, text, media } }: { snippet: Snippet }) {
  const [chart, send] = Snippets.use();
  const edit = { type: "snippet.edit", id } as const;
  const remove = { type: "snippet.delete", id } as const;
  // The button that opened the confirmation keeps the focus.
  const isAsked = chart.context.active?.id === id && !selectIsEditing(chart);
  const problem = selectIsEditing(chart) ? null : selectProblemOf(id)(chart);
  return (
    <Row as="li" wraps align="start" gap={2} pad={[3, 4]} className={css["row"]}>
      <Box share="rest">
        <Text as="h2" size="md" dir="auto">
          {title}
        </Text>
        <Note clamp={3} className={css["text"]} dir="auto">
          {text}
        </Note>
        {media !== null && <Note size="xs">{t`With a picture or video`}</Note>}
      </Box>
      <IconButton label={t`Edit ${title}`} icon={<Pencil />} disabled={!chart.can(edit)} onClick={() => send(edit)} />
      <IconButton
        label={t`Delete ${title}`}
        icon={<Trash2 />}
        disabled={!chart.can(remove) && !isAsked}
        aria-disabled={!chart.can(remove) || undefined}
        onClick={() => send(remove)}
      />
      <FormProblem share="line">{problem}</FormProblem>
    </Row>
  );
}

const FIELDS = ["title", "text"];

function SnippetEditor() {
  const [chart, send] = Snippets.use();
  const { form, active, problem, refused } = chart.context;
  const isSaving = chart.matches({ work: "saving" });
  const isWithFile = hasFile(chart.context);
  const change = (typed: Partial<typeof form>) => send({ type: "form.change", change: typed });
  const length = lengthOf(form.text, isWithFile);
  return (
    <Card ref={passFocusOnRemoval} aria-label={active === null ? t`Add Snippet` : t`Edit Snippet`}>
      <ItemForm
        refusal={{ problem, refused, fields: FIELDS }}
        saveLabel={t`Save Snippet`}
        isSaving={isSaving}
        canSave={chart.can({ type: "form.submit" })}
        send={send}
      >
        <TextField
          label={t`Title`}
          dir="auto"
          maxLength={NAME_MAX_CHARS}
          readOnly={isSaving}
          value={form.title}
          errorMessage={announced(refused["title"])}
          onChange={(event) => change({ title: event.target.value })}
        />
        <TextArea
          label={t`Text`}
          dir="auto"
          rows={5}
          readOnly={isSaving}
          description={
            length.note === undefined
              ? placeholdersHint()
              : t`${{ length: translate(length.note) }}. ${{ hint: placeholdersHint() }}`
          }
          errorMessage={length.problem ?? announced(refused["text"])}
          value={form.text}
          onChange={(event) => change({ text: event.target.value })}
        />
        <PlaceholderPreview text={form.text} />
        <MediaField
          label={t`Image or video`}
          description={
            isWithFile && !(form.media instanceof File)
              ? t`Choosing one replaces the present file.`
              : t`Optional, at most 10 MB.`
          }
          errorMessage={
            form.lostMedia === "" ? undefined : t`The file ${{ name: form.lostMedia }} was not kept. Choose it again.`
          }
          disabled={isSaving}
          file={form.media instanceof File ? form.media : null}
          onFile={(media) => change({ media: media ?? undefined, lostMedia: "" })}
        />
        {isWithFile && !(form.media instanceof File) && (
          <Button
            ref={passFocusOnRemoval}
            size="small"
            variant="ghost"
            isAriaDisabled={isSaving}
            onClick={() => change({ media: null })}
          >
            {t`Take the file away`}
          </Button>
        )}
      </ItemForm>
    </Card>
  );
}
