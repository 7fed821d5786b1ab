// Every word of the page, in English.
import { developers } from './en-developers'
import { records } from './en-records'
import { screens } from './en-screens'
import { settings } from './en-settings'

type Words = Readonly<Record<string, string>>

const callStatus: Words = {
  ringing: 'Ringing',
  in_progress: 'On the line',
  completed: 'Ended',
  missed: 'Missed',
  voicemail: 'Voicemail',
  canceled: 'Canceled',
  failed: 'Failed',
}
const draftStatus: Words = {
  draft: 'Being written',
  pending_review: 'Waiting for review',
  approved: 'Approved',
  rejected: 'Rejected',
  synced: 'Synced',
}
const fieldState: Words = {
  missing: 'Missing',
  proposed: 'Proposed',
  confirmed: 'Confirmed',
  promoted: 'Kept',
  approved: 'Approved',
}
const speakers: Words = {
  agent: 'Agent',
  caller: 'Caller',
  ai: 'Assistant',
  third_party: 'Someone else',
  system: 'System',
}

const kinds: Words = {
  person: 'Person',
  customer: 'Customer',
  work_record: 'Work',
  call: 'Call',
  message: 'Message',
  fact: 'Fact',
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const en = {
  /** Which way lines run: `ltr` or `rtl`. */
  direction: 'ltr',
  product: 'Parley',
  ...screens,
  ...records,
  developers,
  settings,
  callStatus,
  draftStatus,
  fieldState,
  speakers,
  commandKey: isApple ? '⌘K' : 'Ctrl K',
  screens: {
    live: 'Live',
    review: 'Review',
    inbox: 'Inbox',
    people: 'People',
    work: 'Work',
    overview: 'Overview',
    developers: 'Developers',
    settings: 'Settings',
  },
  environments: { sandbox: 'Sandbox', production: 'Production' },
  navigation: 'Screens',
  skip: 'Skip to content',
  search: 'Search',
  documentation: 'Documentation',
  searchHint: 'Search or type a command',
  results: 'Results',
  nothingFound: (query: string) => `Nothing found for “${query}”.`,
  action: 'Action',
  screen: 'Screen',
  kinds,
  switchTo: (name: string) => `Switch to ${name.toLowerCase()}`,
  more: 'More',
  waitingHere: 'waiting',
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  signOut: 'Sign out',
  keys: {
    command: 'Search and commands',
    help: 'Keyboard keys',
    undo: 'Undo',
    goTo: (screen: string) => `Go to ${screen}`,
    next: 'Next',
    previous: 'Previous',
    edit: 'Edit',
    approve: 'Approve with facts',
    reject: 'Reject with a reason',
  },
  tools: {
    title: 'For developers',
    copyId: 'Copy id',
    copyCurl: 'Copy as curl',
    copyTypescript: 'Copy as TypeScript',
    examples: 'See examples',
    reference: 'Open in API reference',
  },
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  dismiss: 'Dismiss',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  open: 'Open',
  back: 'Back',
  tryAgain: 'Try again',
  details: 'Details',
  loading: 'Loading',
  goHome: 'Go to the start',
  unknown: 'someone unknown',
  yes: 'Yes',
  no: 'No',
  nothing: '–',
  justNow: 'just now',
  withheld: 'Number withheld',
  confidence: (percent: string) => `${percent} sure`,
  accept: (name: string) => `Accept ${name.toLowerCase()}`,
  edit: (name: string) => `Edit ${name.toLowerCase()}`,
  reject: (name: string) => `Reject ${name.toLowerCase()}`,
  accepted: 'Accepted',
  offline: 'You are offline. What you see may be old; it catches up by itself.',
  reconnecting: 'Reconnecting. What you see may be old for a moment.',
  playCall: 'Play a call',
  notFound: { title: 'There is nothing here', body: 'The address is wrong, or you may not see what it names.' },
  errors: {
    title: 'This could not be shown',
    forbidden: 'Your role does not allow this. Ask an owner of the organization.',
    away: 'The service does not answer. Nothing is lost; try again in a moment.',
    unexpected: 'Something went wrong on this page. Load it again.',
  },
}

export type Text = typeof en
