import { t } from "@lingui/core/macro";
import { TAG_DEFAULT_COLOR, type Tag } from "../../../domain/tag.ts";
import { leadsText } from "../../language/format.ts";
import { Card, Note, Row, Stack } from "../../ui/layout.tsx";
import { ColorInput } from "../../ui/ColorInput.tsx";
import { CatalogCard, type CatalogFormProps, NameField } from "./CatalogCard.tsx";
import css from "./catalog.module.css";
import { TagChip } from "./TagChip.tsx";

/** The user's tags, with their colors and numbers of leads. */
export const TagsCard = () => {
  return (
    <Stack columns="minmax(0, 1fr)" as={Card} gap={3}>
      <h3>{t`Tags`}</h3>
      <CatalogCard<Tag>
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

function TagFields(props: CatalogFormProps) {
  const { form, change, isBusy } = props;
  return (
    <Row wraps align="end" gap={2} className={css["line"]}>
      <NameField {...props} />
      <ColorInput
        label={t`Color`}
        disabled={isBusy}
        value={(form as Partial<Tag>).color ?? TAG_DEFAULT_COLOR}
        onChange={(event) => change({ color: event.target.value })}
      />
    </Row>
  );
}
