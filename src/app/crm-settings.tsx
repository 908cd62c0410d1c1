import { useMemo } from "react";
import { Catalog } from "../machines/catalog/catalog.machine.ts";
import { Contacts, createContacts } from "../machines/contacts/contacts.machine.ts";
import { Exclusions, createExclusions } from "../machines/exclusions/exclusions.machine.ts";
import { FieldsCard } from "../views/catalog/FieldsCard.tsx";
import { TagsCard } from "../views/catalog/TagsCard.tsx";
import { Cards } from "../views/settings/Cards.tsx";
import { ContactsCard } from "../views/settings/ContactsCard.tsx";
import { ExclusionsCard } from "../views/settings/ExclusionsCard.tsx";
import { catalogsOf } from "./catalogs.ts";
import { excludedOf } from "./excluded.ts";
import { CatalogDraft } from "./catalog-draft.tsx";
import type { Services } from "./services.ts";

export default function CrmSettings({ services }: { services: Services }) {
  const { tags, fields } = catalogsOf(services);
  const exclusions = useMemo(() => createExclusions(services, { onRestored: excludedOf(services).remove }), [services]);
  const contacts = useMemo(() => createContacts(services), [services]);
  return (
    <Cards layout="even">
      <Catalog.Provider logic={tags}>
        <CatalogDraft services={services} />
        <TagsCard />
      </Catalog.Provider>
      <Catalog.Provider logic={fields}>
        <CatalogDraft services={services} />
        <FieldsCard />
      </Catalog.Provider>
      <Exclusions.Provider logic={exclusions}>
        <ExclusionsCard />
      </Exclusions.Provider>
      <Contacts.Provider logic={contacts}>
        <ContactsCard />
      </Contacts.Provider>
    </Cards>
  );
}
