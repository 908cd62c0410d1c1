import { t } from "@lingui/core/macro";
import { TriangleAlert } from "lucide-react";
import { translate } from "#language";
import { SCOPES, type Scope } from "../../../domain/api-key.ts";
import { ApiKeys, type KeyForm as Form } from "../../machines/api-key/api-key.machine.ts";
import { SCOPE_LABELS, SEND_WARNING } from "../../machines/api-key/api-key.texts.ts";
import { announced } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Choices } from "./Choices.tsx";
import { Row } from "../../ui/layout.tsx";
import { ItemForm } from "../shell/ItemForm.tsx";
import css from "./integrations.module.css";

const CHOICES = SCOPES.map((id) => ({ id, name: id, description: SCOPE_LABELS[id] }));

const FIELDS = ["name", "scopes"];

export function KeyForm() {
  const [chart, send] = ApiKeys.use();
  const { form, problem, refused } = chart.context;
  const isCreating = chart.matches({ work: "creating" });
  const change = (typed: Partial<Form>) => send({ type: "form.change", change: typed });
  return (
    <ItemForm
      surface="well"
      pad={4}
      share="less"
      aria-label={t`New key`}
      refusal={{ problem, refused, fields: FIELDS }}
      saveLabel={t`Create key`}
      isSaving={isCreating}
      canSave={chart.can({ type: "form.submit" })}
      send={send}
    >
      <TextField
        label={t`Name`}
        description={t`What will use it, such as n8n or an assistant. Its actions appear in a lead’s story under this name.`}
        dir="auto"
        maxLength={100}
        autoComplete="off"
        readOnly={isCreating}
        value={form.name}
        errorMessage={announced(refused["name"])}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Choices
        legend={t`What it may do`}
        choices={CHOICES}
        chosen={form.scopes}
        isDisabled={isCreating}
        problem={refused["scopes"]}
        onChange={(scopes) => change({ scopes: scopes as Scope[] })}
      >
        <div role="status">
          {form.scopes.includes("send") && (
            <Row
              as="p"
              align="stretch"
              gap={2}
              pad={[2, 3]}
              size="sm"
              tone="warn"
              tint="warn"
              className={css["warning"]}
            >
              <TriangleAlert />
              {translate(SEND_WARNING)}
            </Row>
          )}
        </div>
      </Choices>
    </ItemForm>
  );
}
