import { msg, plural } from "@lingui/core/runtime-macro";
import { RANGE_PROBLEMS } from "./time-range.ts";
import type { UiText } from "./ui-text.ts";

type Limit = { limit: number };

/** Messages about one value of a request, by code, as `invalid_input` lists them in `params.problems`. */
export const INPUT_PROBLEMS = {
  all_notes_too_long: ({ limit }: Limit) =>
    msg`All notes of a lead together may have ${plural({ limit }, { one: "# character", other: "# characters" })}. Shorten those that stand there.`,
  bad_if_match: () => msg`If-Match must hold the SHA-256 of the text in 64 hex digits, in quotes.`,
  bad_request_key: () => msg`Idempotency-Key must have 1 to 255 letters, digits or signs, without spaces.`,
  bulk_caption_too_long: ({ limit }: Limit) =>
    msg`Beside a picture or video the message may have ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })} at most.`,
  bulk_empty: () => msg`Please enter a message or select a media file`,
  caption_too_long: ({ limit }: Limit) =>
    msg`Beside a picture or video the text may have ${plural({ limit }, { one: "# character", other: "# characters" })} at most.`,
  csv_file_missing: () => msg`Attach the CSV file in the field file.`,
  csv_form_missing: () => msg`Send a form with the CSV file in the field file.`,
  end_before_start: () => RANGE_PROBLEMS.end_before_start,
  excluded_no_more: () => msg`Nobody with that number is excluded any more. Name the one before in the list.`,
  export_file_missing: () => msg`Attach the zip file in the field file.`,
  export_form_missing: () => msg`Send a form with the zip file in the field file.`,
  export_form_unknown_field: ({ field }: { field: string }) =>
    msg`There is no field ${{ field }}. Attach the zip file in the field file.`,
  followup_empty: () => msg`Write a message or attach a picture or video.`,
  form_field_too_long: ({ field }: { field: string }) => msg`The field ${{ field }} is too long.`,
  form_field_twice: ({ field }: { field: string }) => msg`The field ${{ field }} is given twice.`,
  form_too_many_fields: () => msg`The form has too many fields.`,
  form_unreadable: () => msg`The form could not be read.`,
  media_field_unknown: () => msg`Attach the file in the field media.`,
  message_of_other_conversation: () => msg`That message is not of this conversation. Load the conversation again.`,
  message_too_long: ({ limit }: Limit) =>
    msg`A message may have ${plural({ limit }, { one: "# character", other: "# characters" })} at most.`,
  one_file_only: () => msg`Attach one file only.`,
  option_unknown: ({ option }: { option: string }) =>
    msg`"${{ option }}" is none of the options. Name one of those that stay, or null.`,
  options_of_other_type: () => msg`Only a choice has options. Make a new field of that type.`,
  range_too_long: () => RANGE_PROBLEMS.range_too_long,
  reply_empty: () => msg`Write a message or attach a file.`,
  snippet_empty: () => msg`Write a text or attach a file.`,
  stage_gone: () => msg`That stage does not exist any more.`,
  stage_gone_reload: () => msg`That stage does not exist any more. Reload the list and choose another.`,
  stage_or_query: () => msg`Name either a stage or a query.`,
  leads_or_stage_or_query: () => msg`Name either the leads, or a stage, or a query.`,
  stage_twice: () => msg`A stage appears in the list twice. Name each stage once.`,
  stage_unknown: ({ stage }: { stage: string }) =>
    msg`There is no stage named "${{ stage }}". Write it as it stands under Stages.`,
  tags_gone: () => msg`One of these tags does not exist any more. Reload the tags and choose again.`,
  time_over: () => msg`That time is over. Choose a later one, or hold without an end.`,
  value_not_a_number: () => msg`Only a number can be the value.`,
  value_unstorable: () =>
    msg`The request holds a value that cannot be stored. Check for unusual characters and very large numbers.`,
  view_name_missing: () => msg`Give the view a name.`,
  weekday_number: () => msg`Days are numbers from 1, Monday, to 7.`,
  weekday_missing: () => msg`Choose at least one day.`,
  weekday_twice: () => msg`Name each day once.`,
  opt_out_word_empty: () => msg`A word needs at least one character.`,
  search_missing: () => msg`Say what to find.`,
  tag_name_missing: () => msg`Give the tag a name.`,
  phone_form: () => msg`Write the phone in international form, such as +15551234567.`,
  code_missing: () => msg`Write the code.`,
  two_step_password_missing: () => msg`Write the password.`,
  stage_name_missing: () => msg`Stage name is required.`,
  keyword_missing: () => msg`At least one keyword is needed.`,
  change_missing: () => msg`Name at least one field to change.`,
  key_name_missing: () => msg`Give the key a name.`,
  scope_missing: () => msg`Choose at least one of read, write, send.`,
  lead_missing: () => msg`Name at least one lead.`,
  field_name_missing: () => msg`Give the field a name.`,
  option_empty: () => msg`An option needs a text.`,
  option_missing: () => msg`A choice needs at least one option.`,
  option_twice: () => msg`Two options are the same.`,
  options_wrong: () => msg`A choice needs options, and no other field has any.`,
  field_unknown: () => msg`There is no such field.`,
  one_missing: () => msg`Name at least one.`,
  where_unclear: () => msg`Name the leads by ids, or by a query.`,
  until_without_hold: () => msg`Only a hold takes a time.`,
  note_missing: () => msg`Write a note.`,
  own_password_missing: () => msg`Write your password.`,
  event_missing: () => msg`Choose an event at least.`,
  address_missing: () => msg`Give the address.`,
  address_form: () => msg`That is no address. Give one such as https://example.com/hook.`,
  address_not_https: () => msg`The address must begin with https://.`,
  address_with_password: () => msg`The address must not hold a name or password. Check the signature instead.`,
  address_port: ({ https, first }: { https: number; first: number }) =>
    msg`The port must be ${{ https }}, or ${{ first }} and above.`,
  address_private: () =>
    msg`The address does not lead to the public internet. Give one that can be reached from everywhere.`,
  batch_stage_gone: () => msg`The stage was deleted meanwhile, so the rest was not moved.`,
  batch_tags_gone: () => msg`The tags were deleted meanwhile, so the rest was not tagged.`,
  snippet_title_missing: () => msg`Give the snippet a title.`,
  stage_missing: () => msg`Name the stage to watch.`,
  reminder_text_missing: () => msg`Write the reminder's text.`,
  channel_form: () => msg`Use @channel_name, a channel id such as -1001234567890, or me.`,
  channel_number: () =>
    msg`There is no channel with such a number. A channel's id begins with -100, such as -1001234567890.`,
  stages_missing: () => msg`Name at least one stage.`,
  range_turned_round: () => msg`The end comes before the start. Swap them.`,
  field_gone: () => msg`There is no such field. Reload the fields.`,
  filter_unknown: () => msg`There is no such filter.`,
  person_column_missing: () => msg`One column must be the telegram_user_id or the username: people are found by them.`,
  placeholder_unknown: () =>
    msg`Only ${{ placeholders: "{name}, {username}, {stage}, {days}" }} and ${{ last: "{link}" }} can be filled in.`,
  opt_out_word_too_long: ({ limit }: Limit) =>
    msg`A word may have ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })} at most.`,
  too_many_words: ({ limit }: Limit) =>
    msg`There may be ${plural({ limit }, { one: "{limit} word", other: "{limit} words" })} at most.`,
  key_name_too_long: ({ limit }: Limit) =>
    msg`A name may have ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })} at most.`,
  throttle: () => msg`Throttle must be between 0.1 and 10 seconds per message.`,
  message_length: ({ limit }: Limit) =>
    msg`A message has 1 to ${plural({ limit }, { one: "{limit} character", other: "{limit} characters" })}.`,
  forecast_hours: ({ limit }: Limit) => msg`Must be a whole number from 1 to ${{ limit }}.`,
  target_twice: () => msg`Two columns have the same target.`,
  media_null: () => msg`Send the file as the part media of a form, or null to take it away.`,
  too_many_leads: ({ limit }: Limit) =>
    msg`Name ${plural({ limit }, { one: "{limit} lead", other: "{limit} leads" })} at most. For more, narrow the list by filters and send its query.`,
} as const satisfies Record<string, (params: never) => UiText>;
