import { useLocation, useSearch } from "wouter";
import type { View } from "../../domain/view.ts";
import { CatalogProvider, itemsAs, useCatalog } from "../machines/catalog/index.ts";
import { addressOf } from "../machines/leads/index.ts";
import { ViewLinks } from "../views/shell/ViewLinks.tsx";
import { catalogsOf } from "./catalogs.ts";
import type { Services } from "./services.ts";

/** The saved views, as the sidebar shows them under Leads. */
export type SavedViewLinksProps = { services: Services; onLeave: () => void };

export default function SavedViewLinks({ services, onLeave }: SavedViewLinksProps) {
  return (
    <CatalogProvider {...catalogsOf(services).views}>
      <Links onLeave={onLeave} />
    </CatalogProvider>
  );
}

function Links({ onLeave }: { onLeave: () => void }) {
  const views = useCatalog(itemsAs<View>());
  const [path] = useLocation();
  const search = useSearch();
  const here = search === "" ? path : `${path}?${search}`;
  const links = views.map((view) => ({ id: view.id, name: view.name, href: addressOf(view) }));
  return <ViewLinks links={links} current={here} onLeave={onLeave} />;
}
