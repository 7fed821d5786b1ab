// What the sandbox plays: four conversations of four trades, as data. Times are in seconds of real talk; what is
// learned stands with the line that says it.
import type { ScriptName } from '@parley/contract'

export interface ScriptLine {
  readonly speaker: 'caller' | 'ai' | 'agent'
  readonly text: string
  readonly seconds: number
  /** What is learned from this line: key, value and how sure one can be. */
  readonly facts?: readonly (readonly [key: string, value: unknown, confidence: number])[]
  readonly signal?: {
    readonly kind: string
    readonly confidence: number
    readonly details: Readonly<Record<string, unknown>>
  }
}

export interface Script {
  readonly callerName: string
  readonly from: string
  readonly lines: readonly ScriptLine[]
  readonly summary: string
  readonly draft: {
    readonly canonicalKind: string
    readonly title: string
    readonly payload: Readonly<Record<string, unknown>>
    readonly confidence: number
  }
  readonly voicemail: string
  readonly sms: string
}

const leakingSink: Script = {
  callerName: 'Maria Alvarez',
  from: '+15550142201',
  lines: [
    { speaker: 'ai', text: 'Harbor Plumbing, you are on a recorded line. How can I help?', seconds: 4 },
    {
      speaker: 'caller',
      text: 'Hi, my kitchen sink is leaking, there is water all over the floor.',
      seconds: 6,
      facts: [['issue', 'kitchen sink leaking', 0.96]],
      signal: { kind: 'urgent_request', confidence: 0.91, details: { reason: 'active leak' } },
    },
    {
      speaker: 'ai',
      text: 'I am sorry to hear that. Have you been able to shut the water off under the sink?',
      seconds: 5,
    },
    {
      speaker: 'caller',
      text: 'Yes, I turned the valve. It was dripping from the pipe under the basin.',
      seconds: 6,
      facts: [
        ['water_shut_off', true, 0.93],
        ['leak_location', 'drain pipe under the basin', 0.84],
      ],
    },
    { speaker: 'ai', text: 'Good. What is the address, and who am I speaking with?', seconds: 4 },
    {
      speaker: 'caller',
      text: 'Maria Alvarez, 18 Quay Street, apartment 4. Could someone come tomorrow morning?',
      seconds: 7,
      facts: [
        ['display_name', 'Maria Alvarez', 0.97],
        ['service_address', '18 Quay Street, apartment 4', 0.95],
        ['preferred_time', 'tomorrow morning', 0.88],
      ],
    },
    {
      speaker: 'ai',
      text: 'We will have a plumber there between eight and ten. You will get a text to confirm.',
      seconds: 5,
    },
    { speaker: 'caller', text: 'Perfect, thank you so much.', seconds: 3 },
  ],
  summary:
    'Kitchen sink leaks at the drain pipe; water is shut off. Maria Alvarez asks for a plumber tomorrow morning ' +
    'at 18 Quay Street.',
  draft: {
    canonicalKind: 'job',
    title: 'Repair leaking kitchen sink',
    payload: {
      priority: 'high',
      description: 'Drain pipe under the basin drips; the valve is shut.',
      leak_location: 'drain pipe under the basin',
    },
    confidence: 0.9,
  },
  voicemail: 'Hi, it is Maria Alvarez. My kitchen sink is leaking again, please call me back as soon as you can.',
  sms: 'Hi, the sink is leaking again. Can the plumber come back today? Maria',
}

const legalMatter: Script = {
  callerName: 'David Okafor',
  from: '+15550142202',
  lines: [
    { speaker: 'agent', text: 'Lindqvist and Partners, this is Ana. What can I do for you?', seconds: 4 },
    {
      speaker: 'caller',
      text: 'My landlord has kept my deposit and now he has filed a claim against me. I need a lawyer.',
      seconds: 8,
      facts: [
        ['matter_type', 'landlord and tenant dispute', 0.94],
        ['claim_filed', true, 0.9],
      ],
    },
    { speaker: 'agent', text: 'Have you received a court date, and who is the other party?', seconds: 5 },
    {
      speaker: 'caller',
      text: 'The hearing is on the ninth of March 2027. The landlord is Brightwater Properties.',
      seconds: 7,
      facts: [
        ['hearing_date', '2027-03-09', 0.89],
        ['opposing_party', 'Brightwater Properties', 0.95],
      ],
      signal: { kind: 'deadline_mentioned', confidence: 0.93, details: { date: '2027-03-09' } },
    },
    {
      speaker: 'agent',
      text: 'I will check for conflicts. How much is the deposit, and how did you hear of us?',
      seconds: 5,
    },
    {
      speaker: 'caller',
      text: 'Two thousand four hundred dollars. A friend of mine was your client.',
      seconds: 6,
      facts: [
        ['amount_in_dispute', 2400, 0.92],
        ['referral_source', 'former client', 0.81],
      ],
    },
    { speaker: 'agent', text: 'Thank you, Mr. Okafor. You will hear from us within one business day.', seconds: 4 },
  ],
  summary:
    'David Okafor needs representation in a deposit dispute with Brightwater Properties over $2,400; hearing on 9 ' +
    'March 2027.',
  draft: {
    canonicalKind: 'matter',
    title: 'Okafor v. Brightwater Properties: deposit',
    payload: { priority: 'normal', opposing_party: 'Brightwater Properties', amount_in_dispute: 2400 },
    confidence: 0.87,
  },
  voicemail: 'This is David Okafor. I was sued by my landlord and the hearing is in March. Please call me back.',
  sms: 'Hello, this is David Okafor. I have the papers from the court, where should I send them?',
}

const tow: Script = {
  callerName: 'Priya Raman',
  from: '+15550142203',
  lines: [
    { speaker: 'ai', text: 'Northway Towing. Are you in a safe place?', seconds: 3 },
    {
      speaker: 'caller',
      text: 'Yes, I am on the shoulder. The car died on the highway, exit 41 northbound.',
      seconds: 6,
      facts: [
        ['is_safe', true, 0.92],
        ['pickup_location', 'exit 41 northbound, shoulder', 0.93],
      ],
      signal: { kind: 'roadside_emergency', confidence: 0.95, details: { where: 'exit 41 northbound' } },
    },
    { speaker: 'ai', text: 'Which car is it, and does it roll?', seconds: 3 },
    {
      speaker: 'caller',
      text: 'A grey 2019 Civic, and yes, it rolls in neutral.',
      seconds: 5,
      facts: [
        ['vehicle', '2019 grey Honda Civic', 0.94],
        ['rolls', true, 0.9],
      ],
    },
    { speaker: 'ai', text: 'Where should we take it?', seconds: 2 },
    {
      speaker: 'caller',
      text: 'To Mason Auto on Fifth Street. I am Priya Raman, I am a member.',
      seconds: 5,
      facts: [
        ['dropoff_location', 'Mason Auto, Fifth Street', 0.95],
        ['display_name', 'Priya Raman', 0.96],
        ['is_member', true, 0.85],
      ],
    },
    {
      speaker: 'ai',
      text: 'A truck will be there in about thirty five minutes. Please stay behind the rail.',
      seconds: 4,
    },
  ],
  summary:
    'Priya Raman’s 2019 Civic died at exit 41 northbound; tow to Mason Auto on Fifth Street, truck in about 35 ' +
    'minutes.',
  draft: {
    canonicalKind: 'service_request',
    title: 'Tow 2019 Civic from exit 41 to Mason Auto',
    payload: {
      priority: 'urgent',
      vehicle: '2019 grey Honda Civic',
      pickup_location: 'exit 41 northbound',
      dropoff_location: 'Mason Auto, Fifth Street',
    },
    confidence: 0.93,
  },
  voicemail: 'Hi, my car broke down at exit 41 northbound. It is a grey Civic. Please call me, this is Priya.',
  sms: 'This is Priya. The truck has not come yet, is it still on its way?',
}

const clinicAppointment: Script = {
  callerName: 'Tom Becker',
  from: '+15550142204',
  lines: [
    { speaker: 'ai', text: 'Riverside Clinic, good morning. Are you calling about an appointment?', seconds: 4 },
    {
      speaker: 'caller',
      text: 'Yes, I would like to see Doctor Shah. My knee has been hurting since I fell last week.',
      seconds: 7,
      facts: [
        ['reason_for_visit', 'knee pain after a fall', 0.95],
        ['requested_provider', 'Dr. Shah', 0.94],
      ],
    },
    { speaker: 'ai', text: 'Can you walk on it, and have you been here before?', seconds: 4 },
    {
      speaker: 'caller',
      text: 'I can walk, it just hurts on the stairs. And no, I am a new patient.',
      seconds: 5,
      facts: [
        ['new_patient', true, 0.96],
        ['can_walk', true, 0.9],
      ],
      signal: { kind: 'new_patient', confidence: 0.9, details: { provider: 'Dr. Shah' } },
    },
    {
      speaker: 'ai',
      text: 'Doctor Shah has Thursday at half past nine. May I have your name and date of birth?',
      seconds: 5,
    },
    {
      speaker: 'caller',
      text: 'Thursday is fine. Tom Becker, the second of June 1984.',
      seconds: 5,
      facts: [
        ['display_name', 'Tom Becker', 0.97],
        ['date_of_birth', '1984-06-02', 0.91],
        ['preferred_time', 'Thursday 9:30', 0.92],
      ],
    },
    { speaker: 'ai', text: 'You are booked, Mr. Becker. Please come ten minutes early for the forms.', seconds: 4 },
  ],
  summary: 'New patient Tom Becker, knee pain after a fall, wants Dr. Shah; Thursday 9:30 offered and accepted.',
  draft: {
    canonicalKind: 'appointment_encounter',
    title: 'New patient: Tom Becker, knee pain',
    payload: { priority: 'normal', reason_for_visit: 'knee pain after a fall', requested_provider: 'Dr. Shah' },
    confidence: 0.91,
  },
  voicemail: 'Good morning, this is Tom Becker. I would like an appointment with Doctor Shah about my knee. Thank you.',
  sms: 'Hi, Tom Becker here. Could I move my Thursday appointment to the afternoon?',
}

export const scripts: Readonly<Record<ScriptName, Script>> = {
  leaking_sink: leakingSink,
  legal_matter: legalMatter,
  tow,
  clinic_appointment: clinicAppointment,
}
