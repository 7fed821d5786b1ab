// Every entity as a property of the client, with the verbs that it takes. Generated from the contract by scripts/generate.mjs; do not edit.
import type { ApiPromise } from '../api-promise.js'
import type { Listing } from '../page.js'
import type { BatchItem, BatchOptions, BatchResult } from '../resources/batch.js'
import type { ExportQuery } from '../resources/exports.js'
import { verbs } from '../resources/verbs.js'
import type { RequestOptions, Send } from '../transport.js'
import type {
  Appointment,
  AppointmentCreate,
  AppointmentQuery,
  AppointmentUpdate,
  Call,
  CallCreate,
  CallQuery,
  CallUpdate,
  Company,
  CompanyCreate,
  CompanyQuery,
  CompanyUpdate,
  ContactMethod,
  ContactMethodCreate,
  ContactMethodQuery,
  ContactMethodUpdate,
  Conversation,
  ConversationCreate,
  ConversationQuery,
  ConversationUpdate,
  Customer,
  CustomerCreate,
  CustomerQuery,
  CustomerUpdate,
  Draft,
  DraftCreate,
  DraftQuery,
  DraftUpdate,
  ExternalRef,
  ExternalRefCreate,
  ExternalRefQuery,
  ExternalRefUpdate,
  Fact,
  FactCreate,
  FactDefinition,
  FactDefinitionCreate,
  FactDefinitionQuery,
  FactDefinitionUpdate,
  FactQuery,
  FieldHistoryEntry,
  FieldHistoryEntryQuery,
  FieldValue,
  FieldValueCreate,
  FieldValueQuery,
  FieldValueUpdate,
  IntegrationConnection,
  IntegrationConnectionCreate,
  IntegrationConnectionQuery,
  IntegrationConnectionUpdate,
  Location,
  LocationCreate,
  LocationQuery,
  LocationUpdate,
  Message,
  MessageCreate,
  MessageQuery,
  MoneyRecord,
  MoneyRecordCreate,
  MoneyRecordQuery,
  MoneyRecordUpdate,
  Note,
  NoteCreate,
  NoteQuery,
  NoteUpdate,
  Party,
  PartyCreate,
  PartyQuery,
  PartyUpdate,
  Person,
  PersonCreate,
  PersonQuery,
  PersonUpdate,
  PhoneNumber,
  PhoneNumberCreate,
  PhoneNumberQuery,
  PhoneNumberUpdate,
  SavedView,
  SavedViewCreate,
  SavedViewQuery,
  SavedViewUpdate,
  Signal,
  SignalDefinition,
  SignalDefinitionCreate,
  SignalDefinitionQuery,
  SignalDefinitionUpdate,
  SignalEvent,
  SignalEventCreate,
  SignalEventQuery,
  SignalQuery,
  Sms,
  SmsCreate,
  SmsQuery,
  Task,
  TaskCreate,
  TaskQuery,
  TaskUpdate,
  Voicemail,
  VoicemailCreate,
  VoicemailQuery,
  VoicemailUpdate,
  WorkflowRun,
  WorkflowRunCreate,
  WorkflowRunQuery,
  WorkflowRunUpdate,
  WorkRecord,
  WorkRecordCreate,
  WorkRecordQuery,
  WorkRecordUpdate,
  WorkTypeDefinition,
  WorkTypeDefinitionCreate,
  WorkTypeDefinitionQuery,
  WorkTypeDefinitionUpdate,
} from './records.js'

/** What can be done with people. */
export interface PersonVerbs {
  /** People, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: PersonQuery, options?: RequestOptions): Listing<Person>
  /** A person by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Person>
  /** Creates a person. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: PersonCreate, options?: RequestOptions): ApiPromise<Person>
  /** Changes a person: what is left out stays as it is; null clears. */
  update(id: string, body: PersonUpdate, options?: RequestOptions): ApiPromise<Person>
  /** Writes a person anew: what is left out goes back to its default. */
  replace(id: string, body: PersonCreate, options?: RequestOptions): ApiPromise<Person>
  /** Deletes a person; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 people created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<PersonCreate, PersonUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Person>[]>
  /** People as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<PersonQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with work records. */
export interface WorkRecordVerbs {
  /** Work records, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: WorkRecordQuery, options?: RequestOptions): Listing<WorkRecord>
  /** A work record by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<WorkRecord>
  /** Creates a work record. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: WorkRecordCreate, options?: RequestOptions): ApiPromise<WorkRecord>
  /** Changes a work record: what is left out stays as it is; null clears. */
  update(id: string, body: WorkRecordUpdate, options?: RequestOptions): ApiPromise<WorkRecord>
  /** Writes a work record anew: what is left out goes back to its default. */
  replace(id: string, body: WorkRecordCreate, options?: RequestOptions): ApiPromise<WorkRecord>
  /** Deletes a work record; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 work records created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<WorkRecordCreate, WorkRecordUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<WorkRecord>[]>
  /** Work records as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<WorkRecordQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with parties. */
export interface PartyVerbs {
  /** Parties, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: PartyQuery, options?: RequestOptions): Listing<Party>
  /** A party by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Party>
  /** Creates a party. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: PartyCreate, options?: RequestOptions): ApiPromise<Party>
  /** Changes a party: what is left out stays as it is; null clears. */
  update(id: string, body: PartyUpdate, options?: RequestOptions): ApiPromise<Party>
  /** Writes a party anew: what is left out goes back to its default. */
  replace(id: string, body: PartyCreate, options?: RequestOptions): ApiPromise<Party>
  /** Deletes a party; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 parties created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(items: readonly BatchItem<PartyCreate, PartyUpdate>[], options?: BatchOptions): ApiPromise<BatchResult<Party>[]>
  /** Parties as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<PartyQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with customers. */
export interface CustomerVerbs {
  /** Customers, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: CustomerQuery, options?: RequestOptions): Listing<Customer>
  /** A customer by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Customer>
  /** Creates a customer. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: CustomerCreate, options?: RequestOptions): ApiPromise<Customer>
  /** Changes a customer: what is left out stays as it is; null clears. */
  update(id: string, body: CustomerUpdate, options?: RequestOptions): ApiPromise<Customer>
  /** Writes a customer anew: what is left out goes back to its default. */
  replace(id: string, body: CustomerCreate, options?: RequestOptions): ApiPromise<Customer>
  /** Deletes a customer; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 customers created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<CustomerCreate, CustomerUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Customer>[]>
  /** Customers as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<CustomerQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with companies. */
export interface CompanyVerbs {
  /** Companies, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: CompanyQuery, options?: RequestOptions): Listing<Company>
  /** A company by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Company>
  /** Creates a company. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: CompanyCreate, options?: RequestOptions): ApiPromise<Company>
  /** Changes a company: what is left out stays as it is; null clears. */
  update(id: string, body: CompanyUpdate, options?: RequestOptions): ApiPromise<Company>
  /** Writes a company anew: what is left out goes back to its default. */
  replace(id: string, body: CompanyCreate, options?: RequestOptions): ApiPromise<Company>
  /** Deletes a company; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 companies created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<CompanyCreate, CompanyUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Company>[]>
  /** Companies as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<CompanyQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with locations. */
export interface LocationVerbs {
  /** Locations, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: LocationQuery, options?: RequestOptions): Listing<Location>
  /** A location by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Location>
  /** Creates a location. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: LocationCreate, options?: RequestOptions): ApiPromise<Location>
  /** Changes a location: what is left out stays as it is; null clears. */
  update(id: string, body: LocationUpdate, options?: RequestOptions): ApiPromise<Location>
  /** Writes a location anew: what is left out goes back to its default. */
  replace(id: string, body: LocationCreate, options?: RequestOptions): ApiPromise<Location>
  /** Deletes a location; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 locations created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<LocationCreate, LocationUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Location>[]>
  /** Locations as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<LocationQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with contact methods. */
export interface ContactMethodVerbs {
  /** Contact methods, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: ContactMethodQuery, options?: RequestOptions): Listing<ContactMethod>
  /** A contact method by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<ContactMethod>
  /** Creates a contact method. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: ContactMethodCreate, options?: RequestOptions): ApiPromise<ContactMethod>
  /** Changes a contact method: what is left out stays as it is; null clears. */
  update(id: string, body: ContactMethodUpdate, options?: RequestOptions): ApiPromise<ContactMethod>
  /** Writes a contact method anew: what is left out goes back to its default. */
  replace(id: string, body: ContactMethodCreate, options?: RequestOptions): ApiPromise<ContactMethod>
  /** Deletes a contact method; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 contact methods created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<ContactMethodCreate, ContactMethodUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<ContactMethod>[]>
  /** Contact methods as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<ContactMethodQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with money records. */
export interface MoneyRecordVerbs {
  /** Money records, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: MoneyRecordQuery, options?: RequestOptions): Listing<MoneyRecord>
  /** A money record by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<MoneyRecord>
  /** Creates a money record. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: MoneyRecordCreate, options?: RequestOptions): ApiPromise<MoneyRecord>
  /** Changes a money record: what is left out stays as it is; null clears. */
  update(id: string, body: MoneyRecordUpdate, options?: RequestOptions): ApiPromise<MoneyRecord>
  /** Writes a money record anew: what is left out goes back to its default. */
  replace(id: string, body: MoneyRecordCreate, options?: RequestOptions): ApiPromise<MoneyRecord>
  /** Deletes a money record; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 money records created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<MoneyRecordCreate, MoneyRecordUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<MoneyRecord>[]>
  /** Money records as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<MoneyRecordQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with conversations. */
export interface ConversationVerbs {
  /** Conversations, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: ConversationQuery, options?: RequestOptions): Listing<Conversation>
  /** A conversation by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Conversation>
  /** Creates a conversation. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: ConversationCreate, options?: RequestOptions): ApiPromise<Conversation>
  /** Changes a conversation: what is left out stays as it is; null clears. */
  update(id: string, body: ConversationUpdate, options?: RequestOptions): ApiPromise<Conversation>
  /** Writes a conversation anew: what is left out goes back to its default. */
  replace(id: string, body: ConversationCreate, options?: RequestOptions): ApiPromise<Conversation>
  /** Deletes a conversation; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 conversations created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<ConversationCreate, ConversationUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Conversation>[]>
  /** Conversations as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<ConversationQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with integration connections. */
export interface IntegrationConnectionVerbs {
  /** Integration connections, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: IntegrationConnectionQuery, options?: RequestOptions): Listing<IntegrationConnection>
  /** An integration connection by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<IntegrationConnection>
  /** Creates an integration connection. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: IntegrationConnectionCreate, options?: RequestOptions): ApiPromise<IntegrationConnection>
  /** Changes an integration connection: what is left out stays as it is; null clears. */
  update(id: string, body: IntegrationConnectionUpdate, options?: RequestOptions): ApiPromise<IntegrationConnection>
  /** Writes an integration connection anew: what is left out goes back to its default. */
  replace(id: string, body: IntegrationConnectionCreate, options?: RequestOptions): ApiPromise<IntegrationConnection>
  /** Deletes an integration connection; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Integration connections as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<IntegrationConnectionQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with external references. */
export interface ExternalRefVerbs {
  /** External references, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: ExternalRefQuery, options?: RequestOptions): Listing<ExternalRef>
  /** An external ref by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<ExternalRef>
  /** Creates an external ref. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: ExternalRefCreate, options?: RequestOptions): ApiPromise<ExternalRef>
  /** Changes an external ref: what is left out stays as it is; null clears. */
  update(id: string, body: ExternalRefUpdate, options?: RequestOptions): ApiPromise<ExternalRef>
  /** Deletes an external ref; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 external references created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<ExternalRefCreate, ExternalRefUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<ExternalRef>[]>
  /** External references as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<ExternalRefQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with field values. */
export interface FieldValueVerbs {
  /** Field values, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: FieldValueQuery, options?: RequestOptions): Listing<FieldValue>
  /** A field value by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<FieldValue>
  /** Creates a field value. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: FieldValueCreate, options?: RequestOptions): ApiPromise<FieldValue>
  /** Changes a field value: what is left out stays as it is; null clears. */
  update(id: string, body: FieldValueUpdate, options?: RequestOptions): ApiPromise<FieldValue>
  /** Deletes a field value; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 field values created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<FieldValueCreate, FieldValueUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<FieldValue>[]>
  /** Field values as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<FieldValueQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with field history. */
export interface FieldHistoryEntryVerbs {
  /** Field history, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: FieldHistoryEntryQuery, options?: RequestOptions): Listing<FieldHistoryEntry>
  /** A field history entry by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<FieldHistoryEntry>
  /** Field history as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<FieldHistoryEntryQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with signal definitions. */
export interface SignalDefinitionVerbs {
  /** Signal definitions, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: SignalDefinitionQuery, options?: RequestOptions): Listing<SignalDefinition>
  /** A signal definition by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<SignalDefinition>
  /** Creates a signal definition. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: SignalDefinitionCreate, options?: RequestOptions): ApiPromise<SignalDefinition>
  /** Changes a signal definition: what is left out stays as it is; null clears. */
  update(id: string, body: SignalDefinitionUpdate, options?: RequestOptions): ApiPromise<SignalDefinition>
  /** Deletes a signal definition; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 signal definitions created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<SignalDefinitionCreate, SignalDefinitionUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<SignalDefinition>[]>
  /** Signal definitions as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<SignalDefinitionQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with signal events. */
export interface SignalEventVerbs {
  /** Signal events, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: SignalEventQuery, options?: RequestOptions): Listing<SignalEvent>
  /** A signal event by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<SignalEvent>
  /** Creates a signal event. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: SignalEventCreate, options?: RequestOptions): ApiPromise<SignalEvent>
  /** Signal events as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<SignalEventQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with work-type definitions. */
export interface WorkTypeDefinitionVerbs {
  /** Work-type definitions, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: WorkTypeDefinitionQuery, options?: RequestOptions): Listing<WorkTypeDefinition>
  /** A work type definition by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<WorkTypeDefinition>
  /** Creates a work type definition. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: WorkTypeDefinitionCreate, options?: RequestOptions): ApiPromise<WorkTypeDefinition>
  /** Changes a work type definition: what is left out stays as it is; null clears. */
  update(id: string, body: WorkTypeDefinitionUpdate, options?: RequestOptions): ApiPromise<WorkTypeDefinition>
  /** Deletes a work type definition; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 work-type definitions created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<WorkTypeDefinitionCreate, WorkTypeDefinitionUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<WorkTypeDefinition>[]>
  /** Work-type definitions as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<WorkTypeDefinitionQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with tasks. */
export interface TaskVerbs {
  /** Tasks, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: TaskQuery, options?: RequestOptions): Listing<Task>
  /** A task by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Task>
  /** Creates a task. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: TaskCreate, options?: RequestOptions): ApiPromise<Task>
  /** Changes a task: what is left out stays as it is; null clears. */
  update(id: string, body: TaskUpdate, options?: RequestOptions): ApiPromise<Task>
  /** Writes a task anew: what is left out goes back to its default. */
  replace(id: string, body: TaskCreate, options?: RequestOptions): ApiPromise<Task>
  /** Deletes a task; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 tasks created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(items: readonly BatchItem<TaskCreate, TaskUpdate>[], options?: BatchOptions): ApiPromise<BatchResult<Task>[]>
  /** Tasks as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<TaskQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with notes. */
export interface NoteVerbs {
  /** Notes, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: NoteQuery, options?: RequestOptions): Listing<Note>
  /** A note by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Note>
  /** Creates a note. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: NoteCreate, options?: RequestOptions): ApiPromise<Note>
  /** Changes a note: what is left out stays as it is; null clears. */
  update(id: string, body: NoteUpdate, options?: RequestOptions): ApiPromise<Note>
  /** Deletes a note; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 notes created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(items: readonly BatchItem<NoteCreate, NoteUpdate>[], options?: BatchOptions): ApiPromise<BatchResult<Note>[]>
  /** Notes as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<NoteQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with appointments. */
export interface AppointmentVerbs {
  /** Appointments, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: AppointmentQuery, options?: RequestOptions): Listing<Appointment>
  /** An appointment by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Appointment>
  /** Creates an appointment. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: AppointmentCreate, options?: RequestOptions): ApiPromise<Appointment>
  /** Changes an appointment: what is left out stays as it is; null clears. */
  update(id: string, body: AppointmentUpdate, options?: RequestOptions): ApiPromise<Appointment>
  /** Writes an appointment anew: what is left out goes back to its default. */
  replace(id: string, body: AppointmentCreate, options?: RequestOptions): ApiPromise<Appointment>
  /** Deletes an appointment; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 appointments created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<AppointmentCreate, AppointmentUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<Appointment>[]>
  /** Appointments as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<AppointmentQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with workflow runs. */
export interface WorkflowRunVerbs {
  /** Workflow runs, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: WorkflowRunQuery, options?: RequestOptions): Listing<WorkflowRun>
  /** A workflow run by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<WorkflowRun>
  /** Creates a workflow run. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: WorkflowRunCreate, options?: RequestOptions): ApiPromise<WorkflowRun>
  /** Changes a workflow run: what is left out stays as it is; null clears. */
  update(id: string, body: WorkflowRunUpdate, options?: RequestOptions): ApiPromise<WorkflowRun>
  /** Up to 500 workflow runs created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<WorkflowRunCreate, WorkflowRunUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<WorkflowRun>[]>
  /** Workflow runs as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<WorkflowRunQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with calls. */
export interface CallVerbs {
  /** Calls, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: CallQuery, options?: RequestOptions): Listing<Call>
  /** A call by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Call>
  /** Creates a call. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: CallCreate, options?: RequestOptions): ApiPromise<Call>
  /** Changes a call: what is left out stays as it is; null clears. */
  update(id: string, body: CallUpdate, options?: RequestOptions): ApiPromise<Call>
  /** Calls as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<CallQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with SMS. */
export interface SmsVerbs {
  /** SMS, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: SmsQuery, options?: RequestOptions): Listing<Sms>
  /** An SMS by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Sms>
  /** Creates an SMS. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: SmsCreate, options?: RequestOptions): ApiPromise<Sms>
  /** SMS as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<SmsQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with messages. */
export interface MessageVerbs {
  /** Messages, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: MessageQuery, options?: RequestOptions): Listing<Message>
  /** A message by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Message>
  /** Creates a message. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: MessageCreate, options?: RequestOptions): ApiPromise<Message>
  /** Messages as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<MessageQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with voicemails. */
export interface VoicemailVerbs {
  /** Voicemails, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: VoicemailQuery, options?: RequestOptions): Listing<Voicemail>
  /** A voicemail by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Voicemail>
  /** Creates a voicemail. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: VoicemailCreate, options?: RequestOptions): ApiPromise<Voicemail>
  /** Changes a voicemail: what is left out stays as it is; null clears. */
  update(id: string, body: VoicemailUpdate, options?: RequestOptions): ApiPromise<Voicemail>
  /** Voicemails as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<VoicemailQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with drafts. */
export interface DraftVerbs {
  /** Drafts, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: DraftQuery, options?: RequestOptions): Listing<Draft>
  /** A draft by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Draft>
  /** Creates a draft. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: DraftCreate, options?: RequestOptions): ApiPromise<Draft>
  /** Changes a draft: what is left out stays as it is; null clears. */
  update(id: string, body: DraftUpdate, options?: RequestOptions): ApiPromise<Draft>
  /** Drafts as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<DraftQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with facts. */
export interface FactVerbs {
  /** Facts, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: FactQuery, options?: RequestOptions): Listing<Fact>
  /** A fact by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Fact>
  /** Creates a fact. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: FactCreate, options?: RequestOptions): ApiPromise<Fact>
  /** Facts as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<FactQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with fact definitions. */
export interface FactDefinitionVerbs {
  /** Fact definitions, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: FactDefinitionQuery, options?: RequestOptions): Listing<FactDefinition>
  /** A fact definition by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<FactDefinition>
  /** Creates a fact definition. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: FactDefinitionCreate, options?: RequestOptions): ApiPromise<FactDefinition>
  /** Changes a fact definition: what is left out stays as it is; null clears. */
  update(id: string, body: FactDefinitionUpdate, options?: RequestOptions): ApiPromise<FactDefinition>
  /** Deletes a fact definition; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Up to 500 fact definitions created, updated or upserted in one request, answered in their order. One that fails does not harm the others; with `atomic` it refuses all. */
  batch(
    items: readonly BatchItem<FactDefinitionCreate, FactDefinitionUpdate>[],
    options?: BatchOptions,
  ): ApiPromise<BatchResult<FactDefinition>[]>
  /** Fact definitions as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<FactDefinitionQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with signals. */
export interface SignalVerbs {
  /** Signals, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: SignalQuery, options?: RequestOptions): Listing<Signal>
  /** A signal by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<Signal>
  /** Signals as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<SignalQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with phone numbers. */
export interface PhoneNumberVerbs {
  /** Phone numbers, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: PhoneNumberQuery, options?: RequestOptions): Listing<PhoneNumber>
  /** A phone number by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<PhoneNumber>
  /** Creates a phone number. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: PhoneNumberCreate, options?: RequestOptions): ApiPromise<PhoneNumber>
  /** Changes a phone number: what is left out stays as it is; null clears. */
  update(id: string, body: PhoneNumberUpdate, options?: RequestOptions): ApiPromise<PhoneNumber>
  /** Phone numbers as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<PhoneNumberQuery>, options?: RequestOptions): Promise<Response>
}
/** What can be done with saved views. */
export interface SavedViewVerbs {
  /** Saved views, newest first unless sorted: `await` gives a page, `for await` every one. */
  list(query?: SavedViewQuery, options?: RequestOptions): Listing<SavedView>
  /** A saved view by its id; NotFoundError where there is none. */
  get(id: string, options?: RequestOptions): ApiPromise<SavedView>
  /** Creates a saved view. With `externalRefs` of one that exists, that one is updated instead. */
  create(body: SavedViewCreate, options?: RequestOptions): ApiPromise<SavedView>
  /** Changes a saved view: what is left out stays as it is; null clears. */
  update(id: string, body: SavedViewUpdate, options?: RequestOptions): ApiPromise<SavedView>
  /** Deletes a saved view; it is then listed by `deletedRecords`. */
  delete(id: string, options?: RequestOptions): ApiPromise<void>
  /** Saved views as a file, as of one moment: read the body of the response as it comes, it may be large. */
  export(query?: ExportQuery<SavedViewQuery>, options?: RequestOptions): Promise<Response>
}

/** What the client has for every entity; those with more than the plain verbs say so themselves. */
export class Entities {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Someone the organization talks to. */
  get people(): PersonVerbs {
    return verbs(this.#send, 'people')
  }
  /** A unit of work: a job, a matter, a repair order, a claim. */
  get workRecords(): WorkRecordVerbs {
    return verbs(this.#send, 'work-records')
  }
  /** A person or organization in some relation to the business: lead, customer, vendor, partner. */
  get parties(): PartyVerbs {
    return verbs(this.#send, 'parties')
  }
  /** An account that work is done for. */
  get customers(): CustomerVerbs {
    return verbs(this.#send, 'customers')
  }
  /** A business the organization deals with. */
  get companies(): CompanyVerbs {
    return verbs(this.#send, 'companies')
  }
  /** A place where work is done or mail goes. */
  get locations(): LocationVerbs {
    return verbs(this.#send, 'locations')
  }
  /** One way to reach someone, with what they have agreed to. */
  get contactMethods(): ContactMethodVerbs {
    return verbs(this.#send, 'contact-methods')
  }
  /** An estimate, invoice, payment or other amount, in minor units. */
  get moneyRecords(): MoneyRecordVerbs {
    return verbs(this.#send, 'money-records')
  }
  /** A thread with one participant on one channel. */
  get conversations(): ConversationVerbs {
    return verbs(this.#send, 'conversations')
  }
  /** A connection to another system. Its credentials are encrypted and never read back. */
  get integrationConnections(): IntegrationConnectionVerbs {
    return verbs(this.#send, 'integration-connections')
  }
  /** What a record is called in another system. */
  get externalRefs(): ExternalRefVerbs {
    return verbs(this.#send, 'external-refs')
  }
  /** The persistent value of a custom field on a record, with where it came from. */
  get fieldValues(): FieldValueVerbs {
    return verbs(this.#send, 'field-values')
  }
  /** One change of one field: what it was, what it became, who did it. */
  get fieldHistoryEntries(): FieldHistoryEntryVerbs {
    return verbs(this.#send, 'field-history-entries')
  }
  /** A kind of signal: how severe it is and how sure we must be before it fires. */
  get signalDefinitions(): SignalDefinitionVerbs {
    return verbs(this.#send, 'signal-definitions')
  }
  /** Every raw detection of a signal, whether or not it was sure enough to fire. */
  get signalEvents(): SignalEventVerbs {
    return verbs(this.#send, 'signal-events')
  }
  /** Which kinds of work the organization does, with their defaults and fields. */
  get workTypeDefinitions(): WorkTypeDefinitionVerbs {
    return verbs(this.#send, 'work-type-definitions')
  }
  /** Something to do, often promised on a call. */
  get tasks(): TaskVerbs {
    return verbs(this.#send, 'tasks')
  }
  /** Free text about a person, company, customer or work record. */
  get notes(): NoteVerbs {
    return verbs(this.#send, 'notes')
  }
  /** A time at which something was agreed to happen. */
  get appointments(): AppointmentVerbs {
    return verbs(this.#send, 'appointments')
  }
  /** One run of an automated workflow and what it captured. */
  get workflowRuns(): WorkflowRunVerbs {
    return verbs(this.#send, 'workflow-runs')
  }
  /** One call, from ring to end, with what was said and learned. */
  get calls(): CallVerbs {
    return verbs(this.#send, 'calls')
  }
  /** One text message. */
  get sms(): SmsVerbs {
    return verbs(this.#send, 'sms')
  }
  /** One message of any channel: a text, a call, a voicemail, an e-mail. */
  get messages(): MessageVerbs {
    return verbs(this.#send, 'messages')
  }
  /** A message a caller left, with its transcript and recording. */
  get voicemails(): VoicemailVerbs {
    return verbs(this.#send, 'voicemails')
  }
  /** A proposed work record from a call, awaiting human approval. */
  get drafts(): DraftVerbs {
    return verbs(this.#send, 'drafts')
  }
  /** Something learned about a subject, with its evidence and its standing. */
  get facts(): FactVerbs {
    return verbs(this.#send, 'facts')
  }
  /** What a fact key means: its type, its subject, and when it confirms itself. */
  get factDefinitions(): FactDefinitionVerbs {
    return verbs(this.#send, 'fact-definitions')
  }
  /** A complaint, an upsell, an escalation: something noticed with confidence. */
  get signals(): SignalVerbs {
    return verbs(this.#send, 'signals')
  }
  /** A number the organization owns. */
  get phoneNumbers(): PhoneNumberVerbs {
    return verbs(this.#send, 'phone-numbers')
  }
  /** Filters of work under a name. Everybody in the organization sees the same ones. */
  get savedViews(): SavedViewVerbs {
    return verbs(this.#send, 'saved-views')
  }
}
