import { msg } from "@lingui/core/runtime-macro";
import { type Recipient, fillPlaceholders, hasPlaceholders, recipientOf } from "../../domain/placeholders.ts";
import type { Snippet } from "../../domain/snippet.ts";
import { createSnippetsGateway } from "../services/snippets.ts";
import { createStagesList } from "../services/stages.ts";
import type { SnippetSource } from "../views/conversation/SnippetPicker.tsx";
import { leadsOf } from "./leads-of.ts";
import type { Services } from "./services.ts";

/** Snippets for one lead: fills placeholders before the user sends, and fetches the file. */
export function snippetSourceOf(services: Services, leadId: string): SnippetSource {
  const { http, notifier, logger } = services;
  const listStages = createStagesList(http);
  const recipient = async (signal: AbortSignal): Promise<Recipient> => {
    const [lead, all] = await Promise.all([leadsOf(services).read({ leadId }, signal), listStages(signal)]);
    return recipientOf(lead, all);
  };
  const fill = async (text: string) =>
    hasPlaceholders(text) ? fillPlaceholders(text, await recipient(new AbortController().signal)) : text;
  return {
    list: createSnippetsGateway(http).list,
    async prepare(snippet) {
      try {
        const [text, file] = await Promise.all([fill(snippet.text), fileOf(snippet)]);
        return { text, file };
      } catch (error) {
        logger.warn("a snippet was not put into the reply box", error);
        notifier.warn(msg`The snippet could not be made ready. Try again.`);
        return null;
      }
    },
  };
}

async function fileOf({ media, title }: Snippet): Promise<File | null> {
  if (media === null) return null;
  const answer = await fetch(media.url);
  if (!answer.ok) throw new Error(`the file of a snippet was answered with ${answer.status}`);
  const blob = await answer.blob();
  const extension = blob.type.split("/")[1] ?? "bin";
  return new File([blob], media.name ?? `${title}.${extension}`, { type: blob.type });
}
