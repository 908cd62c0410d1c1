import { useCallback, useEffect, useMemo } from "react";
import type { Field } from "../../domain/field.ts";
import type { LeadDetail } from "../../domain/lead-detail.ts";
import { Fields, Tags, itemsAs, selectIsShown } from "../machines/catalog/index.ts";
import {
  LeadMarksProvider,
  type MarkedLead,
  createLeadMarks,
  selectTyped,
  useLeadMarks,
  useLeadMarksEvents,
} from "../machines/lead-marks/index.ts";
import { createExclusionsGateway } from "../services/exclusions.ts";
import { createLeadMarksGateway } from "../services/lead-marks.ts";
import { LeadMarks } from "../views/lead-panel/LeadMarks.tsx";
import { catalogsOf } from "./catalogs.ts";
import { excludedOf } from "./excluded.ts";
import type { Services } from "./services.ts";
import { forgettingDraft, useDraft } from "./use-draft.ts";

export type LeadMarksPlaceProps = { services: Services; lead: LeadDetail; onChanged: () => void };

/** Tags and fields in a lead's panel, with the services behind them. */
export default function LeadMarksPlace({ services, lead, onChanged }: LeadMarksPlaceProps) {
  const { id, name, tags, fields } = lead;
  const logic = useMemo(() => {
    const { http, notifier, logger } = services;
    const { exclude, restore } = createExclusionsGateway(http);
    const { setTags, setFields } = createLeadMarksGateway(http);
    return createLeadMarks({
      marks: { setTags, setFields: forgettingDraft(services, draftOf(id), setFields), exclude, restore },
      notifier,
      logger,
      onChanged,
      excluded: excludedOf(services),
    });
  }, [services, onChanged, id]);
  const marked = useMemo(() => ({ id, name, tags, fields }), [id, name, tags, fields]);
  const catalogs = catalogsOf(services);
  return (
    <Tags.Provider {...catalogs.tags}>
      <Fields.Provider {...catalogs.fields}>
        <LeadMarksProvider logic={logic} options={{ input: { lead: marked } }}>
          <Newest lead={marked} />
          <KeptFields services={services} leadId={id} />
          <LeadMarks />
        </LeadMarksProvider>
      </Fields.Provider>
    </Tags.Provider>
  );
}

/** The chart hears of each newer reading. */
function Newest({ lead }: { lead: MarkedLead }) {
  const { read } = useLeadMarksEvents();
  useEffect(() => read(lead), [lead, read]);
  return null;
}

const BLANK = { texts: "" };
const draftOf = (leadId: string) => `fields of ${leadId}`;

/** Keeps the values that are typed over a change of screen and a reload. */
function KeptFields({ services: { drafts }, leadId }: { services: Services; leadId: string }) {
  const fields = Fields.use(itemsAs<Field>());
  const areShown = Fields.use(selectIsShown);
  const typed = useLeadMarks(selectTyped);
  const { changeField } = useLeadMarksEvents();
  const form = useMemo(() => {
    const texts = Object.entries(typed).map(([id, { text }]) => [id, text] as const);
    if (!areShown) return null;
    return texts.length === 0 ? BLANK : { texts: JSON.stringify(Object.fromEntries(texts)) };
  }, [areShown, typed]);
  const restore = useCallback(
    ({ texts = "{}" }: Partial<typeof BLANK>) => {
      const kept = JSON.parse(texts) as Record<string, string>;
      for (const field of fields) if (kept[field.id] !== undefined) changeField(field, kept[field.id] ?? "");
    },
    [fields, changeField],
  );
  useDraft(drafts, { name: draftOf(leadId), form, blank: BLANK, restore });
  return null;
}
