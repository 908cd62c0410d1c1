// Made from the OpenAPI page by `npm run generate:client`. Do not edit.

export interface paths {
    "/api/keys": {
        /** List the keys by which programs call, oldest first. Takes no key: only a person who signed in. */ get: operations["listKeys"];
        /** Make a key for a program, 20 at most. Its secret stands in this answer alone. A repeated Idempotency-Key makes no second key: it gets the same key with a new secret, and the first secret ends. Takes no key: only a person who signed in. */ post: operations["addKey"];
    };
    "/api/keys/{id}": {
        /** Revoke a key: its calls are refused from now on. Takes no key: only a person who signed in. */ delete: operations["revokeKey"];
    };
    "/api/leads": {
        /** List leads, newest first. Values of your own fields narrow the list too: `field.<id>=…`. A key needs the scope `read`. */ get: operations["listLeads"];
    };
    "/api/board": {
        /** A column a stage. How many leads match, what their value field sums up to, and the first of them, newest first. Values of your own fields narrow it too: `field.<id>=…`. A key needs the scope `read`. */ get: operations["readBoard"];
    };
    "/api/leads/{id}": {
        /** One lead. A key needs the scope `read`. */ get: operations["readLead"];
        /** Change a lead's notes, draft or stage. One of them a call. add_note adds below the notes that stand there. A new stage starts its follow-ups anew. With If-Match, notes and a draft are changed only where they still are what they were typed over. A key needs the scope `write`. */ patch: operations["changeLead"];
    };
    "/api/leads/{id}/automation": {
        /** What happens to a lead next by itself. When, and who must act. A key needs the scope `read`. */ get: operations["readLeadAutomation"];
        /** Skip a lead's next follow-up, hold the lead, or resume it. `skip` needs the scope `write`, like `hold`; `resume` needs `send`, like a hold that ends before the one that stands. A key needs the scope `write` or `send`. */ post: operations["orderLeadAutomation"];
    };
    "/api/leads/{id}/stage/undo": {
        /** Take back a stage change by hand, within a minute. A key needs the scope `write`. */ post: operations["undoStageChange"];
    };
    "/api/leads/batch": {
        /** Do one thing to many leads. To those of `ids`, or to all that match the list's filters in this moment. More than 5,000 are a job: 202 with its id. A key needs the scope `write` or `send`. */ post: operations["actOnLeads"];
    };
    "/api/leads/batch/{id}/undo": {
        /** Take back what was done to many leads. For half a minute after its end, to the last field. Leads that somebody changed meanwhile stay as they are and count as `left`. It needs the scope `write`; where a hold is taken back, `send`. A key needs the scope `write` or `send`. */ post: operations["undoLeadBatch"];
    };
    "/api/leads/batch/{id}": {
        /** Read the progress of what is done to many leads. A key needs the scope `read`. */ get: operations["readLeadBatch"];
        /** Stop what is being done to many leads, where it stands. A key needs the scope `write`. */ delete: operations["stopLeadBatch"];
    };
    "/api/leads/export": {
        /** The leads of the list's filters as CSV. UTF-8 with a byte order mark, commas, and an apostrophe before texts that a spreadsheet would take for formulas. A key needs the scope `read`. */ get: operations["exportLeads"];
    };
    "/api/leads/import": {
        /** Change leads by a CSV file. All rows or none. An empty cell changes nothing; rows are matched by Telegram id or username. A key needs the scope `write`. */ post: operations["importLeads"];
    };
    "/api/leads/{id}/exclude": {
        /** Not a lead: store nothing of this person any more. Nothing goes out to them from now on, and what was stored is erased when the half minute is over in which the exclusion can be deleted. A key needs the scope `write`. */ post: operations["excludeLead"];
    };
    "/api/exclusions": {
        /** List people of whom nothing is stored, newest first. A key needs the scope `read`. */ get: operations["listExclusions"];
    };
    "/api/exclusions/{telegram_user_id}": {
        /** End an exclusion. Until `undo_until` the lead is there again as it was; later the person becomes a new lead with their next message. A key needs the scope `write`. */ delete: operations["endExclusion"];
    };
    "/api/files/{id}": {
        /** Read a message's file by its short-lived link. Whole or in ranges (header Range). Needs neither key nor session. */ get: operations["readFile"];
    };
    "/api/telegram/import": {
        /** How far the latest import of chats is. A key needs the scope `read`. */ get: operations["readChatImport"];
        /** Read existing chats into leads. Nothing is sent. It goes on by itself, also after a restart, and rests while Telegram asks for it. A key needs the scope `write`. */ post: operations["importChats"];
        /** Cancel the import of chats. The leads that it has found stay. A key needs the scope `write`. */ delete: operations["cancelChatImport"];
    };
    "/api/inbox": {
        /** List conversations. Who waits (longest first, unless `order` says newest), what is unread, or all (newest first). A key needs the scope `read`. */ get: operations["listInbox"];
    };
    "/api/inbox/counts": {
        /** How many people wait for an answer, and how many conversations are unread. A key needs the scope `read`. */ get: operations["countInbox"];
    };
    "/api/leads/{id}/done": {
        /** Take a conversation out of waiting until its person writes again, or put it back. A move to another stage by hand takes it out as well. A key needs the scope `write`. */ post: operations["markDone"];
    };
    "/api/leads/{id}/messages": {
        /** Read a lead's conversation, newest first. A key needs the scope `read`. */ get: operations["listMessages"];
        /** Answer a lead. With a picture or video if wanted. The answer is the message as it waits to be sent; what becomes of it is told by `message.changed`. A key needs the scope `send`. */ post: operations["replyToLead"];
    };
    "/api/leads/{id}/read": {
        /** Note that the conversation was read up to a message. A key needs the scope `write`. */ post: operations["markRead"];
    };
    "/api/leads/{id}/story": {
        /** What happened to a lead, newest first. A key needs the scope `read`. */ get: operations["readStory"];
    };
    "/api/snippets": {
        /** List snippets by title. A key needs the scope `read`. */ get: operations["listSnippets"];
        /** Add a snippet. As JSON, or as a form with a picture or video. A key needs the scope `write`. */ post: operations["addSnippet"];
    };
    "/api/snippets/{id}": {
        /** Delete a snippet. A key needs the scope `write`. */ delete: operations["deleteSnippet"];
        /** Change a snippet. As JSON, or as a form with a picture or video. A key needs the scope `write`. */ patch: operations["changeSnippet"];
    };
    "/api/tags": {
        /** List tags. A key needs the scope `read`. */ get: operations["listTags"];
        /** Add a tag, 100 at most. A key needs the scope `write`. */ post: operations["addTag"];
    };
    "/api/tags/{id}": {
        /** Delete a tag and take it from every lead. For a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteTag"];
        /** Change a tag. A key needs the scope `write`. */ patch: operations["changeTag"];
    };
    "/api/tags/{id}/restore": {
        /** Bring back a tag deleted within the last minute, with all that hung on it. A key needs the scope `write`. */ post: operations["restoreTag"];
    };
    "/api/fields": {
        /** List fields. A key needs the scope `read`. */ get: operations["listFields"];
        /** Add a field, 30 at most. A key needs the scope `write`. */ post: operations["addField"];
    };
    "/api/fields/{id}": {
        /** Delete a field and take it from every lead. For a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteField"];
        /** Change a field. A key needs the scope `write`. */ patch: operations["changeField"];
    };
    "/api/fields/{id}/restore": {
        /** Bring back a field deleted within the last minute, with all that hung on it. A key needs the scope `write`. */ post: operations["restoreField"];
    };
    "/api/views": {
        /** List views. A key needs the scope `read`. */ get: operations["listViews"];
        /** Add a view, 50 at most. A key needs the scope `write`. */ post: operations["addView"];
    };
    "/api/views/{id}": {
        /** Delete a view. For a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteView"];
        /** Change a view. A key needs the scope `write`. */ patch: operations["changeView"];
    };
    "/api/views/{id}/restore": {
        /** Bring back a view deleted within the last minute, with all that hung on it. A key needs the scope `write`. */ post: operations["restoreView"];
    };
    "/api/leads/{id}/tags": {
        /** Give a lead exactly these tags. A key needs the scope `write`. */ put: operations["setLeadTags"];
    };
    "/api/leads/{id}/fields": {
        /** Give a lead values of your own fields. By the fields' ids. null takes one away, what is not named stays. A key needs the scope `write`. */ patch: operations["setLeadFields"];
    };
    "/api/stages": {
        /** List stages in their order. A key needs the scope `read`. */ get: operations["listStages"];
        /** Add a stage. A key needs the scope `write`. */ post: operations["addStage"];
    };
    "/api/stages/{id}": {
        /** Delete a stage. Its leads move to the first remaining one and are held there until they are resumed or moved. For a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteStage"];
        /** Change a stage, or only its order. A key needs the scope `write`. */ patch: operations["changeStage"];
    };
    "/api/stages/{id}/restore": {
        /** Bring back a stage deleted within the last minute, with its leads and follow-ups. Leads that were moved or resumed since stay where they are. A key needs the scope `write`. */ post: operations["restoreStage"];
    };
    "/api/stages/preview": {
        /** Try edited keywords on the messages of the last days. Nothing is changed. A key needs the scope `read`. */ post: operations["previewStages"];
    };
    "/api/settings": {
        /** Read what was chosen for automation and for all conversations. A key needs the scope `read`. */ get: operations["readSettings"];
        /** Change the settings that are given. A key needs the scope `write`. */ patch: operations["changeSettings"];
    };
    "/api/user_settings": {
        /** Read the automation settings. A key needs the scope `read`. */ get: operations["readAutomationSettings"];
        /** Save the automation settings. A key needs the scope `write`. */ post: operations["saveAutomationSettings"];
    };
    "/api/stats/volume": {
        /** New leads per day. A key needs the scope `read`. */ get: operations["readVolume"];
    };
    "/api/stats/total": {
        /** New leads of a period. A key needs the scope `read`. */ get: operations["readTotal"];
    };
    "/api/stats/stage-breakdown": {
        /** Leads of a period by present stage. A key needs the scope `read`. */ get: operations["readStageShares"];
    };
    "/api/stats/funnel": {
        /** How far the leads of a period came. A key needs the scope `read`. */ get: operations["readFunnel"];
    };
    "/api/stats/conversions": {
        /** How many leads of a period reached a stage. A key needs the scope `read`. */ post: operations["readConversion"];
    };
    "/api/followups": {
        /** List follow-ups. A key needs the scope `read`. */ get: operations["listFollowups"];
        /** Add a follow-up, with a picture or video if wanted. A key needs the scope `write`. */ post: operations["addFollowup"];
    };
    "/api/followups/results": {
        /** What each follow-up did in a period: sent, answered, moved on, opted out. A key needs the scope `read`. */ get: operations["readFollowupResults"];
    };
    "/api/followups/{id}": {
        /** Delete a follow-up. The later ones move up. For a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteFollowup"];
        /** Change a follow-up. A key needs the scope `write`. */ patch: operations["changeFollowup"];
    };
    "/api/followups/{id}/restore": {
        /** Bring back a follow-up deleted within the last minute, to the place where it stood. A key needs the scope `write`. */ post: operations["restoreFollowup"];
    };
    "/api/followups/send/{id}": {
        /** Send a lead's next follow-up by hand. Answered once Telegram has it. A key needs the scope `send`. */ post: operations["sendNextFollowup"];
    };
    "/api/followups/overdue": {
        /** List leads whose follow-up was overdue when automation was switched on. A key needs the scope `read`. */ get: operations["listOverdueFollowups"];
    };
    "/api/followups/overdue/confirm": {
        /** Let automation send overdue follow-ups, all of them or to the leads named. A key needs the scope `send`. */ post: operations["confirmOverdueFollowups"];
    };
    "/api/ledger": {
        /** Everything that was planned to be sent and what became of it, newest first. A key needs the scope `read`. */ get: operations["readLedger"];
    };
    "/api/forecast": {
        /** Foresee what goes out in the next hours while nobody writes. A key needs the scope `read`. */ get: operations["readForecast"];
    };
    "/api/bulk/preflight": {
        /** Foresee what a bulk message would do: who can be reached, who is skipped and why, from when until when. A key needs the scope `read`. */ get: operations["preflightBulk"];
        /** Foresee what a bulk message to exactly these leads would do. As the GET, for leads that are named one by one: an address is too short for them. It changes nothing. A key needs the scope `read`. */ post: operations["preflightBulkOfLeads"];
    };
    "/api/media/{id}": {
        /** Read an attached picture or video by its short-lived link. Whole or in ranges (header Range). Needs neither key nor session. */ get: operations["readMedia"];
    };
    "/api/reminders": {
        /** List reminder rules. A key needs the scope `read`. */ get: operations["listReminders"];
        /** Add a reminder rule; its channel is checked while an account is connected. A key needs the scope `write`. */ post: operations["addReminder"];
    };
    "/api/reminders/{id}": {
        /** Delete a reminder rule; for a minute it can be restored. A key needs the scope `write`. */ delete: operations["deleteReminder"];
        /** Switch a reminder rule on or off. A key needs the scope `write`. */ patch: operations["switchReminder"];
    };
    "/api/reminders/{id}/restore": {
        /** Bring back a reminder rule deleted within the last minute. A key needs the scope `write`. */ post: operations["restoreReminder"];
    };
    "/api/bulk": {
        /** Send a message to many leads. To all leads, to those of a stage, to those that match the list's filters (`query`), or to exactly those of `lead_ids`, a list as JSON. A key needs the scope `send`. */ post: operations["sendBulk"];
    };
    "/api/bulk/current": {
        /** Read the progress of the bulk job that is running. A key needs the scope `read`. */ get: operations["readRunningBulk"];
    };
    "/api/bulk/{id}": {
        /** Read a bulk job's progress. A key needs the scope `read`. */ get: operations["readBulk"];
        /** Cancel a running bulk job, or put a finished one away. A key needs the scope `send`. */ delete: operations["cancelBulk"];
    };
    "/api/bulk/{id}/continue": {
        /** Continue a bulk job that waits for you. A job whose Telegram account was away (disconnected, or without a subscription) for more than 24 hours is held: it waits until it is continued or cancelled. A key needs the scope `send`. */ post: operations["continueBulk"];
    };
    "/api/webhooks": {
        /** List webhooks. A key needs the scope `read`. */ get: operations["listWebhooks"];
        /** Add a webhook, 10 at most; the answer alone holds the secret by which receivers verify signatures. A repeated Idempotency-Key adds no second webhook: it gets the same one with a new secret, and the first secret ends. A key needs the scope `write`. */ post: operations["addWebhook"];
    };
    "/api/webhooks/{id}": {
        /** Delete a webhook. A key needs the scope `write`. */ delete: operations["deleteWebhook"];
        /** Change a webhook, or switch it off and on; what happens while it is off is not kept for it. A key needs the scope `write`. */ patch: operations["changeWebhook"];
    };
    "/api/webhooks/{id}/deliveries": {
        /** What was delivered to a webhook, or waits for it, newest first; kept for 30 days. A key needs the scope `read`. */ get: operations["listDeliveries"];
    };
    "/api/webhooks/{id}/deliveries/{delivery}/replay": {
        /** Deliver an event once more, under the same webhook-id. A key needs the scope `write`. */ post: operations["replayDelivery"];
    };
    "/api/webhooks/{id}/test": {
        /** Deliver an event of type webhook.test, to see whether the receiver answers. A key needs the scope `write`. */ post: operations["testWebhook"];
    };
    "/api/telegram/status": {
        /** Whether a Telegram account is connected. With the phone of one that Telegram has ended, for the next login. A key needs the scope `read`. */ get: operations["readTelegramStatus"];
    };
    "/api/telegram/send-code": {
        /** Ask Telegram to send a login code. Takes no key: only a person who signed in. */ post: operations["sendLoginCode"];
    };
    "/api/telegram/verify-code": {
        /** Log in with the code. An account with a two-step password answers `2fa_required`. Takes no key: only a person who signed in. */ post: operations["verifyLoginCode"];
    };
    "/api/telegram/verify-password": {
        /** Complete a login by code or QR with the two-step password. Takes no key: only a person who signed in. */ post: operations["verifyLoginPassword"];
    };
    "/api/telegram/qr-start": {
        /** Start a login by QR code. Takes no key: only a person who signed in. */ post: operations["startQrLogin"];
    };
    "/api/telegram/qr": {
        /** The QR code to show now. It changes about every thirty seconds. Takes no key: only a person who signed in. */ get: operations["readQrCode"];
    };
    "/api/telegram/qr-complete": {
        /** Wait until the QR code was scanned. 401 with `2fa_required` for an account with a two-step password. Takes no key: only a person who signed in. */ post: operations["completeQrLogin"];
    };
    "/api/telegram/qr-cancel": {
        /** Give up a login under way. Takes no key: only a person who signed in. */ post: operations["cancelLogin"];
    };
    "/api/telegram/disconnect": {
        /** Log out at Telegram and erase the session. Takes no key: only a person who signed in. */ post: operations["disconnectTelegram"];
    };
    "/api/telegram/account": {
        /** The health of the connected account, or why it is no longer connected. A key needs the scope `read`. */ get: operations["readTelegramAccount"];
        /** Change how many people may be written to out of the blue each day. A key needs the scope `write`. */ patch: operations["changeTelegramAccount"];
    };
    "/api/telegram/account/resume": {
        /** Let automated sends go on after Telegram's spam limit. An hour after it at the earliest. A key needs the scope `send`. */ post: operations["resumeTelegramAccount"];
    };
    "/api/billing/checkout": {
        /** Where to subscribe. The portal while a subscription lives. Takes no key: only a person who signed in. */ post: operations["startCheckout"];
    };
    "/api/billing/portal": {
        /** Where to change the card, cancel, or undo a cancellation. Takes no key: only a person who signed in. */ post: operations["openBillingPortal"];
    };
    "/api/billing/sync": {
        /** Reads the subscription anew from the card provider. Takes no key: only a person who signed in. */ post: operations["syncSubscription"];
    };
    "/api/billing/confirm": {
        /** Finishes a paid checkout of the caller. Takes no key: only a person who signed in. */ post: operations["confirmCheckout"];
    };
    "/api/account/export": {
        /** Everything of the caller as one JSON file, or as a zip of CSV and JSON. With `format=zip` the answer is `application/zip` in the open format: tables as CSV, uploaded files, a manifest with checksums. `POST /api/account/import` takes it. Takes no key: only a person who signed in. */ get: operations["exportAccount"];
    };
    "/api/account": {
        /** Ends the subscription, logs out at Telegram and erases the account. Takes no key: only a person who signed in. */ delete: operations["deleteAccount"];
    };
    "/mcp": {
        /** Speak the Model Context Protocol, over streamable HTTP. JSON-RPC: one message in the body, or twenty at most as a list. The tools are those that the key's scopes allow; refusals of tools come back inside the answer. Clients of 2025 are answered by an event stream that ends with the answer. Notifications are answered 202 without a body. A key needs the scope `read` or `write` or `send`. */ post: operations["callMcp"];
    };
    "/api/account/import": {
        /** How far bringing an export in is, or how the last one ended. Takes no key: only a person who signed in. */ get: operations["readAccountImport"];
        /** Bring the zip of an export into an empty account. Leads, messages, stages, follow-ups, tags, fields and history, with new ids. Everything is checked before the answer; then it comes in, which the GET tells of. Nothing is sent because of it, and what sends by itself comes in switched off. Takes no key: only a person who signed in. */ post: operations["importAccount"];
    };
    "/api/events": {
        /** Live changes, as server-sent events. Each event has its name in the line `event` and JSON in the line `data`; a comment every 15 seconds says that the stream lives. Who comes back after a break says in `missed_ms` for how long nothing was heard, and is first told of what changed meanwhile. Twenty streams at once. Takes no key: only a person who signed in. */ get: operations["streamEvents"];
    };
}
export interface webhooks {
    "lead.created": {
        /** A person became a lead. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onLeadCreated"];
    };
    "lead.stage_changed": {
        /** A lead moved to another stage. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onLeadStageChanged"];
    };
    "lead.opted_out": {
        /** A person wrote an opt-out word. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onLeadOptedOut"];
    };
    "message.received": {
        /** A person wrote. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onMessageReceived"];
    };
    "message.sent": {
        /** A reply or a bulk message left, or the seller wrote from another device. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onMessageSent"];
    };
    "followup.sent": {
        /** A follow-up left. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onFollowupSent"];
    };
    "bulk.finished": {
        /** A bulk message came to its end. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onBulkFinished"];
    };
    "account.disconnected": {
        /** The Telegram account is no longer connected. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onAccountDisconnected"];
    };
    "webhook.test": {
        /** A person tries whether the receiver answers. Sent after the Standard Webhooks specification: verify the signature with the webhook's secret, and do nothing twice for one `webhook-id`. Answer with 2xx within 10 seconds; anything else is tried again with growing waits for three days. Events of one lead come in their order while the receiver answers. */ post: operations["onWebhookTest"];
    };
}
export interface components {
    schemas: {
        /** The password, so that nobody else ends the account. */ AccountDelete: {
            /** The password. */ password: string;
        };
        /** How far bringing an export in is. */ AccountImport: {
            /** The import's id. */ id: string;
            /** What it is doing. A failed one has left nothing behind. */ status: "in_progress" | "completed" | "failed";
            /** Rows that are to come. */ total: number;
            /** Rows that came. */ done: number;
            /** How many rows came, by table; null until it is completed. */ brought: { [key: string]: number; } | null;
            /** Why it failed. */ reason: string | null;
            /** When it was ordered. */ created_at: string;
            /** When it ended. */ finished_at: string | null;
        };
        /** A key by which a program calls. */ ApiKey: {
            /** The key's id. */ id: string;
            /** What it was called. */ name: string;
            /** What it may do. */ scopes: ("read" | "write" | "send")[];
            /** How its secret ends. */ hint: string;
            /** When it was made. */ created_at: string;
            /** When it was last used, right to the minute; null before. */ last_used_at: string | null;
        };
        /** A key to make. */ ApiKeyCreate: {
            /** What to call it. */ name: string;
            /** What it may do: `read`; `send` to send and to let held or stopped automation go on; `write` for the rest that changes, also what automation sends by. */ scopes: ("read" | "write" | "send")[];
        };
        /** All keys, oldest first. */ ApiKeyList: components["schemas"]["ApiKey"][];
        /** What is done to each lead. */ BatchAction: {
            /** The action. */ type: "move";
            /** The stage to move to. */ stage_id: string;
        } | {
            /** The action. */ type: "tag";
            /** The tags to give or take. */ tag_ids: string[];
        } | {
            /** The action. */ type: "untag";
            /** The tags to give or take. */ tag_ids: string[];
        } | {
            /** The action. */ type: "hold";
            /** Until when to hold, a time in the future; without it until resumed. */ until?: string | null;
        } | {
            /** The action. */ type: "resume";
        } | {
            /** The action. */ type: "exclude";
        };
        /** What was done, or the job that goes on doing it. */ BatchAnswer: {
            /** How many leads are another than before. */ changed: number;
            /** Of an undo: leads left as they are, because somebody changed them meanwhile. */ left: number;
            /** By which it can be taken back for half a minute; null where nothing can. */ undo_id: string | null;
            /** Why the rest was not done, where it broke off. */ error?: string;
        } | {
            /** The job, where there are very many leads. */ job_id: string;
        };
        /** How far an action on many leads is. */ BatchJob: {
            /** What the job is doing. */ status: "in_progress" | "completed" | "failed" | "cancelled";
            /** How many leads were looked at. */ done: number;
            /** How many there are. */ total: number;
            /** By which it can be taken back for half a minute after its end. */ undo_id: string | null;
            /** Until when; null where nothing can be taken back. */ undo_until: string | null;
            /** How many are another than before. */ changed: number;
            /** How many an undo left as they are. */ left: number;
            /** Why it failed, in words. */ error: string | null;
        };
        /** One action on many leads. */ BatchOrder: {
            /** The leads: by their ids, or by the list's filters. */ where: {
                /** The leads' ids. */ ids: string[];
            } | {
                /** The list's filters as one string, such as q=price&tag=<id>: all that match when the call arrives. */ query: string;
            };
            /** What is done to each. */ action: components["schemas"]["BatchAction"];
        };
        /** A checkout to finish. */ BillingConfirm: {
            /** The checkout's id. */ session_id: string;
        };
        /** What the subscription is. */ BillingStatus: {
            /** Its status; null when there is none. */ status: string | null;
        };
        /** Where to go on. */ BillingUrl: {
            /** A page of the card provider. */ url: string;
        };
        /** A column a stage. */ Board: {
            /** The columns, in the order of the stages. */ columns: components["schemas"]["BoardColumn"][];
        };
        /** One stage's column. */ BoardColumn: {
            /** The stage; null for leads without one. */ stage_id: string | null;
            /** How many leads match. */ total: number;
            /** What their value field sums up to; null where no field is the value. */ value: number | null;
            /** The first of them. */ leads: components["schemas"]["Lead"][];
        };
        /** How far a bulk message is. */ BulkJob: {
            /** The job's id. */ job_id?: (string | number) | null;
            /** What it is doing; a paused one is `in_progress` with a reason. */ status: "in_progress" | "completed" | "failed";
            /** How many were sent. */ sent_count: number | null;
            /** How many failed. */ failed_count: number | null;
            /** How many leads there are. */ total_targets: number | null;
            /** Why it failed, in words. */ error: string | null;
            /** Until when it waits. */ paused_until: string | null;
            /** Why it waits, in words. */ paused_reason: string | null;
            /** Whether it waits for the user, who continues or cancels it: its account was away for more than 24 hours. */ is_held: boolean;
        };
        /** The job that sends. */ BulkQueued: {
            /** Its id. */ job_id: string;
        };
        /** The tags that a lead carries. */ CarriedTags: {
            /** The tags. */ tags: components["schemas"]["LeadTag"][];
        };
        /** How far an import of chats is. */ ChatImport: {
            /** The import's id. */ id: string;
            /** What it is doing. */ status: "in_progress" | "completed" | "failed" | "cancelled";
            /** Chats looked at. */ scanned: number;
            /** Those that are leads now. */ found: number;
            /** As ordered. */ days?: number;
            /** As ordered. */ include_contacts?: boolean;
            /** Until when Telegram asks it to wait. */ paused_until: string | null;
            /** Why it waits or failed. */ reason: string | null;
            /** When it was ordered. */ created_at: string | null;
            /** When it ended. */ finished_at: string | null;
        };
        /** Which chats to read into leads. */ ChatImportOrder: {
            /** Chats with messages of so many last days. */ days: number;
            /** Also people in the account's contacts. */ include_contacts?: boolean;
        };
        /** How many leads of a period reached a stage. */ Conversion: {
            /** Percent, with one decimal; null when there are no leads. */ percentage: number | null;
            /** How many reached it. */ count: number;
            /** How many there are. */ total: number;
        };
        /** How many leads of a period reached a stage. */ ConversionRequest: {
            /** The stage. */ stage_id: string;
            /** From this time on, UTC. */ start: string;
            /** Until this time, UTC. */ end: string;
            /** The stages in their order. */ stages: (string | ({
                /** The stage's id. */ id: string;
                /** Its place. */ order: number | null;
            } & { [key: string]: unknown; }))[];
        };
        /** A day's new leads. */ DailyVolume: {
            /** The day, YYYY-MM-DD. */ day: string;
            /** How many. */ lead_count: number;
        };
        /** A page of deliveries, newest first. */ DeliveryPage: {
            /** The deliveries. */ items: components["schemas"]["WebhookDelivery"][];
            /** The `before` of the next page; null on the last. */ next: string | null;
        };
        /** Who or what did it. */ Doer: {
            /** A person, automation, or another program by its key. */ kind: "person" | "automation" | "key";
            /** The person's or the key's name. */ name: string | null;
        };
        /** The answer of a call that has nothing else to say. */ Done: {
            /** Always true. */ success: true;
        };
        /** Whether a conversation is done with. */ DoneOrder: {
            /** `true` takes it out of `waiting` until its person writes again; `false` puts it back. */ done: boolean;
        };
        /** A person of whom nothing is stored any more. */ Exclusion: {
            /** The person's id at Telegram. */ telegram_user_id: string;
            /** The name that they had. */ name: string | null;
            /** The username that they had. */ username: string | null;
            /** Since when. */ excluded_at: string;
            /** Until when the lead can come back as it was; null when that is over. */ undo_until: string | null;
            /** Who or what excluded them; null where that is not known. */ by?: components["schemas"]["Doer"] | null;
        };
        /** What became of an exclusion that was taken back. */ ExclusionEnd: {
            /** The lead that is there again; null when the person starts anew. */ lead_id: string | null;
        };
        /** People of whom nothing is stored, newest first. */ ExclusionList: components["schemas"]["Exclusion"][];
        /** A field of your own that leads have. */ Field: {
            /** The field's id. */ id: string;
            /** Its name. */ name: string;
            /** What it holds. */ type: "text" | "number" | "date" | "choice" | "link";
            /** A choice's texts, in their order; null for every other type. */ options: string[] | null;
            /** Whether it is the number that board and stats sum up; one field at most. */ is_value: boolean;
            /** How many leads hold a value of it. */ leads: number;
        };
        /** A field to add. */ FieldCreate: {
            /** Its name. */ name: string;
            /** What it holds. */ type: "text" | "number" | "date" | "choice" | "link";
            /** A choice's texts, in their order; null for every other type. */ options?: string[] | null;
            /** Whether it is the number that board and stats sum up; one field at most. */ is_value?: boolean;
        };
        /** All of your own fields. */ FieldList: components["schemas"]["Field"][];
        /** What changes of a field. */ FieldPatch: {
            /** Its name. */ name?: string;
            /** A choice's texts, in their order; null for every other type. */ options?: string[];
            /** Whether it is the number that board and stats sum up; one field at most. */ is_value?: boolean;
            /** Where the leads of removed options go: another option, or null for none. */ move_to?: string | null;
        };
        /** A value of one of your own fields: a number for a number, else a text; a day as YYYY-MM-DD; null is none. */ FieldValue: (string | number) | null;
        /** A message that goes out by itself when nobody answers. */ Followup: {
            /** The follow-up's id. */ id: string;
            /** The stage that it belongs to. */ stage_id: string | null;
            /** The text. {name}, {first_name}, {username} and {stage} are filled in; {first_name|friend} names what stands in for a missing one; any other brace is sent as written. */ message: string | null;
            /** Its place in its stage, from 0. */ followup_order: number | null;
            /** Hours after the step before, or after the lead entered the stage. */ delay_hours: number;
            /** The file's extension. */ media_type: string | null;
            /** A signed link to the picture or video, which ends soon. */ media_url: string | null;
            /** Always null. */ media_base64: string | null;
        };
        /** All follow-ups. */ FollowupList: components["schemas"]["Followup"][];
        /** What changes of a follow-up: at least one field. */ FollowupPatch: {
            /** The text. {name}, {first_name}, {username} and {stage} are filled in; {first_name|friend} names what stands in for a missing one; any other brace is sent as written. */ message?: string;
            /** Hours after the step before, or after the lead entered the stage. */ delay_hours?: number | null;
            /** Its place in its stage, from 0. */ followup_order?: number;
            /** The stage that it belongs to. */ stage_id?: string | null;
        };
        /** What a follow-up did in a period. */ FollowupResult: {
            /** The follow-up. */ followup_id: string;
            /** How often it was sent. */ sent: number;
            /** How many answered within a day. */ answered_24h: number;
            /** How many answered within three days. */ answered_72h: number;
            /** How many moved to another stage. */ moved_on: number;
            /** How many wrote an opt-out word. */ opted_out: number;
            /** From the message to the answer, over those within 72 hours; null when nobody answered. */ median_answer_minutes: number | null;
        };
        /** What each follow-up did. */ FollowupResults: components["schemas"]["FollowupResult"][];
        /** What goes out in the next hours while nobody writes. */ Forecast: {
            /** From when. */ now: string;
            /** Until when. */ until: string;
            /** The soonest messages, 500 at most. */ items: components["schemas"]["ForecastItem"][];
            /** For how many leads automation waits, by state. */ waiting: {
                /** The state of LeadAutomation. */ state: string;
                /** How many leads. */ count: number;
            }[];
            /** How many leave in each hour of UTC. */ by_hour: {
                /** When the hour begins. */ hour: string;
                /** How many leave in it. */ count: number;
            }[];
            /** How many leave altogether. */ total: number;
        };
        /** A message that leaves by itself while nobody writes. */ ForecastItem: {
            /** When. */ at: string;
            /** What kind it is. */ kind: "reply" | "manual" | "followup" | "reminder" | "bulk";
            /** To whom; null for a digest of several. */ lead: {
                /** The lead's id. */ id: string;
                /** The person's name. */ name: string | null;
            } | null;
            /** The follow-up; null for what is none. */ step: components["schemas"]["StepRef"] | null;
            /** How the message begins, with its placeholders filled. */ preview: string;
        };
        /** How far the leads of a period came. */ FunnelStep: {
            /** The stage. */ stage_id: string;
            /** Its name. */ name: string;
            /** Its place. */ order: number;
            /** Leads that are in it now. */ current: number;
            /** Leads whose furthest stage is this one or beyond. */ reached: number;
            /** Percent of these that reached the next; null for the last, or when there are none. */ next_rate: number | null;
            /** Percent of the first stage's; null when there are none. */ cumulative_rate: number | null;
            /** How long leads stay in it. */ median_hours_in_stage: number | null;
        };
        /** What an import did, or would do. Rows count from 1, the header being row 1. */ ImportResult: {
            /** Rows whose person was found. */ matched: number;
            /** Rows that changed something. */ changed: number;
            /** The first rows that change nobody, each with the reason. */ unmatched: {
                /** The row. */ row: number;
                /** The reason. */ words: string;
            }[];
            /** How many such rows there are. */ unmatched_total: number;
            /** The first values that are another than before. */ changes: {
                /** The row. */ row: number;
                /** The lead's id and name. */ lead: {
                    /** The lead's id. */ id: string;
                    /** The person's name. */ name: string | null;
                };
                /** What changed. */ target: string;
                /** Its value before. */ before: (string | number | string[]) | null;
                /** Its value now. */ after: (string | number | string[]) | null;
            }[];
        };
        /** How much is to be done. */ InboxCounts: {
            /** How many people wait for an answer. */ waiting: number;
            /** How many conversations hold something that was not read. */ unread: number;
        };
        /** A conversation in the list. */ InboxItem: {
            /** Who. */ lead: {
                /** The lead's id. */ id: string;
                /** The person's name. */ name: string | null;
                /** The person's username, without @. */ username: string | null;
                /** The stage that the lead is in. */ stage_id: string | null;
            };
            /** The last words of the conversation, the first 300 characters. */ last: {
                /** The words. */ text: string;
                /** `in`: theirs; `out`: ours. */ direction: "in" | "out";
                /** What kind of message it is. */ kind: "text" | "photo" | "video" | "voice" | "audio" | "document" | "sticker" | "other";
                /** When. */ at: string;
            } | null;
            /** Since when the person waits for an answer; null when nobody waits. */ waiting_since: string | null;
            /** How many messages were not read. */ unread: number;
        };
        /** A page of conversations. */ InboxPage: {
            /** The conversations. */ items: components["schemas"]["InboxItem"][];
            /** The `before` of the next page; null on the last. */ next: string | null;
        };
        /** A message after which the lead would stand elsewhere. */ KeywordChange: {
            /** The lead. */ lead_id: string;
            /** The person's name. */ name: string | null;
            /** When it was written. */ at: string;
            /** The text around the word, 160 characters at most. */ excerpt: string;
            /** Where the word stands in the excerpt. */ matched: {
                /** Where it begins, in UTF-16 units. */ start: number;
                /** How long it is, in UTF-16 units. */ length: number;
            } | null;
            /** The word that decides, without quotes. */ keyword: string;
            /** The stage where the lead stood. */ from: string | null;
            /** The stage where the saved words leave it. */ before: string | null;
            /** The stage where the edited words leave it. */ after: string | null;
        };
        /** Two keywords of different stages that meet. */ KeywordOverlap: {
            /** The one. */ keyword: string;
            /** Its stage. */ stage: string;
            /** The other. */ other: string;
            /** Its stage. */ other_stage: string;
            /** `same`, or `contains`: the first holds the other. */ kind: "same" | "contains";
        };
        /** What edited words would have done. */ KeywordPreview: {
            /** How many messages were looked at. */ scanned: number;
            /** Since when: later than asked for where there are very many. */ since: string | null;
            /** Stage moves by the saved words. */ before: number;
            /** Stage moves by the edited words. */ after: number;
            /** Messages that would end elsewhere, newest first. */ changes: components["schemas"]["KeywordChange"][];
            /** How many there are. */ changes_total: number;
            /** Keywords that stand in each other's way. */ overlaps: components["schemas"]["KeywordOverlap"][];
            /** How many there are. */ overlaps_total: number;
            /** What should be known of single keywords. */ warnings: components["schemas"]["KeywordWarning"][];
        };
        /** Stages to try on the messages of the last days. */ KeywordPreviewOrder: {
            /** All stages as they would be saved. */ stages: components["schemas"]["StageDraft"][];
            /** How far back messages are looked at. */ days?: number;
        };
        /** Something that should be known of a keyword. */ KeywordWarning: {
            /** The keyword. */ keyword: string;
            /** Its stage. */ stage: string;
            /** What it is. */ code: "ignored" | "short" | "inside_words" | "mixed_scripts";
            /** The same in one sentence. */ words: string;
        };
        /** A person who wrote to the connected account. */ Lead: {
            /** The lead's id. */ id: string;
            /** The person's id at Telegram. */ telegram_user_id: (string | number) | null;
            /** The person's name at Telegram. */ name: string | null;
            /** The person's username, without @. */ username: string | null;
            /** The stage that the lead is in. */ stage_id: string | null;
            /** What the seller noted. */ notes: string | null;
            /** When the conversation became a lead. */ created_at: string | null;
            /** How many follow-ups of its stage the lead has got. */ followup_order_sent: number;
            /** When the last follow-up left. */ last_followup_sent_at: string | null;
            /** When the person last wrote. */ last_user_message_at: string | null;
            /** When anybody last wrote. */ last_message_at: string | null;
            /** When the person asked for no more messages; null when they did not. */ opted_out_at?: string | null;
            /** The tags that the lead carries. */ tags?: components["schemas"]["LeadTag"][];
            /** Values of your own fields, by the field's id. */ fields?: { [key: string]: components["schemas"]["FieldValue"]; };
            /** Since when the person waits for an answer; null when nobody waits. */ waiting_since?: string | null;
            /** The newest words of the conversation, the first 120 characters; in a list only when it is included. */ last_message?: {
                /** The words; empty where none were sent. */ text: string;
                /** `in`: theirs; `out`: ours. */ direction: "in" | "out";
                /** What kind of message it is. */ kind: "text" | "photo" | "video" | "voice" | "audio" | "document" | "sticker" | "other";
                /** When. */ at: string;
            } | null;
            /** When it came into its stage; only in a list ordered by it. */ stage_entered_at?: string | null;
            /** Where the search stands in this lead; only in a list that was searched. */ match?: components["schemas"]["LeadMatch"] | null;
        };
        /** What happens to a lead next by itself. */ LeadAutomation: {
            /** What the lead's automation is doing. */ state: "no_steps" | "finished" | "opted_out" | "unreachable" | "held" | "answered" | "no_subscription" | "not_connected" | "automation_off" | "account_stopped" | "overdue_unconfirmed" | "account_paused" | "waiting_for_hours" | "waiting_after_bulk" | "waiting_for_limit" | "scheduled";
            /** When the step leaves as things stand; null where that depends on a person. */ due_at: string | null;
            /** The step that is next. */ step: components["schemas"]["StepRef"] | null;
            /** What happens next and who must act, in one sentence. */ words: string;
        };
        /** What to do with a lead's automation. */ LeadAutomationOrder: {
            /** `skip`: the next step never goes out in this stage entry; `hold`: nothing goes out; `resume`: ends a hold, and takes back an opt-out. */ action: "skip" | "hold" | "resume";
            /** Until when to hold; without it until resumed. */ until?: string | null;
        };
        /** A lead with what its own page shows. */ LeadDetail: {
            /** The lead's id. */ id: string;
            /** The person's id at Telegram. */ telegram_user_id: (string | number) | null;
            /** The person's name at Telegram. */ name: string | null;
            /** The person's username, without @. */ username: string | null;
            /** The stage that the lead is in. */ stage_id: string | null;
            /** What the seller noted. */ notes: string | null;
            /** When the conversation became a lead. */ created_at: string | null;
            /** How many follow-ups of its stage the lead has got. */ followup_order_sent: number;
            /** When the last follow-up left. */ last_followup_sent_at: string | null;
            /** When the person last wrote. */ last_user_message_at: string | null;
            /** When anybody last wrote. */ last_message_at: string | null;
            /** When the person asked for no more messages; null when they did not. */ opted_out_at: string | null;
            /** The tags that the lead carries. */ tags: components["schemas"]["LeadTag"][];
            /** Values of your own fields, by the field's id. */ fields: { [key: string]: components["schemas"]["FieldValue"]; };
            /** Since when the person waits for an answer; null when nobody waits. */ waiting_since: string | null;
            /** The newest words of the conversation, the first 120 characters; in a list only when it is included. */ last_message?: {
                /** The words; empty where none were sent. */ text: string;
                /** `in`: theirs; `out`: ours. */ direction: "in" | "out";
                /** What kind of message it is. */ kind: "text" | "photo" | "video" | "voice" | "audio" | "document" | "sticker" | "other";
                /** When. */ at: string;
            } | null;
            /** When it came into its stage. */ stage_entered_at: string | null;
            /** Where the search stands in this lead; only in a list that was searched. */ match?: components["schemas"]["LeadMatch"] | null;
            /** Telegram's name of why messages to the person are refused; null while they are not. */ unreachable_reason: string | null;
            /** How many messages were not read. */ unread: number;
            /** What happens next by itself, as GET /api/leads/{id}/automation answers it. */ automation: ({
                /** What the lead's automation is doing. */ state: string;
            } & { [key: string]: unknown; }) | null;
            /** What stands unsent in the composer, whoever wrote it. */ draft: string | null;
        };
        /** A lead's values of your own fields. */ LeadFieldValues: {
            /** Values by the fields' ids. */ fields: { [key: string]: components["schemas"]["FieldValue"]; };
        };
        /** Values by the fields' ids; null takes one away, what is not named stays. */ LeadFieldsPatch: { [key: string]: components["schemas"]["FieldValue"]; };
        /** Where a search stands in a lead. */ LeadMatch: {
            /** What it was found in. */ where: "name" | "username" | "notes" | "message";
            /** The text around it. */ text: string;
            /** Where it begins in the text, in UTF-16 units. */ start: number;
            /** How long it is, in UTF-16 units. */ length: number;
            /** The message's id where it is one. */ message_id: string | null;
        };
        /** Notes, one more note, the draft of an answer, or another stage. */ LeadPatch: {
            /** What is noted; null takes it away. */ notes: string | null;
        } | {
            /** What is added below the notes that stand there. */ add_note: string;
        } | {
            /** What stands unsent in the composer; null takes it away. */ draft: string | null;
        } | {
            /** The stage that the lead moves to. */ stage_id: string;
            /** A move starts the stage's follow-ups anew, whether this is given or not. */ followup_order_sent?: 0;
            /** As followup_order_sent. */ last_followup_sent_at?: null;
            /** As followup_order_sent. */ last_user_message_at?: null;
        };
        /** A tag as a lead carries it. */ LeadTag: {
            /** The tag's id. */ id: string;
            /** Its name. */ name: string;
            /** Its colour, such as #1f8a4c. */ color: string;
        };
        /** The tags that a lead carries from now on. */ LeadTags: {
            /** The tags' ids; none takes all away. */ tag_ids: string[];
        };
        /** A page of leads. */ LeadsPage: {
            /** The leads. */ leads: components["schemas"]["Lead"][];
            /** How many match over all pages. */ total: number;
        };
        /** A message that was planned, and what became of it. */ LedgerItem: {
            /** The item's id. */ id: string;
            /** What kind it is. */ kind: "manual" | "reply" | "followup" | "bulk" | "reminder";
            /** To whom; null for a digest of reminders, and once the lead is gone. */ lead: {
                /** The lead's id. */ id: string;
                /** The person's name. */ name: string | null;
            } | null;
            /** The follow-up. */ step: components["schemas"]["StepRef"] | null;
            /** How the message begins, 200 characters at most. */ excerpt: string | null;
            /** What became of it. */ state: "pending" | "sending" | "sent" | "skipped" | "failed" | "unknown" | "cancelled" | "would_send";
            /** Telegram's or our own name of the cause. */ reason: string | null;
            /** What happened, in one sentence. */ words: string;
            /** How often it was tried. */ attempts: number;
            /** The number by which Telegram knows a repeat. */ random_id: string | null;
            /** Telegram's id; null until it is sent. */ message_id: number | null;
            /** When it was planned. */ planned_at: string;
            /** Of one that waits: it does not leave before this. */ not_before: string | null;
            /** When it was last tried. */ tried_at: string | null;
            /** When it was settled. */ settled_at: string | null;
            /** Who or what caused it. */ by: components["schemas"]["Doer"] | null;
        };
        /** A page of the ledger, newest first. */ LedgerPage: {
            /** The messages. */ items: components["schemas"]["LedgerItem"][];
            /** The `before` of the next page; null on the last. */ next: string | null;
        };
        /** A login's outcome. */ LoginOutcome: {
            /** Whether the account is connected. */ success: true;
            /** Its number. */ phone: string | null;
        } | {
            /** The account wants its two-step password. */ "2fa_required": true;
            /** The hint of that password. */ hint: string | null;
        };
        /** The word by which a stage was recognised. */ MatchedKeyword: {
            /** The keyword, without quotes. */ keyword: string;
            /** Where it begins in the text, in UTF-16 units. */ start: number;
            /** How long it is, in UTF-16 units. */ length: number;
            /** The stage. */ stage_id: string;
        };
        /** A message of a conversation. */ Message: {
            /** Our id of it, which stays. */ id: string;
            /** Telegram's id; null until it is sent. */ message_id: number | null;
            /** `in`: theirs; `out`: ours. */ direction: "in" | "out";
            /** What kind of message it is. */ kind: "text" | "photo" | "video" | "voice" | "audio" | "document" | "sticker" | "other";
            /** The text, or a file's caption. */ text: string;
            /** When it was written or planned. */ at: string;
            /** When it was last edited. */ edited_at: string | null;
            /** When it was deleted. */ deleted_at: string | null;
            /** Who or what wrote it; `telegram` is the seller's own other device. */ source: "them" | "reply" | "followup" | "bulk" | "telegram";
            /** What became of it. */ state: "received" | "pending" | "sending" | "sent" | "failed" | "unknown";
            /** Of one that failed or still waits: Telegram's name of the cause. */ reason: string | null;
            /** Its file. */ media: components["schemas"]["MessageMedia"] | null;
            /** The word that moved the lead. */ matched: components["schemas"]["MatchedKeyword"] | null;
        };
        /** A file of a message. */ MessageMedia: {
            /** A signed link that ends within 24 hours. */ url: string;
            /** A tiny picture as a data URL. */ preview: string | null;
            /** Pixels. */ width: number | null;
            /** Pixels. */ height: number | null;
            /** How long it plays. */ seconds: number | null;
            /** Bytes. */ size: number | null;
            /** The file's name. */ name: string | null;
        };
        /** A page of a conversation, newest first. */ MessagesPage: {
            /** The messages. */ messages: components["schemas"]["Message"][];
            /** The `before` of the next page; null on the last. */ next: string | null;
        };
        /** A new key: the only answer that holds its secret. */ NewApiKey: {
            /** The key's id. */ id: string;
            /** What it was called. */ name: string;
            /** What it may do. */ scopes: ("read" | "write" | "send")[];
            /** How its secret ends. */ hint: string;
            /** When it was made. */ created_at: string;
            /** When it was last used, right to the minute; null before. */ last_used_at: string | null;
            /** What to send as Bearer. Keep it. */ secret: string;
        };
        /** Whom to write to after all. */ OverdueConfirm: {
            /** The leads; without them every one of the list. */ lead_ids?: string[];
        };
        /** Leads whose step was overdue by more than a day when automation could first send it, the most overdue first. */ OverdueFollowups: {
            /** How many there are. */ total: number;
            /** The first of them. */ leads: {
                /** The lead. */ lead_id: string;
                /** The person's name. */ name: string | null;
                /** The follow-up. */ followup_id: string;
                /** When it was due. */ due_at: string;
            }[];
        };
        /** What was planned. */ OverduePlanned: {
            /** How many messages. */ planned: number;
        };
        /** What a bulk message would do if it were started now. */ Preflight: {
            /** How many leads it names. */ targets: number;
            /** How many of them can be written to. */ reachable: number;
            /** Who is skipped, each under the first reason that holds. */ skipped: {
                /** The reason's name. */ reason: string;
                /** The reason in words. */ words: string;
                /** How many. */ count: number;
            }[];
            /** Reachable people who count toward the daily limit. */ cold: number;
            /** How much of the daily limit is left. */ cold_left_today: number;
            /** When it would begin; null where it could not run to its end. */ starts_at: string | null;
            /** When it would end; null where it could not run to its end. */ finishes_at: string | null;
            /** Targets whose reachability Telegram was not asked about of late. */ unchecked: number;
        };
        /** A bulk message to exactly these leads, to look at before it is sent. */ PreflightOfLeads: {
            /** The leads, 5,000 at most; those that are nobody's or somebody else's count as none. */ lead_ids: string[];
            /** Seconds from one message to the next, 0.1 to 10. */ throttle?: number;
            /** How many characters the message has. */ message_length?: number;
        };
        /** A refusal: what happened and what to do. */ Problem: {
            /** For a person to read. */ message: string;
            /** For a program to read; it does not change. */ code: string;
            /** Of a request that cannot be taken: what is wrong with which field. */ fields?: { [key: string]: string; };
        };
        /** What the QR code says now. */ QrCode: {
            /** Its text; null once the password is asked for. */ qr_url: string | null;
            /** When it ends. */ expires_at?: string;
        };
        /** How long to wait for the scan. */ QrComplete: {
            /** Seconds. */ timeout_sec?: number;
        };
        /** How far the conversation was read. */ ReadUpTo: {
            /** The id of the last message read. */ up_to: string | number;
        };
        /** A rule that tells a channel of leads who are stuck in a stage. */ Reminder: {
            /** The rule's id. */ id: string;
            /** Always `stuck`. */ type: string;
            /** The name of the stage to watch. */ stage: string | null;
            /** Days in the stage after which a lead counts as stuck. */ delay_days: number;
            /** Where the reminder is posted: @channel_name, a channel's id such as -1001234567890, or me. */ channel_id: (string | number) | null;
            /** The text. {name}, {username}, {stage}, {days} and {link} are filled in. */ template: string | null;
            /** Whether it works. */ is_enabled: boolean;
            /** Why it rests, in words; null while it works. */ disabled_reason: string | null;
        };
        /** A reminder rule to add. */ ReminderCreate: {
            /** Always `stuck`. */ type?: "stuck";
            /** The name of the stage to watch. */ stage: string;
            /** Days in the stage after which a lead counts as stuck. */ delay_days?: number;
            /** Where the reminder is posted: @channel_name, a channel's id such as -1001234567890, or me. */ channel_id: string;
            /** The text. {name}, {username}, {stage}, {days} and {link} are filled in. */ template: string;
        };
        /** All reminder rules. */ ReminderList: components["schemas"]["Reminder"][];
        /** Switches a rule. */ ReminderPatch: {
            /** Whether it works. */ is_enabled: boolean;
        };
        /** What was deleted is gone. */ Removed: {
            /** Always true. */ success: true;
            /** From how many leads it was taken. */ leads?: number;
        };
        /** A stage as it was saved. */ SavedStage: {
            /** The stage's id. */ id: string;
            /** Its name. */ name: string | null;
            /** Its colour, such as #1f8a4c. */ color: string;
            /** Its place, from 1. */ order: number | null;
            /** Words that bring a lead here when the person writes one. In quotes a phrase must stand as a whole word. */ keywords: string[];
            /** Keywords that will never match, in words. */ warnings?: string[];
        };
        /** The phone to log in. */ SendCode: {
            /** In international form. */ phone: string;
        };
        /** What was chosen for automation and for all conversations. */ Settings: {
            /** Whose hours the allowed hours are, as an IANA name; null is UTC. */ time_zone: string | null;
            /** ISO numbers of the days on which automation may write, 1 is Monday. */ weekdays: number[];
            /** Automatic messages are decided and written to the ledger, and none leaves. */ dry_run: boolean;
            /** People see that their messages were read before they are answered. */ read_receipts: boolean;
            /** Who writes one of these as a whole message gets no automatic or bulk message any more. */ opt_out_words: string[];
            /** People in the account's contacts become no leads. */ exclude_contacts: boolean;
            /** The language of the screens. */ language: string;
        };
        /** What changes of the settings. */ SettingsPatch: {
            /** Whose hours the allowed hours are, as an IANA name; null is UTC. */ time_zone?: string | null;
            /** ISO numbers of the days on which automation may write, 1 is Monday. */ weekdays?: number[];
            /** Automatic messages are decided and written to the ledger, and none leaves. */ dry_run?: boolean;
            /** People see that their messages were read before they are answered. */ read_receipts?: boolean;
            /** Who writes one of these as a whole message gets no automatic or bulk message any more. */ opt_out_words?: string[];
            /** People in the account's contacts become no leads. */ exclude_contacts?: boolean;
            /** The language of the screens. */ language?: "en";
        };
        /** A text kept for answering. Placeholders such as {first_name|friend} are filled where it is used. */ Snippet: {
            /** The snippet's id. */ id: string;
            /** By which it is found. */ title: string;
            /** The text. */ text: string;
            /** Its picture or video. */ media: components["schemas"]["MessageMedia"] | null;
        };
        /** All snippets, by title. */ SnippetList: components["schemas"]["Snippet"][];
        /** A step of the way from the first word to the sale. */ Stage: {
            /** The stage's id. */ id: string;
            /** Its name. */ name: string | null;
            /** Its colour, such as #1f8a4c. */ color: string;
            /** Its place, from 1. */ order: number | null;
            /** Words that bring a lead here when the person writes one. In quotes a phrase must stand as a whole word. */ keywords: string[];
        };
        /** A stage to add. */ StageCreate: {
            /** Its name. */ name: string;
            /** Words that bring a lead here when the person writes one. In quotes a phrase must stand as a whole word. */ keywords: string[];
            /** Its place, from 1. */ order?: number;
            /** Its colour, such as #1f8a4c. */ color?: string;
        };
        /** A stage as it would be saved. */ StageDraft: {
            /** The stage's id; absent before it is saved. */ id?: string;
            /** Its name. */ name: string;
            /** Words that bring a lead here when the person writes one. In quotes a phrase must stand as a whole word. */ keywords: string[];
            /** Its place, from 1. */ order: number;
        };
        /** The stages in their order. */ StageList: components["schemas"]["Stage"][];
        /** The whole stage as it shall be, or only its order. */ StagePatch: {
            /** Its name. */ name: string;
            /** Words that bring a lead here when the person writes one. In quotes a phrase must stand as a whole word. */ keywords: string[];
            /** Its place, from 1. */ order: number;
            /** Its colour, such as #1f8a4c. */ color: string;
        } | {
            /** Its place, from 1. */ order: number;
        };
        /** Leads of a period in one stage. */ StageShare: {
            /** The stage. */ stage_id: (string | number) | null;
            /** How many leads. */ count: number;
            /** What their value field sums up to; absent where no field is the value. */ value?: number;
        };
        /** New leads of a period. */ StatsTotal: {
            /** How many. */ total: number;
        };
        /** A follow-up as stories and lists name it. */ StepRef: {
            /** The follow-up's id. */ id: string;
            /** Its place in its stage, from 0; null once it is deleted. */ order: number | null;
            /** How its message begins. */ preview: string;
        };
        /** Something that happened to a lead. Which fields it has follows from its type. */ StoryItem: {
            /** The item's id. */ id: string;
            /** When. */ at: string;
            /** What: entered, stage_moved, sent, held, resumed, skipped, opted_out, excluded, note_changed, tags_changed or fields_changed. */ type: string;
            /** Who or what did it. */ by: components["schemas"]["Doer"];
            /** The stage before. */ from?: string | null;
            /** The stage after. */ to?: string | null;
            /** The word that moved the lead. */ keyword?: string | null;
            /** Telegram's id of the message. */ message_id?: number | null;
            /** What moved the lead, or Telegram's name of a refusal. */ reason?: string | null;
            /** Of a send: what kind it is. */ kind?: string | null;
            /** Of a send: what became of it. */ state?: string | null;
            /** Of a send: the follow-up. */ step?: components["schemas"]["StepRef"] | null;
            /** What happened, in one sentence. */ words?: string | null;
        } & { [key: string]: unknown; };
        /** A page of a lead's story, newest first. */ StoryPage: {
            /** What happened. */ items: components["schemas"]["StoryItem"][];
            /** The `before` of the next page; null on the last. */ next: string | null;
        };
        /** A mark that leads carry. */ Tag: {
            /** The tag's id. */ id: string;
            /** Its name. */ name: string;
            /** Its colour, such as #1f8a4c. */ color: string;
            /** How many leads carry it. */ leads: number;
        };
        /** A tag to add. */ TagCreate: {
            /** Its name. */ name: string;
            /** Its colour, such as #1f8a4c. */ color?: string;
        };
        /** All tags. */ TagList: components["schemas"]["Tag"][];
        /** What changes of a tag. */ TagPatch: {
            /** Its name. */ name?: string;
            /** Its colour, such as #1f8a4c. */ color?: string;
        };
        /** The health of the connected account. */ TelegramAccount: {
            /** Whether an account is connected. */ connected: boolean;
            /** Its number. */ phone: string | null;
            /** Since when. */ connected_at: string | null;
            /** When Telegram was last heard. */ last_activity_at: string | null;
            /** Until when Telegram asks to wait. */ paused_until: string | null;
            /** Why. */ paused_reason: string | null;
            /** While Telegram's spam limit rests all automated sends: what it said. */ stopped_reason: string | null;
            /** Since when Telegram cannot be reached for it, when that lasts for a minute or longer. */ unusable_since?: string | null;
            /** The device's name at Telegram. */ device: string | null;
            /** How many people may be written to out of the blue each day. */ daily_cap: number;
            /** How many were today. */ sent_today: number;
            /** While not connected: why the last session ended, when the person did not end it. */ ended_reason?: string | null;
            /** While not connected: when the last session ended, when the user did not end it. */ ended_at?: string | null;
        };
        /** What changes of the account. */ TelegramAccountPatch: {
            /** How many people may be written to out of the blue each day. */ daily_cap: number;
        };
        /** Whether a Telegram account is connected. */ TelegramStatus: {
            /** Whether. */ connected: boolean;
            /** Its number. */ phone?: string | null;
        };
        /** What is left to read. */ UnreadLeft: {
            /** How many messages were not read. */ unread: number;
        };
        /** Whether and when automation writes. */ UserSettings: {
            /** Whether follow-ups go out by themselves. */ auto_followups_enabled: boolean;
            /** The first hour in which they may. */ auto_followup_start_hour: number;
            /** The hour at which they may no more. */ auto_followup_end_hour: number;
        };
        /** Whether and when automation shall write. */ UserSettingsUpdate: {
            /** Whether follow-ups go out by themselves. */ auto_followups_enabled: boolean;
            /** The first hour in which they may. */ auto_followup_start_hour: number;
            /** The hour at which they may no more. */ auto_followup_end_hour: number;
        };
        /** The code that Telegram sent. */ VerifyCode: {
            /** As for the code. */ phone: string;
            /** The code. */ code: string;
        };
        /** The two-step password. */ VerifyPassword: {
            /** The password. */ password: string;
        };
        /** A saved view of the leads. */ View: {
            /** The view's id. */ id: string;
            /** Its name. */ name: string;
            /** A list or a board. */ kind: "list" | "board";
            /** The list's filters and sort, such as q=price&sort=-created_at. */ query: string;
            /** The columns to show, in their order; none for the list's own. */ columns: string[];
        };
        /** A view to save. */ ViewCreate: {
            /** Its name. */ name: string;
            /** A list or a board. */ kind?: "list" | "board";
            /** The list's filters and sort, such as q=price&sort=-created_at. */ query?: string;
            /** The columns to show, in their order; none for the list's own. */ columns?: string[];
        };
        /** All saved views. */ ViewList: components["schemas"]["View"][];
        /** What changes of a view. */ ViewPatch: {
            /** Its name. */ name?: string;
            /** A list or a board. */ kind?: "list" | "board";
            /** The list's filters and sort, such as q=price&sort=-created_at. */ query?: string;
            /** The columns to show, in their order; none for the list's own. */ columns?: string[];
        };
        /** Whether the person waits for an answer. */ Waiting: {
            /** Since when; null when the person does not wait. */ waiting_since: string | null;
        };
        /** An address that is told of what happens. */ Webhook: {
            /** The webhook's id. */ id: string;
            /** Where events are sent: https, and a public address. Redirects are not followed. */ url: string;
            /** What it is told of. */ events: ("lead.created" | "lead.stage_changed" | "lead.opted_out" | "message.received" | "message.sent" | "followup.sent" | "bulk.finished" | "account.disconnected")[];
            /** Whether it is told. What happens meanwhile is not kept for it. */ enabled: boolean;
            /** Why it was switched off by itself, in words; null while it was not. */ disabled_reason: string | null;
            /** When it was made. */ created_at: string;
        };
        /** A webhook to add. */ WebhookCreate: {
            /** Where events are sent: https, and a public address. Redirects are not followed. */ url: string;
            /** What it is told of. */ events: ("lead.created" | "lead.stage_changed" | "lead.opted_out" | "message.received" | "message.sent" | "followup.sent" | "bulk.finished" | "account.disconnected")[];
            /** Whether it is told. What happens meanwhile is not kept for it. */ enabled?: boolean;
        };
        /** One event on its way to one webhook. */ WebhookDelivery: {
            /** The delivery's id. */ id: string;
            /** What happened. */ event: string;
            /** The header `webhook-id`: the same at every try and replay. */ event_id: string;
            /** When it happened. */ at: string;
            /** `failed` ones are tried again, for three days; then they are `given_up`. Without a subscription deliveries wait at most 7 days. */ state: "pending" | "delivered" | "failed" | "given_up";
            /** How often it was tried. */ attempts: number;
            /** When it is tried again. */ next_try_at: string | null;
            /** The last HTTP answer. */ status: number | null;
            /** What went wrong, in words. */ error: string | null;
            /** The JSON text as it is sent. */ body: string;
            /** The delivery that this one repeats. */ replay_of: string | null;
        };
        /** All webhooks. */ WebhookList: components["schemas"]["Webhook"][];
        /** A new webhook: the only answer that holds its secret. */ WebhookMade: {
            /** The webhook's id. */ id: string;
            /** Where events are sent: https, and a public address. Redirects are not followed. */ url: string;
            /** What it is told of. */ events: ("lead.created" | "lead.stage_changed" | "lead.opted_out" | "message.received" | "message.sent" | "followup.sent" | "bulk.finished" | "account.disconnected")[];
            /** Whether it is told. What happens meanwhile is not kept for it. */ enabled: boolean;
            /** Why it was switched off by itself, in words; null while it was not. */ disabled_reason: string | null;
            /** When it was made. */ created_at: string;
            /** By which receivers verify signatures, after Standard Webhooks (`whsec_…`). Keep it. */ secret: string;
        };
        /** What changes of a webhook. */ WebhookPatch: {
            /** Where events are sent: https, and a public address. Redirects are not followed. */ url?: string;
            /** What it is told of. */ events?: ("lead.created" | "lead.stage_changed" | "lead.opted_out" | "message.received" | "message.sent" | "followup.sent" | "bulk.finished" | "account.disconnected")[];
            /** Whether it is told. What happens meanwhile is not kept for it. */ enabled?: boolean;
        };
        /** One change, as the stream tells it. */ LiveEvent: {
            /** What the line `event` says. */ event: "lead.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** The lead's id. */ id?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "leads.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "message.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** The lead. */ lead_id?: string | null;
                /** The message's id, where it is one. */ id?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "inbox.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "bulk.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** The job. */ job_id?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "batch.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** The job. */ id?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "ledger.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "telegram.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "telegram.qr";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** Its text. */ qr_url?: string | null;
                /** When it ends. */ expires_at?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "subscription.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** Its status; null when there is none. */ status?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "tags.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "fields.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "views.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        } | {
            /** What the line `event` says. */ event: "webhook.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: {
                /** The webhook's id. */ id?: string | null;
            };
        } | {
            /** What the line `event` says. */ event: "exclusions.changed";
            /** The JSON of the line `data`; empty where any of them may have changed. */ data: Record<string, never>;
        };
    };
    responses: {
        /** Cannot be read. `bad_request`: The request could not be read: send valid JSON. */ Refused400: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "bad_request"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not signed in. `unauthorized`: Sign in, or send a key as Bearer. `token_expired`: The session's token ran out: refresh it. `session_not_found`: The session has ended: sign in again. `bad_jwt`: The token is none of ours. */ Refused401: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "unauthorized" | "token_expired" | "session_not_found" | "bad_jwt"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not signed in. `unauthorized`: Sign in, or send a key as Bearer. `token_expired`: The session's token ran out: refresh it. `session_not_found`: The session has ended: sign in again. `bad_jwt`: The token is none of ours. `key_needed`: Only a key opens this door. */ Refused401KeyNeeded: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "unauthorized" | "token_expired" | "session_not_found" | "bad_jwt" | "key_needed"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not subscribed. `subscription_required`: The account has no active subscription. */ Refused402: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "subscription_required"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not with this key. `missing_scope`: The key lacks the scope that this call needs. */ Refused403: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "missing_scope"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not with this key. `key_not_accepted`: This call takes no key: sign in in the browser. */ Refused403KeyNotAccepted: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "key_not_accepted"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not with this key. `missing_scope`: The key lacks the scope that this call needs. `wrong_address`: A page of another address calls, or the server is not known by the name that it was called by. */ Refused403WrongAddress: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "missing_scope" | "wrong_address"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Nothing there. `not_found`: There is nothing under that address, or it is somebody else's. */ Refused404: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "not_found"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Took too long. `qr_expired`: The QR code was not scanned in time. */ Refused408QrExpired: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "qr_expired"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. */ Refused409: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `account_in_use`: The Telegram account is connected to another account here. `other_login`: Another login is under way. */ Refused409AccountInUseOtherLogin: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "account_in_use" | "other_login"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `account_not_empty`: An export is brought into an account in which nothing was done yet. `telegram_connected`: Telegram is connected to the account: disconnect it first. */ Refused409AccountNotEmptyTelegramConnected: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "account_not_empty" | "telegram_connected"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `batch_running`: Another action on many leads is under way. */ Refused409BatchRunning: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "batch_running"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `being_erased`: What was stored is being erased: try again in a minute. */ Refused409BeingErased: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "being_erased"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `checkout_open`: The checkout was not paid. */ Refused409CheckoutOpen: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "checkout_open"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `duplicate_order`: The stage has a follow-up with that order. */ Refused409DuplicateOrder: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "duplicate_order"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `field_name_taken`: Another field has that name. `option_in_use`: Leads hold a removed option: say where they go. */ Refused409FieldNameTakenOptionInUse: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "field_name_taken" | "option_in_use"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `field_name_taken`: Another field has that name. `too_many_fields`: There are as many fields as there may be. */ Refused409FieldNameTakenTooManyFields: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "field_name_taken" | "too_many_fields"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `fields_changed`: Your fields changed meanwhile: send the file again. `too_many_tags`: There are as many tags as there may be. */ Refused409FieldsChangedTooManyTags: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "fields_changed" | "too_many_tags"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `last_stage_in_use`: Leads stand in the last stage. */ Refused409LastStageInUse: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "last_stage_in_use"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `no_customer`: There is nothing to manage yet: subscribe first. */ Refused409NoCustomer: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "no_customer"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `no_step_left`: The lead has no follow-up left in its stage. `being_sent`: It is being sent right now. */ Refused409NoStepLeftBeingSent: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "no_step_left" | "being_sent"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `not_connected`: No Telegram account is connected. */ Refused409NotConnected: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "not_connected"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `not_connected`: No Telegram account is connected. `import_running`: Chats are being imported already. */ Refused409NotConnectedImportRunning: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "not_connected" | "import_running"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `not_connected`: No Telegram account is connected. `media_full`: The account's files take up as much as they may. */ Refused409NotConnectedMediaFull: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "not_connected" | "media_full"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `not_connected`: No Telegram account is connected. `no_step_left`: The lead has no follow-up left in its stage. */ Refused409NotConnectedNoStepLeft: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "not_connected" | "no_step_left"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `not_connected`: No Telegram account is connected. `resume_too_early`: Telegram's limit is too young to resume. */ Refused409NotConnectedResumeTooEarly: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "not_connected" | "resume_too_early"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `stage_name_taken`: Another stage has that name. */ Refused409StageNameTaken: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "stage_name_taken"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `stage_name_taken`: Another stage has that name. `too_many_stages`: There are as many stages as there may be. */ Refused409StageNameTakenTooManyStages: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "stage_name_taken" | "too_many_stages"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `tag_name_taken`: Another tag has that name. */ Refused409TagNameTaken: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "tag_name_taken"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `tag_name_taken`: Another tag has that name. `too_many_tags`: There are as many tags as there may be. */ Refused409TagNameTakenTooManyTags: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "tag_name_taken" | "too_many_tags"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `too_many_followups`: There are as many follow-ups as there may be. */ Refused409TooManyFollowups: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "too_many_followups"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `too_many_keys`: There are as many keys as there may be. */ Refused409TooManyKeys: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "too_many_keys"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `too_many_reminders`: There are as many reminders as there may be. */ Refused409TooManyReminders: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "too_many_reminders"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `too_many_snippets`: There are as many snippets as there may be. `media_full`: The account's files take up as much as they may. */ Refused409TooManySnippetsMediaFull: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "too_many_snippets" | "media_full"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `too_many_webhooks`: There are as many webhooks as there may be. */ Refused409TooManyWebhooks: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "too_many_webhooks"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `undo_too_late`: It cannot be taken back any more. */ Refused409UndoTooLate: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "undo_too_late"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `undo_too_late`: It cannot be taken back any more. `batch_running`: Another action on many leads is under way. */ Refused409UndoTooLateBatchRunning: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "undo_too_late" | "batch_running"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `view_name_taken`: Another view has that name. */ Refused409ViewNameTaken: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "view_name_taken"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `view_name_taken`: Another view has that name. `too_many_views`: There are as many views as there may be. */ Refused409ViewNameTakenTooManyViews: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "view_name_taken" | "too_many_views"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `webhook_disabled`: The webhook is switched off: switch it on first. */ Refused409WebhookDisabled: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "webhook_disabled"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Changed meanwhile. `changed_meanwhile`: What is to be changed was changed by somebody else meanwhile: read it again. */ Refused412ChangedMeanwhile: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "changed_meanwhile"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too large. `too_large`: The body is larger than this call accepts. */ Refused413: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "too_large"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too large. `too_large`: The body is larger than this call accepts. `file_too_large`: The file is larger than this call accepts. */ Refused413FileTooLarge: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "too_large" | "file_too_large"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Of another type. `unsupported_media_type`: This call takes another content type, or no such file. */ Refused415: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "unsupported_media_type"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. */ Refused422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `key_reused`: The Idempotency-Key was used for another request. */ Refused422KeyReused: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "key_reused"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `key_reused`: The Idempotency-Key was used for another request. `channel_refused`: The channel does not take our messages. */ Refused422KeyReusedChannelRefused: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "key_reused" | "channel_refused"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `key_reused`: The Idempotency-Key was used for another request. `no_targets`: No lead is named by it. */ Refused422KeyReusedNoTargets: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "key_reused" | "no_targets"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `password_invalid`: The password is not right. */ Refused422PasswordInvalid: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "password_invalid"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `row_unreadable`: A row of the file cannot be read; `fields` names it. */ Refused422RowUnreadable: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "row_unreadable"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too often. `too_many_requests`: Too many calls in a short time. */ Refused429: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "too_many_requests"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too often. `too_many_requests`: Too many calls in a short time. `account_waits`: Telegram makes the account wait. */ Refused429AccountWaits: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "too_many_requests" | "account_waits"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too often. `too_many_requests`: Too many calls in a short time. `files_wait`: Telegram makes the account wait before more files are fetched. */ Refused429FilesWait: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "too_many_requests" | "files_wait"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Too often. `too_many_requests`: Too many calls in a short time. `phone_flood`: Telegram wants a day's rest for this phone. `too_many_codes`: Too many codes were asked for. */ Refused429PhoneFloodTooManyCodes: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "too_many_requests" | "phone_flood" | "too_many_codes"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Another's fault. `card_provider_answer`: The card provider gave an address that is not followed. */ Refused502CardProviderAnswer: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "card_provider_answer"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. */ Refused503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `card_provider_away`: The card provider does not answer. */ Refused503CardProviderAway: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "card_provider_away"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `file_away`: The file cannot be fetched from Telegram now. */ Refused503FileAway: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "file_away"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `outcome_unknown`: Whether it was sent is not known yet; the ledger will say. `not_sent`: Telegram could not be reached; nothing was sent. */ Refused503OutcomeUnknownNotSent: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "outcome_unknown" | "not_sent"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `subscription_not_ended`: The subscription could not be ended, so nothing was deleted. */ Refused503SubscriptionNotEnded: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "subscription_not_ended"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
    };
    parameters: {
        /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ IdempotencyKey: string;
        /** The SHA-256, in hex and in quotes, of the text that the new one was written over, of an empty text where there was none. Where another stands there by now, nothing is changed. */ IfMatch: string;
    };
    requestBodies: never;
    headers: {
        /** Seconds to wait before the next try. */ RetryAfter: number;
        /** What is left of the key's limit, and in how many seconds it is whole again. Only for callers with a key. */ RateLimit: string;
        /** The key's limit and its window. Only for callers with a key. */ RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listKeys: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["ApiKeyList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addKey: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ApiKeyCreate"]; }; };
        responses: {
            201: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["NewApiKey"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409TooManyKeys"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    revokeKey: {
        parameters: {
            path: {
                /** The id of the key. */ id: string;
            };
        };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** Part of the name. */ name?: string;
                /** Part of the username. */ username?: string;
                /** The stage that the lead is in. */ stage_id?: string;
                /** How many follow-ups of its stage the lead has got. */ followup_order_sent?: number;
                /** Became a lead at this time or later. */ created_start?: string;
                /** Became a lead at this time or earlier. */ created_end?: string;
                /** `true`: our words are the last; `false`: theirs are. */ awaiting_reply?: boolean;
                /** Found in names and usernames (any part), in notes and messages (whole words or their beginnings). */ q?: string;
                /** The tag's id; given several times, all of them must hold. */ tag?: string[];
                /** Whether the person wrote an opt-out word. */ opted_out?: boolean;
                /** Whether Telegram refuses messages to the person. */ unreachable?: boolean;
                /** How many leads. */ limit?: number;
                /** How many to pass over. */ offset?: number;
                /** `created_at`, `last_message_at`, `name`, `stage_entered_at` or `field.<id>`; `-` before it turns the order round. Newest first without it. */ sort?: string;
                /** `id` answers the leads' ids alone. */ fields?: "id";
                /** `last_message` adds the newest words of each conversation. */ include?: "last_message";
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LeadsPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readBoard: {
        parameters: {
            query?: {
                /** Part of the name. */ name?: string;
                /** Part of the username. */ username?: string;
                /** The stage that the lead is in. */ stage_id?: string;
                /** How many follow-ups of its stage the lead has got. */ followup_order_sent?: number;
                /** Became a lead at this time or later. */ created_start?: string;
                /** Became a lead at this time or earlier. */ created_end?: string;
                /** `true`: our words are the last; `false`: theirs are. */ awaiting_reply?: boolean;
                /** Found in names and usernames (any part), in notes and messages (whole words or their beginnings). */ q?: string;
                /** The tag's id; given several times, all of them must hold. */ tag?: string[];
                /** Whether the person wrote an opt-out word. */ opted_out?: boolean;
                /** Whether Telegram refuses messages to the person. */ unreachable?: boolean;
                /** How many leads each column begins with. */ per_stage?: number;
                /** `created_at`, `last_message_at`, `name`, `stage_entered_at` or `field.<id>`; `-` before it turns the order round. Newest first without it. */ sort?: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Board"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readLead: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LeadDetail"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeLead: {
        parameters: {
            header?: {
                /** The SHA-256, in hex and in quotes, of the text that the new one was written over, of an empty text where there was none. Where another stands there by now, nothing is changed. */ "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["LeadPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 412: components["responses"]["Refused412ChangedMeanwhile"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readLeadAutomation: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LeadAutomation"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    orderLeadAutomation: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["LeadAutomationOrder"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LeadAutomation"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409NoStepLeftBeingSent"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    undoStageChange: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409UndoTooLate"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    actOnLeads: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["BatchOrder"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BatchAnswer"]; }; };
            /** A job goes on with it */ 202: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BatchAnswer"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409BatchRunning"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    undoLeadBatch: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BatchAnswer"]; }; };
            /** A job goes on with it */ 202: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BatchAnswer"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409UndoTooLateBatchRunning"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readLeadBatch: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BatchJob"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    stopLeadBatch: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    exportLeads: {
        parameters: {
            query?: {
                /** Part of the name. */ name?: string;
                /** Part of the username. */ username?: string;
                /** The stage that the lead is in. */ stage_id?: string;
                /** How many follow-ups of its stage the lead has got. */ followup_order_sent?: number;
                /** Became a lead at this time or later. */ created_start?: string;
                /** Became a lead at this time or earlier. */ created_end?: string;
                /** `true`: our words are the last; `false`: theirs are. */ awaiting_reply?: boolean;
                /** Found in names and usernames (any part), in notes and messages (whole words or their beginnings). */ q?: string;
                /** The tag's id; given several times, all of them must hold. */ tag?: string[];
                /** Whether the person wrote an opt-out word. */ opted_out?: boolean;
                /** Whether Telegram refuses messages to the person. */ unreachable?: boolean;
                /** `created_at`, `last_message_at`, `name`, `stage_entered_at` or `field.<id>`; `-` before it turns the order round. Newest first without it. */ sort?: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "text/csv": string; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    importLeads: {
        parameters: {};
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** JSON that says which column is what, by its header: {"Telegram": "telegram_user_id", "Comment": "notes"}. Targets are telegram_user_id, username, notes, tags and field.<id>. */ mapping: string;
                    /** `true`: nothing changes, and the answer says what would. */ dry_run?: boolean;
                    /** The CSV file. */ file: Blob;
                };
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ImportResult"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409FieldsChangedTooManyTags"]; 413: components["responses"]["Refused413FileTooLarge"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422RowUnreadable"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    excludeLead: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Exclusion"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listExclusions: {
        parameters: {
            query?: {
                /** The Telegram id of the last one seen. */ before?: string;
                /** How many. */ limit?: number;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ExclusionList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    endExclusion: {
        parameters: {
            path: {
                /** The id of the person, at Telegram. */ telegram_user_id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ExclusionEnd"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409BeingErased"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readFile: {
        parameters: {
            query: {
                /** When the link ends, as it says itself. */ expires: string;
                /** What makes the link ours. */ signature: string;
            };
            path: {
                /** The id of the message. */ id: string;
            };
        };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/octet-stream": Blob; }; };
            /** The range asked for */ 206: { headers: { [name: string]: unknown; }; content: { "application/octet-stream": Blob; }; };
            404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409NotConnected"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429FilesWait"]; 503: components["responses"]["Refused503FileAway"];
        };
    };
    readChatImport: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ChatImport"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    importChats: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ChatImportOrder"]; }; };
        responses: {
            202: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ChatImport"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409NotConnectedImportRunning"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    cancelChatImport: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ChatImport"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** `waiting`: who waits; `unread`: what was not read; `all`: everything. The last two newest first. */ view?: "waiting" | "unread" | "all";
                /** Of `waiting`: `longest` waiting first, or `newest` words first. */ order?: "longest" | "newest";
                /** Part of a name or username, or words of a message. */ q?: string;
                /** The lead of the last conversation seen: `next` of the page before. */ before?: string;
                /** How many. */ limit?: number;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["InboxPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    countInbox: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["InboxCounts"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    markDone: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["DoneOrder"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Waiting"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** The id of the last one seen: `next` of the page before. */ before?: string | number;
                /** How many. */ limit?: number;
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["MessagesPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    replyToLead: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** The text, or the file's caption. */ text?: string;
                };
                "multipart/form-data": {
                    /** The text, or the file's caption. */ text?: string;
                    /** A picture or video, 10 MB at most. */ media?: Blob;
                };
            };
        };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Message"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409NotConnectedMediaFull"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429AccountWaits"]; 503: components["responses"]["Refused503"];
        };
    };
    markRead: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ReadUpTo"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["UnreadLeft"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readStory: {
        parameters: {
            query?: {
                /** The id of the last one seen: `next` of the page before. */ before?: string;
                /** How many. */ limit?: number;
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["StoryPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listSnippets: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["SnippetList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addSnippet: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** By which it is found. */ title: string;
                    /** The text. */ text?: string;
                };
                "multipart/form-data": {
                    /** By which it is found. */ title: string;
                    /** The text. */ text?: string;
                    /** A picture or video, 10 MB at most. */ media?: Blob;
                };
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Snippet"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409TooManySnippetsMediaFull"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteSnippet: {
        parameters: {
            path: {
                /** The id of the snippet. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeSnippet: {
        parameters: {
            path: {
                /** The id of the snippet. */ id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** By which it is found. */ title?: string;
                    /** The text. */ text?: string;
                    /** null takes the file away. */ media?: null;
                };
                "multipart/form-data": {
                    /** By which it is found. */ title?: string;
                    /** The text. */ text?: string;
                    /** A picture or video in place of the one before. */ media?: Blob;
                };
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Snippet"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listTags: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["TagList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addTag: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["TagCreate"]; }; };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Tag"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409TagNameTakenTooManyTags"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteTag: {
        parameters: {
            path: {
                /** The id of the tag. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Removed"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeTag: {
        parameters: {
            path: {
                /** The id of the tag. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["TagPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Tag"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409TagNameTaken"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreTag: {
        parameters: {
            path: {
                /** The id of the tag. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Tag"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409TagNameTakenTooManyTags"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listFields: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["FieldList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addField: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["FieldCreate"]; }; };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Field"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409FieldNameTakenTooManyFields"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteField: {
        parameters: {
            path: {
                /** The id of the field. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Removed"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeField: {
        parameters: {
            path: {
                /** The id of the field. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["FieldPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Field"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409FieldNameTakenOptionInUse"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreField: {
        parameters: {
            path: {
                /** The id of the field. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Field"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409FieldNameTakenTooManyFields"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listViews: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ViewList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addView: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ViewCreate"]; }; };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["View"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409ViewNameTakenTooManyViews"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteView: {
        parameters: {
            path: {
                /** The id of the view. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Removed"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeView: {
        parameters: {
            path: {
                /** The id of the view. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ViewPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["View"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409ViewNameTaken"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreView: {
        parameters: {
            path: {
                /** The id of the view. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["View"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409ViewNameTakenTooManyViews"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    setLeadTags: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["LeadTags"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["CarriedTags"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    setLeadFields: {
        parameters: {
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["LeadFieldsPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LeadFieldValues"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listStages: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["StageList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addStage: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["StageCreate"]; }; };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["SavedStage"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409StageNameTakenTooManyStages"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteStage: {
        parameters: {
            path: {
                /** The id of the stage. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409LastStageInUse"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeStage: {
        parameters: {
            path: {
                /** The id of the stage. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["StagePatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["SavedStage"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409StageNameTaken"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreStage: {
        parameters: {
            path: {
                /** The id of the stage. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["SavedStage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409StageNameTakenTooManyStages"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    previewStages: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["KeywordPreviewOrder"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["KeywordPreview"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readSettings: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Settings"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeSettings: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["SettingsPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Settings"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readAutomationSettings: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["UserSettings"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    saveAutomationSettings: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["UserSettingsUpdate"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["UserSettings"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readVolume: {
        parameters: {
            query: {
                /** From this time on, UTC. */ start: string;
                /** Until this time, UTC. */ end: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["DailyVolume"][]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readTotal: {
        parameters: {
            query: {
                /** From this time on, UTC. */ start: string;
                /** Until this time, UTC. */ end: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["StatsTotal"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readStageShares: {
        parameters: {
            query: {
                /** From this time on, UTC. */ start: string;
                /** Until this time, UTC. */ end: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["StageShare"][]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readFunnel: {
        parameters: {
            query: {
                /** From this time on, UTC. */ start: string;
                /** Until this time, UTC. */ end: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["FunnelStep"][]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readConversion: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["ConversionRequest"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Conversion"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listFollowups: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["FollowupList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addFollowup: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** The stage that it belongs to. */ stage_id?: (string | "") | null;
                    /** The text. {name}, {first_name}, {username} and {stage} are filled in; {first_name|friend} names what stands in for a missing one; any other brace is sent as written. */ message?: string;
                    /** Its place in its stage, from 0. */ followup_order?: string | null;
                    /** Hours after the step before, or after the lead entered the stage. */ delay_hours?: string | null;
                };
                "multipart/form-data": {
                    /** The stage that it belongs to. */ stage_id?: (string | "") | null;
                    /** The text. {name}, {first_name}, {username} and {stage} are filled in; {first_name|friend} names what stands in for a missing one; any other brace is sent as written. */ message?: string;
                    /** Its place in its stage, from 0. */ followup_order?: string | null;
                    /** Hours after the step before, or after the lead entered the stage. */ delay_hours?: string | null;
                    /** A picture or video, 10 MB at most. */ media?: Blob;
                };
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Followup"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"];
            /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `duplicate_order`: The stage has a follow-up with that order. `too_many_followups`: There are as many follow-ups as there may be. `media_full`: The account's files take up as much as they may. */ 409: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "duplicate_order" | "too_many_followups" | "media_full"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readFollowupResults: {
        parameters: {
            query?: {
                /** Sent at this time or later. */ from?: string;
                /** Sent at this time or earlier. */ to?: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["FollowupResults"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteFollowup: {
        parameters: {
            path: {
                /** The id of the follow-up. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeFollowup: {
        parameters: {
            path: {
                /** The id of the follow-up. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["FollowupPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Followup"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409DuplicateOrder"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreFollowup: {
        parameters: {
            path: {
                /** The id of the follow-up. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Followup"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409TooManyFollowups"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    sendNextFollowup: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** The id of the lead. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409NotConnectedNoStepLeft"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `key_reused`: The Idempotency-Key was used for another request. `account_limited`: Telegram limits the account: resume it first. `message_refused`: Telegram refuses this message. `unreachable`: The person cannot be written to. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "key_reused" | "account_limited" | "message_refused" | "unreachable"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429AccountWaits"]; 503: components["responses"]["Refused503OutcomeUnknownNotSent"];
        };
    };
    listOverdueFollowups: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["OverdueFollowups"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    confirmOverdueFollowups: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["OverdueConfirm"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["OverduePlanned"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readLedger: {
        parameters: {
            query?: {
                /** To this lead. */ lead_id?: string;
                /** Of this kind. */ kind?: "manual" | "reply" | "followup" | "bulk" | "reminder";
                /** In this state. */ state?: "pending" | "sending" | "sent" | "skipped" | "failed" | "unknown" | "cancelled" | "would_send";
                /** Planned at this time or later. */ from?: string;
                /** Planned at this time or earlier. */ to?: string;
                /** The id of the last one seen: `next` of the page before. */ before?: string;
                /** How many. */ limit?: number;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["LedgerPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readForecast: {
        parameters: {
            query?: {
                /** Hours from now. */ hours?: number;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Forecast"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    preflightBulk: {
        parameters: {
            query?: {
                /** To the leads of this stage; without it to all. */ stage_id?: string;
                /** The list's filters as one string, such as q=price&tag=<id>, in place of a stage. */ query?: string;
                /** Seconds from one message to the next, 0.1 to 10. */ throttle?: number;
                /** How many characters the message has. */ message_length?: number;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Preflight"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    preflightBulkOfLeads: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["PreflightOfLeads"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Preflight"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readMedia: {
        parameters: {
            query: {
                /** When the link ends, as it says itself. */ expires: string;
                /** What makes the link ours. */ signature: string;
            };
            path: {
                /** The id of the media. */ id: string;
            };
        };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/octet-stream": Blob; }; };
            /** The range asked for */ 206: { headers: { [name: string]: unknown; }; content: { "application/octet-stream": Blob; }; };
            404: components["responses"]["Refused404"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listReminders: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["ReminderList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addReminder: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ReminderCreate"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Reminder"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409TooManyReminders"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReusedChannelRefused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteReminder: {
        parameters: {
            path: {
                /** The id of the reminder. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    switchReminder: {
        parameters: {
            path: {
                /** The id of the reminder. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["ReminderPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Reminder"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    restoreReminder: {
        parameters: {
            path: {
                /** The id of the reminder. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Reminder"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409TooManyReminders"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    sendBulk: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** The text, or the file's caption; placeholders as in follow-ups. */ message?: string;
                    /** To the leads of this stage; without it to all. */ stage_id?: string;
                    /** Seconds from one message to the next, 0.1 to 10. */ throttle?: number;
                    /** The list's filters as one string, such as q=price&tag=<id>, in place of a stage. */ query?: string;
                    /** To exactly these leads, 5,000 at most: a list of ids as JSON, in place of a stage. */ lead_ids?: string;
                };
                "multipart/form-data": {
                    /** The text, or the file's caption; placeholders as in follow-ups. */ message?: string;
                    /** To the leads of this stage; without it to all. */ stage_id?: string;
                    /** Seconds from one message to the next, 0.1 to 10. */ throttle?: number;
                    /** The list's filters as one string, such as q=price&tag=<id>, in place of a stage. */ query?: string;
                    /** To exactly these leads, 5,000 at most: a list of ids as JSON, in place of a stage. */ lead_ids?: string;
                    /** A picture or video, 10 MB at most. */ media?: Blob;
                };
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BulkQueued"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"];
            /** Not as things stand. `account_importing`: An export is being brought in: nothing can be changed until that is done. `bulk_running`: A bulk message is being sent already. `not_connected`: No Telegram account is connected. `account_limited`: Telegram limits the account: resume it first. `media_full`: The account's files take up as much as they may. */ 409: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "account_importing" | "bulk_running" | "not_connected" | "account_limited" | "media_full"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReusedNoTargets"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readRunningBulk: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BulkJob"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readBulk: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BulkJob"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    cancelBulk: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    continueBulk: {
        parameters: {
            path: {
                /** The id of the job. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["BulkJob"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listWebhooks: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["WebhookList"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    addWebhook: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["WebhookCreate"]; }; };
        responses: {
            201: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["WebhookMade"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409TooManyWebhooks"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteWebhook: {
        parameters: {
            path: {
                /** The id of the webhook. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeWebhook: {
        parameters: {
            path: {
                /** The id of the webhook. */ id: string;
            };
        };
        requestBody: { content: { "application/json": components["schemas"]["WebhookPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["Webhook"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** The id of the last one seen: `next` of the page before. */ before?: string;
                /** How many. */ limit?: number;
            };
            path: {
                /** The id of the webhook. */ id: string;
            };
        };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["DeliveryPage"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    replayDelivery: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** The id of the webhook. */ id: string;
                /** The id of the delivery. */ delivery: string;
            };
        };
        responses: {
            202: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["WebhookDelivery"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409WebhookDisabled"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    testWebhook: {
        parameters: {
            header?: {
                /** Your own name for this request, kept for a week: sent again with it, the request is not done twice and gets the first answer. For another request it is refused. */ "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** The id of the webhook. */ id: string;
            };
        };
        responses: {
            202: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["WebhookDelivery"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409WebhookDisabled"]; 422: components["responses"]["Refused422KeyReused"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readTelegramStatus: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["TelegramStatus"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    sendLoginCode: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["SendCode"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409AccountInUseOtherLogin"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `code_invalid`: The code is not right. `code_expired`: The code is no longer valid. `login_expired`: The login took too long: start again. `login_refused`: Telegram refused the login. `password_invalid`: The password is not right. `phone_banned`: Telegram has banned the phone. `phone_invalid`: Telegram does not know the phone. `phone_unregistered`: The phone has no Telegram account. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "code_invalid" | "code_expired" | "login_expired" | "login_refused" | "password_invalid" | "phone_banned" | "phone_invalid" | "phone_unregistered"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429PhoneFloodTooManyCodes"];
            /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `telegram_app_refused`: Telegram does not accept this server. `telegram_unreachable`: Telegram does not answer. `login_not_saved`: Telegram accepted the login, but it could not be stored. */ 503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "telegram_app_refused" | "telegram_unreachable" | "login_not_saved"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        };
    };
    verifyLoginCode: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["VerifyCode"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["LoginOutcome"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409AccountInUseOtherLogin"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `code_invalid`: The code is not right. `code_expired`: The code is no longer valid. `login_expired`: The login took too long: start again. `login_refused`: Telegram refused the login. `password_invalid`: The password is not right. `phone_banned`: Telegram has banned the phone. `phone_invalid`: Telegram does not know the phone. `phone_unregistered`: The phone has no Telegram account. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "code_invalid" | "code_expired" | "login_expired" | "login_refused" | "password_invalid" | "phone_banned" | "phone_invalid" | "phone_unregistered"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429PhoneFloodTooManyCodes"];
            /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `telegram_app_refused`: Telegram does not accept this server. `telegram_unreachable`: Telegram does not answer. `login_not_saved`: Telegram accepted the login, but it could not be stored. */ 503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "telegram_app_refused" | "telegram_unreachable" | "login_not_saved"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        };
    };
    verifyLoginPassword: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["VerifyPassword"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["LoginOutcome"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409AccountInUseOtherLogin"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `code_invalid`: The code is not right. `code_expired`: The code is no longer valid. `login_expired`: The login took too long: start again. `login_refused`: Telegram refused the login. `password_invalid`: The password is not right. `phone_banned`: Telegram has banned the phone. `phone_invalid`: Telegram does not know the phone. `phone_unregistered`: The phone has no Telegram account. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "code_invalid" | "code_expired" | "login_expired" | "login_refused" | "password_invalid" | "phone_banned" | "phone_invalid" | "phone_unregistered"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429PhoneFloodTooManyCodes"];
            /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `telegram_app_refused`: Telegram does not accept this server. `telegram_unreachable`: Telegram does not answer. `login_not_saved`: Telegram accepted the login, but it could not be stored. */ 503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "telegram_app_refused" | "telegram_unreachable" | "login_not_saved"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        };
    };
    startQrLogin: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["QrCode"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409AccountInUseOtherLogin"];
            /** Cannot be taken. `code_invalid`: The code is not right. `code_expired`: The code is no longer valid. `login_expired`: The login took too long: start again. `login_refused`: Telegram refused the login. `password_invalid`: The password is not right. `phone_banned`: Telegram has banned the phone. `phone_invalid`: Telegram does not know the phone. `phone_unregistered`: The phone has no Telegram account. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "code_invalid" | "code_expired" | "login_expired" | "login_refused" | "password_invalid" | "phone_banned" | "phone_invalid" | "phone_unregistered"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429PhoneFloodTooManyCodes"];
            /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `telegram_app_refused`: Telegram does not accept this server. `telegram_unreachable`: Telegram does not answer. `login_not_saved`: Telegram accepted the login, but it could not be stored. */ 503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "telegram_app_refused" | "telegram_unreachable" | "login_not_saved"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        };
    };
    readQrCode: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["QrCode"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    completeQrLogin: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["QrComplete"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["LoginOutcome"]; }; };
            400: components["responses"]["Refused400"];
            /** The account wants its two-step password. Or: Not signed in. `unauthorized`: Sign in, or send a key as Bearer. `token_expired`: The session's token ran out: refresh it. `session_not_found`: The session has ended: sign in again. `bad_jwt`: The token is none of ours. */ 401: { headers: { [name: string]: unknown; }; content: { "application/json": ({ code: "unauthorized" | "token_expired" | "session_not_found" | "bad_jwt"; } & WithRequired<components["schemas"]["Problem"], "code">) | components["schemas"]["LoginOutcome"]; }; };
            402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 408: components["responses"]["Refused408QrExpired"]; 409: components["responses"]["Refused409AccountInUseOtherLogin"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `code_invalid`: The code is not right. `code_expired`: The code is no longer valid. `login_expired`: The login took too long: start again. `login_refused`: Telegram refused the login. `password_invalid`: The password is not right. `phone_banned`: Telegram has banned the phone. `phone_invalid`: Telegram does not know the phone. `phone_unregistered`: The phone has no Telegram account. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "code_invalid" | "code_expired" | "login_expired" | "login_refused" | "password_invalid" | "phone_banned" | "phone_invalid" | "phone_unregistered"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429PhoneFloodTooManyCodes"];
            /** Not now. `overloaded`: The server is busy. `restarting`: The server is restarting. `database_away`: The database cannot be reached. `telegram_app_refused`: Telegram does not accept this server. `telegram_unreachable`: Telegram does not answer. `login_not_saved`: Telegram accepted the login, but it could not be stored. */ 503: { headers: { "Retry-After": components["headers"]["RetryAfter"]; [name: string]: unknown; }; content: { "application/json": { code: "overloaded" | "restarting" | "database_away" | "telegram_app_refused" | "telegram_unreachable" | "login_not_saved"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
        };
    };
    cancelLogin: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    disconnectTelegram: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readTelegramAccount: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["TelegramAccount"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    changeTelegramAccount: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["TelegramAccountPatch"]; }; };
        responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["TelegramAccount"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409NotConnected"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    resumeTelegramAccount: {
        parameters: {}; responses: {
            200: { headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; }; content: { "application/json": components["schemas"]["TelegramAccount"]; }; };
            401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403"]; 409: components["responses"]["Refused409NotConnectedResumeTooEarly"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    startCheckout: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["BillingUrl"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 429: components["responses"]["Refused429"]; 502: components["responses"]["Refused502CardProviderAnswer"]; 503: components["responses"]["Refused503CardProviderAway"];
        };
    };
    openBillingPortal: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["BillingUrl"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409NoCustomer"]; 429: components["responses"]["Refused429"]; 502: components["responses"]["Refused502CardProviderAnswer"]; 503: components["responses"]["Refused503CardProviderAway"];
        };
    };
    syncSubscription: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["BillingStatus"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503CardProviderAway"];
        };
    };
    confirmCheckout: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["BillingConfirm"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["BillingStatus"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 404: components["responses"]["Refused404"]; 409: components["responses"]["Refused409CheckoutOpen"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503CardProviderAway"];
        };
    };
    exportAccount: {
        parameters: {
            query?: {
                /** `json`: one text with every row. `zip`: the open format, which can be brought in again. */ format?: "json" | "zip";
            };
        };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": { [key: string]: unknown; }; "application/zip": Blob; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    deleteAccount: {
        parameters: {};
        requestBody: { content: { "application/json": components["schemas"]["AccountDelete"]; }; };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["Done"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 413: components["responses"]["Refused413"]; 415: components["responses"]["Refused415"]; 422: components["responses"]["Refused422PasswordInvalid"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503SubscriptionNotEnded"];
        };
    };
    callMcp: {
        parameters: {}; responses: {
            200: {
                headers: { RateLimit: components["headers"]["RateLimit"]; "RateLimit-Policy": components["headers"]["RateLimitPolicy"]; [name: string]: unknown; };
                content: {
                    "application/json": {
                        /** The version of JSON-RPC; `id` and `result` or `error` follow. */ jsonrpc: "2.0";
                    } & { [key: string]: unknown; };
                };
            };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401KeyNeeded"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403WrongAddress"]; 409: components["responses"]["Refused409"]; 413: components["responses"]["Refused413"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    readAccountImport: {
        parameters: {}; responses: {
            200: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["AccountImport"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 404: components["responses"]["Refused404"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    importAccount: {
        parameters: {};
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** The zip file. */ file: Blob;
                };
            };
        };
        responses: {
            202: { headers: { [name: string]: unknown; }; content: { "application/json": components["schemas"]["AccountImport"]; }; };
            400: components["responses"]["Refused400"]; 401: components["responses"]["Refused401"]; 402: components["responses"]["Refused402"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 409: components["responses"]["Refused409AccountNotEmptyTelegramConnected"]; 413: components["responses"]["Refused413FileTooLarge"]; 415: components["responses"]["Refused415"];
            /** Cannot be taken. `invalid_input`: A value cannot be taken; `fields` names it. `archive_broken`: The zip does not hold together: the words name what, and where. `archive_changed`: A file of the zip is another than its manifest says. `archive_newer`: The zip is of a later format than this server reads. `archive_unknown`: The zip is none of ours. */ 422: { headers: { [name: string]: unknown; }; content: { "application/json": { code: "invalid_input" | "archive_broken" | "archive_changed" | "archive_newer" | "archive_unknown"; } & WithRequired<components["schemas"]["Problem"], "code">; }; };
            429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** For how many milliseconds nothing was heard: what changed in them is told first. */ missed_ms?: number;
            };
        };
        responses: {
            200: { headers: { [name: string]: unknown; }; content: { "text/event-stream": components["schemas"]["LiveEvent"]; }; };
            401: components["responses"]["Refused401"]; 403: components["responses"]["Refused403KeyNotAccepted"]; 422: components["responses"]["Refused422"]; 429: components["responses"]["Refused429"]; 503: components["responses"]["Refused503"];
        };
    };
    onLeadCreated: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "lead.created";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onLeadStageChanged: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "lead.stage_changed";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                        /** The stage before. */ from_stage_id: string | null;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onLeadOptedOut: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "lead.opted_out";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onMessageReceived: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "message.received";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                        /** The message's id, as in the conversation. */ message_id: string;
                        /** What kind of message it is. */ kind: string;
                        /** The text. Of a very long one the beginning. */ text: string;
                        /** True where the text was cut. */ truncated?: true;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onMessageSent: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "message.sent";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                        /** The message's id, as in the conversation. */ message_id: string;
                        /** What kind of message it is. */ kind: string;
                        /** The text. Of a very long one the beginning. */ text: string;
                        /** True where the text was cut. */ truncated?: true;
                        /** The bulk message. */ job_id?: string;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onFollowupSent: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "followup.sent";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The lead. */ lead_id: string;
                        /** The stage that it is in. */ stage_id: string | null;
                        /** The message's id, as in the conversation. */ message_id: string;
                        /** What kind of message it is. */ kind: string;
                        /** The text. Of a very long one the beginning. */ text: string;
                        /** True where the text was cut. */ truncated?: true;
                        /** The follow-up. */ step_id?: string;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onBulkFinished: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "bulk.finished";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The bulk message. */ job_id: string;
                        /** The stage that it went to; null for all leads. */ stage_id: string | null;
                        /** How it ended. */ status: string;
                        /** How many were sent. */ sent_count: number;
                        /** How many failed. */ failed_count: number;
                        /** How many leads there were. */ total_targets: number;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onAccountDisconnected: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "account.disconnected";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The connection that ended. */ account_id: string;
                        /** How it ended. */ state: string;
                        /** Why; null where the person ended it. */ reason: string | null;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
    onWebhookTest: {
        parameters: {
            header: {
                /** The event's id: the same at every try and replay. */ "webhook-id": string;
                /** When it is sent, in seconds since 1970. */ "webhook-timestamp": string;
                /** `v1,` and the signature after Standard Webhooks. */ "webhook-signature": string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What happened. */ type: "webhook.test";
                    /** When it happened. */ timestamp: string;
                    /** Of what, by ids. */ data: {
                        /** The webhook. */ webhook_id: string;
                    };
                };
            };
        };
        responses: {
            /** Delivered. */ "2XX": { headers: { [name: string]: unknown; }; };
            /** Tried again later. */ "4XX": { headers: { [name: string]: unknown; }; };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P]; };
