// The mail that signing in sends: what it says. Whether any is sent, and how, is for the server.
import type { Role } from '@parley/contract'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Takes a mail and sends it soon; trouble is for the log, as nobody waits for it. */
export type SendMail = (mail: Mail) => void

/** Announced with a mail by a change that wants it sent once it is made. */
export const MAIL_DUE = 'mail due'

export const invitationMail = (to: string, organizationName: string, role: Role, url: string): Mail => ({
  to,
  subject: `You are invited to ${oneLine(organizationName)}`,
  text: `You are invited to join ${oneLine(organizationName)} as ${role === 'viewer' ? 'a' : 'an'} ${role}.

Open this link within 7 days; it works once:
${url}

If you did not expect this, ignore it.
`,
})

export const resetMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Choose a new password',
  text: `Somebody asked for a new password for this address.

Open this link within an hour to choose one; it works once:
${url}

If that was not you, ignore this: nothing has changed.
`,
})

/** A name is the customer's own: it must not add headers or links on lines of their own. */
const oneLine = (name: string): string => name.replace(/\s+/g, ' ').trim()
