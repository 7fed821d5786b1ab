-- Customers who may be the same are looked for by number and address.
create index concurrently if not exists customers_primary_phone on customers (tenant_id, (record ->> 'primaryPhone'), id) where record ->> 'primaryPhone' is not null;
create index concurrently if not exists customers_primary_email on customers (tenant_id, (record ->> 'primaryEmail'), id) where record ->> 'primaryEmail' is not null;
