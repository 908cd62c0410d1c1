import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { AriaLanguage } from "../language/AriaLanguage.tsx";
import type { Command } from "../commands/commands.ts";
import { type Actions, registerActions, registeredAction } from "../commands/keyed.ts";
import { Palette, createPalette } from "../machines/palette/palette.machine.ts";
import { createSingleKeys } from "../services/single-keys.ts";
import ShortcutSheet from "../views/inbox/ShortcutSheet.tsx";
import { PaletteView } from "../views/palette/PaletteView.tsx";
import { leadsOf } from "./leads-of.ts";
import type { Services } from "./services.ts";
import { showControl } from "./show-control.ts";

/** The command palette over every screen, and the list of keyboard shortcuts. */
export default function PaletteContainer({ services, onClose }: { services: Services; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [isSheetShown, setIsSheetShown] = useState(false);
  const [singleKeys] = useState(() => createSingleKeys(services.storage, services.userId()));
  const areSingleKeysOn = useSyncExternalStore(singleKeys.subscribe, singleKeys.get);
  const logic = useMemo(() => createPalette(services, { listLeads: leadsOf(services).list }), [services]);

  // Commands that work on every screen.
  useEffect(() => {
    const { theme, leaving } = services;
    const actions: Actions = {
      "theme.light": () => theme.set("light"),
      "theme.dark": () => theme.set("dark"),
      "theme.system": () => theme.set("system"),
      "account.leave": () => leaving.send({ type: "screen.leave", departure: { kind: "logOut" } }),
    };
    return registerActions(actions);
  }, [services]);

  const onCommand = useCallback(
    (command: Command) => {
      if (command.kind === "action" && command.action === "sheet.open") return setIsSheetShown(true);
      onClose();
      if (command.kind === "screen") navigate(command.path);
      else if (command.kind === "action") {
        // The palette restores the focus before a command moves it.
        const act = registeredAction(command.action);
        setTimeout(() => act?.());
      } else {
        if (window.location.pathname !== command.path) navigate(command.path);
        showControl(command.path, command.control);
      }
      return undefined;
    },
    [navigate, onClose],
  );
  const onPerson = useCallback(
    (leadId: string) => {
      onClose();
      navigate(`/leads/${encodeURIComponent(leadId)}`);
    },
    [navigate, onClose],
  );

  if (isSheetShown)
    return <ShortcutSheet onClose={onClose} areSingleKeysOn={areSingleKeysOn} onSingleKeys={singleKeys.set} />;
  return (
    <Palette.Provider logic={logic}>
      <AriaLanguage>
        <PaletteView isOffered={isOffered} onCommand={onCommand} onPerson={onPerson} onClose={onClose} />
      </AriaLanguage>
    </Palette.Provider>
  );
}

const PAGE_ACTIONS = /^(theme|account|sheet)\./;
const isOffered = (command: Command): boolean =>
  command.kind !== "action" || PAGE_ACTIONS.test(command.action) || registeredAction(command.action) !== null;
