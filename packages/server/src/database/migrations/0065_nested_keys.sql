-- Keys of evidence and of handledBy that were not said used to be missing from what was stored, and a null took the type of handledBy away. Answers have
-- all of them now, so the rows that lack some get them. The other fields of a record keep their order.
create function with_field(record json, field text, wanted json) returns json language sql immutable as $$
  select json_object_agg(e.key, case when e.key = field then wanted else e.value end order by e.place) from json_each(record) with ordinality e (key, value, place)
$$;

create function with_evidence(record json) returns json language sql immutable as $$
  select with_field(record, 'evidence', json_agg(json_build_object('callSessionId', e -> 'callSessionId', 'segmentId', e -> 'segmentId', 'messageId', e -> 'messageId',
    'quote', e -> 'quote', 'startMs', e -> 'startMs', 'endMs', e -> 'endMs', 'speaker', e -> 'speaker') order by place))
  from json_array_elements(record -> 'evidence') with ordinality list (e, place)
$$;

create function lacks_evidence_keys(record json) returns boolean language sql immutable as $$
  select exists (select from jsonb_array_elements((record -> 'evidence')::jsonb) e
    where not e ?& array['callSessionId', 'segmentId', 'messageId', 'quote', 'startMs', 'endMs', 'speaker'])
$$;

update facts set record = with_evidence(record) where lacks_evidence_keys(record);
update signals set record = with_evidence(record) where lacks_evidence_keys(record);
update signal_events set record = with_evidence(record) where lacks_evidence_keys(record);
update calls set record = with_field(record, 'handledBy', json_build_object('type', coalesce(record #> '{handledBy,type}', '"none"'),
    'userId', record #> '{handledBy,userId}', 'agentName', record #> '{handledBy,agentName}'))
  where not (record -> 'handledBy')::jsonb ?& array['type', 'userId', 'agentName'];

drop function lacks_evidence_keys(json);
drop function with_evidence(json);
drop function with_field(json, text, json);
