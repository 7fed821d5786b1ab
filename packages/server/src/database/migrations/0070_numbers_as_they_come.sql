-- A caller may show no number, and a text may be a picture: records of before say that theirs did not. The keys are put
-- at the end of each record's text, so that the rest stays as it was, byte for byte. Versions and times stay as well:
-- nothing has changed that a reader should hear of, so the triggers that count the changes of calls rest meanwhile.

alter table calls disable trigger call_changed;
alter table voicemails disable trigger voicemails_changed;

update calls set record = (left(rtrim(record::text), -1) || ',"fromWithheld":false}')::json
where record -> 'fromWithheld' is null;

update sms set record = (left(rtrim(record::text), -1) || ',"fromWithheld":false,"numMedia":0,"mediaUrls":[]}')::json
where record -> 'fromWithheld' is null;

update voicemails set record = (left(rtrim(record::text), -1) || ',"callerWithheld":false}')::json
where record -> 'callerWithheld' is null;

alter table calls enable trigger call_changed;
alter table voicemails enable trigger voicemails_changed;
