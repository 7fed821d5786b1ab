// Every entity as a property of the client, with the verbs that it takes. Generated from the contract by scripts/generate.mjs; do not edit.
import {
  type Creates,
  type Deletes,
  type Gets,
  type Lists,
  type Replaces,
  type Updates,
  verbs,
} from '../resources/verbs.js'
import type { Send } from '../transport.js'
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

export interface PersonVerbs
  extends Lists<PersonQuery, Person>,
    Gets<Person>,
    Creates<PersonCreate, Person>,
    Updates<PersonUpdate, Person>,
    Replaces<PersonCreate, Person>,
    Deletes {}
export interface WorkRecordVerbs
  extends Lists<WorkRecordQuery, WorkRecord>,
    Gets<WorkRecord>,
    Creates<WorkRecordCreate, WorkRecord>,
    Updates<WorkRecordUpdate, WorkRecord>,
    Replaces<WorkRecordCreate, WorkRecord>,
    Deletes {}
export interface PartyVerbs
  extends Lists<PartyQuery, Party>,
    Gets<Party>,
    Creates<PartyCreate, Party>,
    Updates<PartyUpdate, Party>,
    Replaces<PartyCreate, Party>,
    Deletes {}
export interface CustomerVerbs
  extends Lists<CustomerQuery, Customer>,
    Gets<Customer>,
    Creates<CustomerCreate, Customer>,
    Updates<CustomerUpdate, Customer>,
    Replaces<CustomerCreate, Customer>,
    Deletes {}
export interface CompanyVerbs
  extends Lists<CompanyQuery, Company>,
    Gets<Company>,
    Creates<CompanyCreate, Company>,
    Updates<CompanyUpdate, Company>,
    Replaces<CompanyCreate, Company>,
    Deletes {}
export interface LocationVerbs
  extends Lists<LocationQuery, Location>,
    Gets<Location>,
    Creates<LocationCreate, Location>,
    Updates<LocationUpdate, Location>,
    Replaces<LocationCreate, Location>,
    Deletes {}
export interface ContactMethodVerbs
  extends Lists<ContactMethodQuery, ContactMethod>,
    Gets<ContactMethod>,
    Creates<ContactMethodCreate, ContactMethod>,
    Updates<ContactMethodUpdate, ContactMethod>,
    Replaces<ContactMethodCreate, ContactMethod>,
    Deletes {}
export interface MoneyRecordVerbs
  extends Lists<MoneyRecordQuery, MoneyRecord>,
    Gets<MoneyRecord>,
    Creates<MoneyRecordCreate, MoneyRecord>,
    Updates<MoneyRecordUpdate, MoneyRecord>,
    Replaces<MoneyRecordCreate, MoneyRecord>,
    Deletes {}
export interface ConversationVerbs
  extends Lists<ConversationQuery, Conversation>,
    Gets<Conversation>,
    Creates<ConversationCreate, Conversation>,
    Updates<ConversationUpdate, Conversation>,
    Replaces<ConversationCreate, Conversation>,
    Deletes {}
export interface IntegrationConnectionVerbs
  extends Lists<IntegrationConnectionQuery, IntegrationConnection>,
    Gets<IntegrationConnection>,
    Creates<IntegrationConnectionCreate, IntegrationConnection>,
    Updates<IntegrationConnectionUpdate, IntegrationConnection>,
    Replaces<IntegrationConnectionCreate, IntegrationConnection>,
    Deletes {}
export interface ExternalRefVerbs
  extends Lists<ExternalRefQuery, ExternalRef>,
    Gets<ExternalRef>,
    Creates<ExternalRefCreate, ExternalRef>,
    Updates<ExternalRefUpdate, ExternalRef>,
    Deletes {}
export interface FieldValueVerbs
  extends Lists<FieldValueQuery, FieldValue>,
    Gets<FieldValue>,
    Creates<FieldValueCreate, FieldValue>,
    Updates<FieldValueUpdate, FieldValue>,
    Deletes {}
export interface FieldHistoryEntryVerbs
  extends Lists<FieldHistoryEntryQuery, FieldHistoryEntry>,
    Gets<FieldHistoryEntry> {}
export interface SignalDefinitionVerbs
  extends Lists<SignalDefinitionQuery, SignalDefinition>,
    Gets<SignalDefinition>,
    Creates<SignalDefinitionCreate, SignalDefinition>,
    Updates<SignalDefinitionUpdate, SignalDefinition>,
    Deletes {}
export interface SignalEventVerbs
  extends Lists<SignalEventQuery, SignalEvent>,
    Gets<SignalEvent>,
    Creates<SignalEventCreate, SignalEvent> {}
export interface WorkTypeDefinitionVerbs
  extends Lists<WorkTypeDefinitionQuery, WorkTypeDefinition>,
    Gets<WorkTypeDefinition>,
    Creates<WorkTypeDefinitionCreate, WorkTypeDefinition>,
    Updates<WorkTypeDefinitionUpdate, WorkTypeDefinition>,
    Deletes {}
export interface TaskVerbs
  extends Lists<TaskQuery, Task>,
    Gets<Task>,
    Creates<TaskCreate, Task>,
    Updates<TaskUpdate, Task>,
    Replaces<TaskCreate, Task>,
    Deletes {}
export interface NoteVerbs
  extends Lists<NoteQuery, Note>,
    Gets<Note>,
    Creates<NoteCreate, Note>,
    Updates<NoteUpdate, Note>,
    Deletes {}
export interface AppointmentVerbs
  extends Lists<AppointmentQuery, Appointment>,
    Gets<Appointment>,
    Creates<AppointmentCreate, Appointment>,
    Updates<AppointmentUpdate, Appointment>,
    Replaces<AppointmentCreate, Appointment>,
    Deletes {}
export interface WorkflowRunVerbs
  extends Lists<WorkflowRunQuery, WorkflowRun>,
    Gets<WorkflowRun>,
    Creates<WorkflowRunCreate, WorkflowRun>,
    Updates<WorkflowRunUpdate, WorkflowRun> {}
export interface CallVerbs
  extends Lists<CallQuery, Call>,
    Gets<Call>,
    Creates<CallCreate, Call>,
    Updates<CallUpdate, Call> {}
export interface SmsVerbs extends Lists<SmsQuery, Sms>, Gets<Sms>, Creates<SmsCreate, Sms> {}
export interface MessageVerbs extends Lists<MessageQuery, Message>, Gets<Message>, Creates<MessageCreate, Message> {}
export interface VoicemailVerbs
  extends Lists<VoicemailQuery, Voicemail>,
    Gets<Voicemail>,
    Creates<VoicemailCreate, Voicemail>,
    Updates<VoicemailUpdate, Voicemail> {}
export interface DraftVerbs
  extends Lists<DraftQuery, Draft>,
    Gets<Draft>,
    Creates<DraftCreate, Draft>,
    Updates<DraftUpdate, Draft> {}
export interface FactVerbs extends Lists<FactQuery, Fact>, Gets<Fact>, Creates<FactCreate, Fact> {}
export interface FactDefinitionVerbs
  extends Lists<FactDefinitionQuery, FactDefinition>,
    Gets<FactDefinition>,
    Creates<FactDefinitionCreate, FactDefinition>,
    Updates<FactDefinitionUpdate, FactDefinition>,
    Deletes {}
export interface SignalVerbs extends Lists<SignalQuery, Signal>, Gets<Signal> {}
export interface PhoneNumberVerbs
  extends Lists<PhoneNumberQuery, PhoneNumber>,
    Gets<PhoneNumber>,
    Creates<PhoneNumberCreate, PhoneNumber>,
    Updates<PhoneNumberUpdate, PhoneNumber> {}

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
}
