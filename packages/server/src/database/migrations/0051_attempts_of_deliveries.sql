-- The attempts of a delivery lie in its own row, as the API shows them: settling writes one row instead of two, and what is read or removed with a delivery is there with it.
alter table webhook_deliveries add column attempts json[];

update webhook_deliveries d set attempts = a.attempts
from (
  select tenant_id, delivery_id,
    (array_agg(
      json_build_object(
        'number', number,
        'startedAt', to_char(started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'durationMs', duration_ms,
        'timings', json_build_object('dns', dns_ms, 'connect', connect_ms, 'tls', tls_ms, 'firstByte', first_byte_ms),
        'responseStatus', response_status,
        'responseBody', response_body,
        'error', error,
        'trigger', trigger
      ) order by number
    ))[greatest(1, count(*)::integer - 99):] as attempts
  from webhook_attempts group by tenant_id, delivery_id
) a
where d.tenant_id = a.tenant_id and d.id = a.delivery_id;

drop table webhook_attempts;
