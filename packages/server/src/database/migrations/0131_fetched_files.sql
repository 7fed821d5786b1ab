-- Recordings of calls and what came with texts are fetched and kept as the audio of voicemails is, by the same queue and
-- in the same store. A file goes by the id of its voicemail or call, or, with a text, by one of its own.
alter table recording_fetches add column owner text not null default 'voicemail' check (owner in ('voicemail', 'call', 'sms'));
-- The text that the file came with.
alter table recording_fetches add column owner_id uuid;
