-- The message of a voicemail is found by it, because a transcript or a call may come to be known later.
alter table messages add column "voicemail_id" uuid generated always as ((record ->> 'voicemailId')::uuid) stored;
create index messages_voicemail_id on messages (tenant_id, "voicemail_id", id) where "voicemail_id" is not null;
