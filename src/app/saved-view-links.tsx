import { useEffect, useLayoutEffect } from "react";
import { useLocation, useSearch } from "wouter";
import type { View } from "../../domain/view.ts";
import { Catalog, itemsAs } from "../machines/catalog/catalog.machine.ts";
import { addressOf } from "../machines/leads/leads.options.ts";
import { ViewLinks } from "../views/shell/ViewLinks.tsx";
import { catalogsOf } from "./catalogs.ts";
import { savedViewCount } from "./remembered.ts";
import type { Services } from "./services.ts";

type SavedViewLinksProps = { services: Services; onLeave: () => void; onKnown: () => void };

export default function SavedViewLinks({ services, ...props }: SavedViewLinksProps) {
  return (
    <Catalog.Provider logic={catalogsOf(services).views}>
      <Links services={services} {...props} />
    </Catalog.Provider>
  );
}

function Links({ services: { storage, userId }, onLeave, onKnown }: SavedViewLinksProps) {
  const views = Catalog.useSelector(itemsAs<View>());
  const isLoading = Catalog.useSelector((chart) => chart.matches({ list: "loading" }));
  const isShown = Catalog.useSelector((chart) => chart.matches({ list: "shown" }));
  useEffect(() => {
    if (isShown) savedViewCount(storage, userId()).set(views.length);
  }, [storage, userId, isShown, views.length]);
  // Before the browser paints, so that the links replace their reserved space without a layout shift.
  useLayoutEffect(() => {
    if (!isLoading) onKnown();
  }, [isLoading, onKnown]);
  const [path] = useLocation();
  const search = useSearch();
  const here = search === "" ? path : `${path}?${search}`;
  const links = views.map((view) => ({ id: view.id, name: view.name, href: addressOf(view) }));
  return <ViewLinks links={links} current={here} onLeave={onLeave} />;
}
