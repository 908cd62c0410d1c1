import { useEffect, useMemo } from "react";
import * as v from "valibot";
import type { Field } from "../../domain/field.ts";
import type { LeadDetail } from "../../domain/lead.ts";
import { Fields, Tags, itemsAs } from "../machines/catalog/catalog.machine.ts";
import {
  LeadTagsAndFieldsChart,
  type EditableLead,
  createLeadTagsAndFields,
} from "../machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import { type Drafts, jsonText } from "../services/drafts.ts";
import { createExclusionsGateway } from "../services/exclusions.ts";
import { createLeadTagsAndFieldsGateway } from "../services/lead-tags-and-fields.ts";
import { PARTIAL_DATE } from "../ui/DateField.tsx";
import { LeadTagsAndFields } from "../views/lead-panel/LeadTagsAndFields.tsx";
import { afterSuccess } from "./after-success.ts";
import { catalogsOf } from "./catalogs.ts";
import { excludedOf } from "./excluded.ts";
import type { Services } from "./services.ts";
import { useDraft } from "./use-draft.ts";

type LeadTagsAndFieldsContainerProps = { services: Services; lead: LeadDetail; onChanged: () => void };

export default function LeadTagsAndFieldsContainer({ services, lead, onChanged }: LeadTagsAndFieldsContainerProps) {
  const { id, name, tags, fields } = lead;
  const logic = useMemo(() => {
    const { exclude, restore } = createExclusionsGateway(services.http);
    const { setTags, setFields } = createLeadTagsAndFieldsGateway(services.http);
    return createLeadTagsAndFields(services, {
      gateway: { setTags, setFields: afterSuccess(setFields, draftOf(services.drafts, id).forget), exclude, restore },
      onChanged,
      excluded: excludedOf(services),
    });
  }, [services, onChanged, id]);
  const editable = useMemo(() => ({ id, name, tags, fields }), [id, name, tags, fields]);
  const catalogs = catalogsOf(services);
  return (
    <Tags.Provider logic={catalogs.tags}>
      <Fields.Provider logic={catalogs.fields}>
        <LeadTagsAndFieldsChart.Provider logic={logic} options={{ input: { lead: editable } }}>
          <Newest lead={editable} />
          <FieldsDraft services={services} leadId={id} />
          <LeadTagsAndFields />
        </LeadTagsAndFieldsChart.Provider>
      </Fields.Provider>
    </Tags.Provider>
  );
}

function Newest({ lead }: { lead: EditableLead }) {
  const send = LeadTagsAndFieldsChart.useSend();
  useEffect(() => send({ type: "lead.read", lead }), [lead, send]);
  return null;
}

const draftOf = (drafts: Drafts, leadId: string) =>
  drafts.of(`fields of ${leadId}`, { texts: jsonText(v.record(v.string(), v.string())) });

function FieldsDraft({ services: { drafts }, leadId }: { services: Services; leadId: string }) {
  const fields = Fields.useSelector(itemsAs<Field>());
  const areShown = Fields.useSelector((chart) => chart.matches({ list: "shown" }));
  const typed = LeadTagsAndFieldsChart.useSelector((chart) => chart.context.typed);
  const send = LeadTagsAndFieldsChart.useSend();
  useEffect(() => {
    if (areShown) send({ type: "fields.listed", ids: fields.map(({ id }) => id) });
  }, [areShown, fields, send]);
  const texts = Object.entries(typed).map(([id, { text }]) => [id, text]);
  // A partial date cannot be shown again, so the stored day is.
  const whole = Object.fromEntries(texts.filter(([, text]) => text !== PARTIAL_DATE));
  useDraft(draftOf(drafts, leadId), {
    form: areShown ? { texts: JSON.stringify(whole) } : null,
    server: { texts: "{}" },
    restore({ texts: stored = {} }) {
      for (const field of fields) {
        const text = stored[field.id];
        if (text !== undefined) send({ type: "field.change", field, text });
      }
    },
  });
  return null;
}
