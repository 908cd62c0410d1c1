import { useLingui } from "@lingui/react/macro";
import { TAG_DEFAULT_COLOR, type Tag } from "../../../domain/tag.ts";
import { leadsText } from "../../language/format.ts";
import { announced } from "../../ui/form.tsx";
import { Card, Note, Row, Stack } from "../../ui/layout.tsx";
import { ColorInput } from "../../ui/ColorInput.tsx";
import { TextField } from "../../ui/Field.tsx";
import { CatalogCard, type CatalogFormProps } from "./CatalogCard.tsx";
import css from "./catalog.module.css";
import { TagChip } from "./TagChip.tsx";

/** The user's tags, with their colors and numbers of leads. */
export const TagsCard = () => {
  const { t } = useLingui();
  return (
    <Stack columns="minmax(0, 1fr)" as={Card} gap={3}>
      <h3>{t`Tags`}</h3>
      <CatalogCard<Tag>
        noun={{ one: "tag", many: "tags" }}
        empty={t`Tags mark leads across stages, such as ‘VIP’ or ‘from the fair’.`}
        blank={{ name: "", color: TAG_DEFAULT_COLOR }}
        formOf={({ name, color }) => ({ name, color })}
        renderRow={(tag) => (
          <>
            <TagChip tag={tag} />
            <Note as="span">{leadsText(tag.leads)}</Note>
          </>
        )}
        renderFields={TagFields}
      />
    </Stack>
  );
};

function TagFields({ form, change, refused, isBusy }: CatalogFormProps) {
  const { t } = useLingui();
  return (
    <Row wraps align="end" gap={2} className={css["line"]}>
      <TextField
        label={t`Name`}
        dir="auto"
        maxLength={60}
        readOnly={isBusy}
        value={form.name}
        errorMessage={announced(refused["name"])}
        onChange={(event) => change({ name: event.target.value })}
      />
      <ColorInput
        label={t`Color`}
        disabled={isBusy}
        value={(form as Partial<Tag>).color ?? TAG_DEFAULT_COLOR}
        onChange={(event) => change({ color: event.target.value })}
      />
    </Row>
  );
}
