-- One table per entity, all of the same shape: the record as the API returns it, and beside it the columns that are filtered on, generated from it.
-- Made from the registry with scripts/entity-ddl.mjs; a test holds the two together.

create table people (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "primary_phone" text generated always as (record ->> 'primaryPhone') stored,
  "primary_email" text generated always as (record ->> 'primaryEmail') stored,
  primary key (tenant_id, id)
);
create index people_updated_at on people (tenant_id, updated_at);
create index people_search on people using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index people_customer_id on people (tenant_id, "customer_id", id) where "customer_id" is not null;
create index people_primary_phone on people (tenant_id, "primary_phone", id) where "primary_phone" is not null;
create index people_primary_email on people (tenant_id, "primary_email", id) where "primary_email" is not null;

create table work_records (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "canonical_kind" text generated always as (record ->> 'canonicalKind') stored,
  "status" text generated always as (record ->> 'status') stored,
  "stage" text generated always as (record ->> 'stage') stored,
  "record_state" text generated always as (record ->> 'recordState') stored,
  "priority" text generated always as (record ->> 'priority') stored,
  "source" text generated always as (record ->> 'source') stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "primary_person_id" uuid generated always as ((record ->> 'primaryPersonId')::uuid) stored,
  "assigned_to_id" uuid generated always as ((record ->> 'assignedToId')::uuid) stored,
  "number" text generated always as (record ->> 'number') stored,
  primary key (tenant_id, id)
);
create index work_records_updated_at on work_records (tenant_id, updated_at);
create index work_records_search on work_records using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index work_records_canonical_kind on work_records (tenant_id, "canonical_kind", id) where "canonical_kind" is not null;
create index work_records_status on work_records (tenant_id, "status", id) where "status" is not null;
create index work_records_stage on work_records (tenant_id, "stage", id) where "stage" is not null;
create index work_records_record_state on work_records (tenant_id, "record_state", id) where "record_state" is not null;
create index work_records_priority on work_records (tenant_id, "priority", id) where "priority" is not null;
create index work_records_source on work_records (tenant_id, "source", id) where "source" is not null;
create index work_records_customer_id on work_records (tenant_id, "customer_id", id) where "customer_id" is not null;
create index work_records_primary_person_id on work_records (tenant_id, "primary_person_id", id) where "primary_person_id" is not null;
create index work_records_assigned_to_id on work_records (tenant_id, "assigned_to_id", id) where "assigned_to_id" is not null;
create unique index work_records_number_key on work_records (tenant_id, "number");

create table parties (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "party_type" text generated always as (record ->> 'partyType') stored,
  "lifecycle_stage" text generated always as (record ->> 'lifecycleStage') stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "company_id" uuid generated always as ((record ->> 'companyId')::uuid) stored,
  primary key (tenant_id, id)
);
create index parties_updated_at on parties (tenant_id, updated_at);
create index parties_search on parties using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index parties_party_type on parties (tenant_id, "party_type", id) where "party_type" is not null;
create index parties_lifecycle_stage on parties (tenant_id, "lifecycle_stage", id) where "lifecycle_stage" is not null;
create index parties_person_id on parties (tenant_id, "person_id", id) where "person_id" is not null;
create index parties_company_id on parties (tenant_id, "company_id", id) where "company_id" is not null;

create table customers (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "status" text generated always as (record ->> 'status') stored,
  "customer_type" text generated always as (record ->> 'customerType') stored,
  "customer_number" text generated always as (record ->> 'customerNumber') stored,
  "primary_person_id" uuid generated always as ((record ->> 'primaryPersonId')::uuid) stored,
  "primary_company_id" uuid generated always as ((record ->> 'primaryCompanyId')::uuid) stored,
  primary key (tenant_id, id)
);
create index customers_updated_at on customers (tenant_id, updated_at);
create index customers_search on customers using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index customers_status on customers (tenant_id, "status", id) where "status" is not null;
create index customers_customer_type on customers (tenant_id, "customer_type", id) where "customer_type" is not null;
create index customers_primary_person_id on customers (tenant_id, "primary_person_id", id) where "primary_person_id" is not null;
create index customers_primary_company_id on customers (tenant_id, "primary_company_id", id) where "primary_company_id" is not null;
create unique index customers_customer_number_key on customers (tenant_id, "customer_number");

create table companies (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "domain" text generated always as (record ->> 'domain') stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  primary key (tenant_id, id)
);
create index companies_updated_at on companies (tenant_id, updated_at);
create index companies_search on companies using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index companies_domain on companies (tenant_id, "domain", id) where "domain" is not null;
create index companies_customer_id on companies (tenant_id, "customer_id", id) where "customer_id" is not null;

create table locations (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "company_id" uuid generated always as ((record ->> 'companyId')::uuid) stored,
  "location_type" text generated always as (record ->> 'locationType') stored,
  primary key (tenant_id, id)
);
create index locations_updated_at on locations (tenant_id, updated_at);
create index locations_search on locations using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index locations_customer_id on locations (tenant_id, "customer_id", id) where "customer_id" is not null;
create index locations_company_id on locations (tenant_id, "company_id", id) where "company_id" is not null;
create index locations_location_type on locations (tenant_id, "location_type", id) where "location_type" is not null;

create table contact_methods (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "channel" text generated always as (record ->> 'channel') stored,
  "normalized_value" text generated always as (record ->> 'normalizedValue') stored,
  "owner_type" text generated always as (record ->> 'ownerType') stored,
  "owner_id" uuid generated always as ((record ->> 'ownerId')::uuid) stored,
  "opt_in_status" text generated always as (record ->> 'optInStatus') stored,
  primary key (tenant_id, id)
);
create index contact_methods_updated_at on contact_methods (tenant_id, updated_at);
create index contact_methods_search on contact_methods using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index contact_methods_channel on contact_methods (tenant_id, "channel", id) where "channel" is not null;
create index contact_methods_normalized_value on contact_methods (tenant_id, "normalized_value", id) where "normalized_value" is not null;
create index contact_methods_owner_type on contact_methods (tenant_id, "owner_type", id) where "owner_type" is not null;
create index contact_methods_owner_id on contact_methods (tenant_id, "owner_id", id) where "owner_id" is not null;
create index contact_methods_opt_in_status on contact_methods (tenant_id, "opt_in_status", id) where "opt_in_status" is not null;

create table money_records (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "record_type" text generated always as (record ->> 'recordType') stored,
  "status" text generated always as (record ->> 'status') stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  primary key (tenant_id, id)
);
create index money_records_updated_at on money_records (tenant_id, updated_at);
create index money_records_search on money_records using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index money_records_record_type on money_records (tenant_id, "record_type", id) where "record_type" is not null;
create index money_records_status on money_records (tenant_id, "status", id) where "status" is not null;
create index money_records_customer_id on money_records (tenant_id, "customer_id", id) where "customer_id" is not null;
create index money_records_work_record_id on money_records (tenant_id, "work_record_id", id) where "work_record_id" is not null;

create table conversations (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "channel" text generated always as (record ->> 'channel') stored,
  "status" text generated always as (record ->> 'status') stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "assigned_to_id" uuid generated always as ((record ->> 'assignedToId')::uuid) stored,
  "participant_address" text generated always as (record ->> 'participantAddress') stored,
  "our_address" text generated always as (record ->> 'ourAddress') stored,
  primary key (tenant_id, id)
);
create index conversations_updated_at on conversations (tenant_id, updated_at);
create index conversations_search on conversations using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index conversations_channel on conversations (tenant_id, "channel", id) where "channel" is not null;
create index conversations_status on conversations (tenant_id, "status", id) where "status" is not null;
create index conversations_person_id on conversations (tenant_id, "person_id", id) where "person_id" is not null;
create index conversations_customer_id on conversations (tenant_id, "customer_id", id) where "customer_id" is not null;
create index conversations_assigned_to_id on conversations (tenant_id, "assigned_to_id", id) where "assigned_to_id" is not null;
create index conversations_participant_address on conversations (tenant_id, "participant_address", id) where "participant_address" is not null;
create index conversations_our_address on conversations (tenant_id, "our_address", id) where "our_address" is not null;

create table integration_connections (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  sealed bytea,
  "provider" text generated always as (record ->> 'provider') stored,
  "kind" text generated always as (record ->> 'kind') stored,
  "status" text generated always as (record ->> 'status') stored,
  primary key (tenant_id, id)
);
create index integration_connections_updated_at on integration_connections (tenant_id, updated_at);
create index integration_connections_search on integration_connections using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index integration_connections_provider on integration_connections (tenant_id, "provider", id) where "provider" is not null;
create index integration_connections_kind on integration_connections (tenant_id, "kind", id) where "kind" is not null;
create index integration_connections_status on integration_connections (tenant_id, "status", id) where "status" is not null;

create table external_refs (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "entity_type" text generated always as (record ->> 'entityType') stored,
  "entity_id" uuid generated always as ((record ->> 'entityId')::uuid) stored,
  "system" text generated always as (record ->> 'system') stored,
  "external_id" text generated always as (record ->> 'externalId') stored,
  primary key (tenant_id, id)
);
create index external_refs_updated_at on external_refs (tenant_id, updated_at);
create index external_refs_search on external_refs using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index external_refs_entity_type on external_refs (tenant_id, "entity_type", id) where "entity_type" is not null;
create index external_refs_entity_id on external_refs (tenant_id, "entity_id", id) where "entity_id" is not null;
create index external_refs_system on external_refs (tenant_id, "system", id) where "system" is not null;
create index external_refs_external_id on external_refs (tenant_id, "external_id", id) where "external_id" is not null;
create unique index external_refs_entity_type_system_external_id_key on external_refs (tenant_id, "entity_type", "system", "external_id");

create table field_values (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "entity_type" text generated always as (record ->> 'entityType') stored,
  "entity_id" uuid generated always as ((record ->> 'entityId')::uuid) stored,
  "key" text generated always as (record ->> 'key') stored,
  primary key (tenant_id, id)
);
create index field_values_updated_at on field_values (tenant_id, updated_at);
create index field_values_search on field_values using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index field_values_entity_type on field_values (tenant_id, "entity_type", id) where "entity_type" is not null;
create index field_values_entity_id on field_values (tenant_id, "entity_id", id) where "entity_id" is not null;
create index field_values_key on field_values (tenant_id, "key", id) where "key" is not null;
create unique index field_values_entity_type_entity_id_key_key on field_values (tenant_id, "entity_type", "entity_id", "key");

create table field_history_entries (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "entity_type" text generated always as (record ->> 'entityType') stored,
  "entity_id" uuid generated always as ((record ->> 'entityId')::uuid) stored,
  "field" text generated always as (record ->> 'field') stored,
  primary key (tenant_id, id)
);
create index field_history_entries_updated_at on field_history_entries (tenant_id, updated_at);
create index field_history_entries_search on field_history_entries using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index field_history_entries_entity_type on field_history_entries (tenant_id, "entity_type", id) where "entity_type" is not null;
create index field_history_entries_entity_id on field_history_entries (tenant_id, "entity_id", id) where "entity_id" is not null;
create index field_history_entries_field on field_history_entries (tenant_id, "field", id) where "field" is not null;

create table signal_definitions (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "key" text generated always as (record ->> 'key') stored,
  primary key (tenant_id, id)
);
create index signal_definitions_updated_at on signal_definitions (tenant_id, updated_at);
create index signal_definitions_search on signal_definitions using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create unique index signal_definitions_key_key on signal_definitions (tenant_id, "key");

create table signal_events (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "kind" text generated always as (record ->> 'kind') stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  primary key (tenant_id, id)
);
create index signal_events_updated_at on signal_events (tenant_id, updated_at);
create index signal_events_search on signal_events using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index signal_events_kind on signal_events (tenant_id, "kind", id) where "kind" is not null;
create index signal_events_call_session_id on signal_events (tenant_id, "call_session_id", id) where "call_session_id" is not null;
create index signal_events_work_record_id on signal_events (tenant_id, "work_record_id", id) where "work_record_id" is not null;

create table work_type_definitions (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "canonical_kind" text generated always as (record ->> 'canonicalKind') stored,
  "enabled" boolean generated always as ((record ->> 'enabled')::boolean) stored,
  primary key (tenant_id, id)
);
create index work_type_definitions_updated_at on work_type_definitions (tenant_id, updated_at);
create index work_type_definitions_search on work_type_definitions using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index work_type_definitions_enabled on work_type_definitions (tenant_id, "enabled", id) where "enabled" is not null;
create unique index work_type_definitions_canonical_kind_key on work_type_definitions (tenant_id, "canonical_kind");

create table tasks (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "status" text generated always as (record ->> 'status') stored,
  "priority" text generated always as (record ->> 'priority') stored,
  "assigned_to_id" uuid generated always as ((record ->> 'assignedToId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  primary key (tenant_id, id)
);
create index tasks_updated_at on tasks (tenant_id, updated_at);
create index tasks_search on tasks using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index tasks_status on tasks (tenant_id, "status", id) where "status" is not null;
create index tasks_priority on tasks (tenant_id, "priority", id) where "priority" is not null;
create index tasks_assigned_to_id on tasks (tenant_id, "assigned_to_id", id) where "assigned_to_id" is not null;
create index tasks_work_record_id on tasks (tenant_id, "work_record_id", id) where "work_record_id" is not null;
create index tasks_person_id on tasks (tenant_id, "person_id", id) where "person_id" is not null;
create index tasks_customer_id on tasks (tenant_id, "customer_id", id) where "customer_id" is not null;

create table notes (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "subject_type" text generated always as (record ->> 'subjectType') stored,
  "subject_id" uuid generated always as ((record ->> 'subjectId')::uuid) stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  primary key (tenant_id, id)
);
create index notes_updated_at on notes (tenant_id, updated_at);
create index notes_search on notes using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index notes_subject_type on notes (tenant_id, "subject_type", id) where "subject_type" is not null;
create index notes_subject_id on notes (tenant_id, "subject_id", id) where "subject_id" is not null;
create index notes_call_session_id on notes (tenant_id, "call_session_id", id) where "call_session_id" is not null;

create table appointments (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "status" text generated always as (record ->> 'status') stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  primary key (tenant_id, id)
);
create index appointments_updated_at on appointments (tenant_id, updated_at);
create index appointments_search on appointments using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index appointments_status on appointments (tenant_id, "status", id) where "status" is not null;
create index appointments_work_record_id on appointments (tenant_id, "work_record_id", id) where "work_record_id" is not null;
create index appointments_customer_id on appointments (tenant_id, "customer_id", id) where "customer_id" is not null;
create index appointments_person_id on appointments (tenant_id, "person_id", id) where "person_id" is not null;

create table workflow_runs (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "workflow_key" text generated always as (record ->> 'workflowKey') stored,
  "status" text generated always as (record ->> 'status') stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  primary key (tenant_id, id)
);
create index workflow_runs_updated_at on workflow_runs (tenant_id, updated_at);
create index workflow_runs_search on workflow_runs using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index workflow_runs_workflow_key on workflow_runs (tenant_id, "workflow_key", id) where "workflow_key" is not null;
create index workflow_runs_status on workflow_runs (tenant_id, "status", id) where "status" is not null;
create index workflow_runs_call_session_id on workflow_runs (tenant_id, "call_session_id", id) where "call_session_id" is not null;
create index workflow_runs_work_record_id on workflow_runs (tenant_id, "work_record_id", id) where "work_record_id" is not null;

create table calls (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "direction" text generated always as (record ->> 'direction') stored,
  "status" text generated always as (record ->> 'status') stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "customer_id" uuid generated always as ((record ->> 'customerId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  "phone_number_id" uuid generated always as ((record ->> 'phoneNumberId')::uuid) stored,
  "started_at" timestamptz generated always as (instant(record ->> 'startedAt')) stored,
  "provider" text generated always as (record ->> 'provider') stored,
  "provider_call_id" text generated always as (record ->> 'providerCallId') stored,
  primary key (tenant_id, id)
);
create index calls_updated_at on calls (tenant_id, updated_at);
create index calls_search on calls using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index calls_direction on calls (tenant_id, "direction", id) where "direction" is not null;
create index calls_status on calls (tenant_id, "status", id) where "status" is not null;
create index calls_person_id on calls (tenant_id, "person_id", id) where "person_id" is not null;
create index calls_customer_id on calls (tenant_id, "customer_id", id) where "customer_id" is not null;
create index calls_work_record_id on calls (tenant_id, "work_record_id", id) where "work_record_id" is not null;
create index calls_phone_number_id on calls (tenant_id, "phone_number_id", id) where "phone_number_id" is not null;
create index calls_started_at on calls (tenant_id, "started_at", id) where "started_at" is not null;
create index calls_provider on calls (tenant_id, "provider", id) where "provider" is not null;
create index calls_provider_call_id on calls (tenant_id, "provider_call_id", id) where "provider_call_id" is not null;
create unique index calls_provider_provider_call_id_key on calls (tenant_id, "provider", "provider_call_id");

create table sms (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "direction" text generated always as (record ->> 'direction') stored,
  "thread_id" uuid generated always as ((record ->> 'threadId')::uuid) stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "status" text generated always as (record ->> 'status') stored,
  "sent_at" timestamptz generated always as (instant(record ->> 'sentAt')) stored,
  "provider_message_id" text generated always as (record ->> 'providerMessageId') stored,
  primary key (tenant_id, id)
);
create index sms_updated_at on sms (tenant_id, updated_at);
create index sms_search on sms using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index sms_direction on sms (tenant_id, "direction", id) where "direction" is not null;
create index sms_thread_id on sms (tenant_id, "thread_id", id) where "thread_id" is not null;
create index sms_person_id on sms (tenant_id, "person_id", id) where "person_id" is not null;
create index sms_status on sms (tenant_id, "status", id) where "status" is not null;
create index sms_sent_at on sms (tenant_id, "sent_at", id) where "sent_at" is not null;
create index sms_provider_message_id on sms (tenant_id, "provider_message_id", id) where "provider_message_id" is not null;
create unique index sms_direction_provider_message_id_key on sms (tenant_id, "direction", "provider_message_id");

create table messages (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "channel" text generated always as (record ->> 'channel') stored,
  "direction" text generated always as (record ->> 'direction') stored,
  "thread_id" uuid generated always as ((record ->> 'threadId')::uuid) stored,
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "sms_id" uuid generated always as ((record ->> 'smsId')::uuid) stored,
  primary key (tenant_id, id)
);
create index messages_updated_at on messages (tenant_id, updated_at);
create index messages_search on messages using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index messages_channel on messages (tenant_id, "channel", id) where "channel" is not null;
create index messages_direction on messages (tenant_id, "direction", id) where "direction" is not null;
create index messages_thread_id on messages (tenant_id, "thread_id", id) where "thread_id" is not null;
create index messages_person_id on messages (tenant_id, "person_id", id) where "person_id" is not null;
create index messages_sms_id on messages (tenant_id, "sms_id", id) where "sms_id" is not null;

create table voicemails (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "person_id" uuid generated always as ((record ->> 'personId')::uuid) stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  primary key (tenant_id, id)
);
create index voicemails_updated_at on voicemails (tenant_id, updated_at);
create index voicemails_search on voicemails using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index voicemails_person_id on voicemails (tenant_id, "person_id", id) where "person_id" is not null;
create index voicemails_call_session_id on voicemails (tenant_id, "call_session_id", id) where "call_session_id" is not null;

create table drafts (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "status" text generated always as (record ->> 'status') stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  primary key (tenant_id, id)
);
create index drafts_updated_at on drafts (tenant_id, updated_at);
create index drafts_search on drafts using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index drafts_status on drafts (tenant_id, "status", id) where "status" is not null;
create index drafts_call_session_id on drafts (tenant_id, "call_session_id", id) where "call_session_id" is not null;

create table facts (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "subject_type" text generated always as (record ->> 'subjectType') stored,
  "subject_id" uuid generated always as ((record ->> 'subjectId')::uuid) stored,
  "key" text generated always as (record ->> 'key') stored,
  "status" text generated always as (record ->> 'status') stored,
  "source_call_session_id" uuid generated always as ((record ->> 'sourceCallSessionId')::uuid) stored,
  "confidence" double precision generated always as ((record ->> 'confidence')::double precision) stored,
  "observed_at" timestamptz generated always as (instant(record ->> 'observedAt')) stored,
  primary key (tenant_id, id)
);
create index facts_updated_at on facts (tenant_id, updated_at);
create index facts_search on facts using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index facts_subject_type on facts (tenant_id, "subject_type", id) where "subject_type" is not null;
create index facts_subject_id on facts (tenant_id, "subject_id", id) where "subject_id" is not null;
create index facts_key on facts (tenant_id, "key", id) where "key" is not null;
create index facts_status on facts (tenant_id, "status", id) where "status" is not null;
create index facts_source_call_session_id on facts (tenant_id, "source_call_session_id", id) where "source_call_session_id" is not null;
create index facts_confidence on facts (tenant_id, "confidence", id) where "confidence" is not null;
create index facts_observed_at on facts (tenant_id, "observed_at", id) where "observed_at" is not null;

create table fact_definitions (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "key" text generated always as (record ->> 'key') stored,
  "value_type" text generated always as (record ->> 'valueType') stored,
  primary key (tenant_id, id)
);
create index fact_definitions_updated_at on fact_definitions (tenant_id, updated_at);
create index fact_definitions_search on fact_definitions using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index fact_definitions_value_type on fact_definitions (tenant_id, "value_type", id) where "value_type" is not null;
create unique index fact_definitions_key_key on fact_definitions (tenant_id, "key");

create table signals (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "kind" text generated always as (record ->> 'kind') stored,
  "call_session_id" uuid generated always as ((record ->> 'callSessionId')::uuid) stored,
  "work_record_id" uuid generated always as ((record ->> 'workRecordId')::uuid) stored,
  "confidence" double precision generated always as ((record ->> 'confidence')::double precision) stored,
  primary key (tenant_id, id)
);
create index signals_updated_at on signals (tenant_id, updated_at);
create index signals_search on signals using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index signals_kind on signals (tenant_id, "kind", id) where "kind" is not null;
create index signals_call_session_id on signals (tenant_id, "call_session_id", id) where "call_session_id" is not null;
create index signals_work_record_id on signals (tenant_id, "work_record_id", id) where "work_record_id" is not null;
create index signals_confidence on signals (tenant_id, "confidence", id) where "confidence" is not null;

create table phone_numbers (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  "status" text generated always as (record ->> 'status') stored,
  "e164" text generated always as (record ->> 'e164') stored,
  primary key (tenant_id, id)
);
create index phone_numbers_updated_at on phone_numbers (tenant_id, updated_at);
create index phone_numbers_search on phone_numbers using gin (tenant_id, search) with (gin_pending_list_limit = 256);
create index phone_numbers_status on phone_numbers (tenant_id, "status", id) where "status" is not null;
create unique index phone_numbers_e164_key on phone_numbers (tenant_id, "e164");

create table webhook_subscriptions (
  tenant_id uuid not null,
  id uuid not null,
  version integer not null,
  updated_at timestamptz not null,
  record json not null,
  search tsvector not null default '',
  sealed bytea,
  "status" text generated always as (record ->> 'status') stored,
  "revoked_at" timestamptz generated always as (instant(record ->> 'revokedAt')) stored,
  "event_types" text[] not null default '{}',
  primary key (tenant_id, id)
);
create index webhook_subscriptions_updated_at on webhook_subscriptions (tenant_id, updated_at);
create index webhook_subscriptions_status on webhook_subscriptions (tenant_id, "status", id) where "status" is not null;
create index webhook_subscriptions_revoked_at on webhook_subscriptions (tenant_id, "revoked_at", id) where "revoked_at" is not null;
