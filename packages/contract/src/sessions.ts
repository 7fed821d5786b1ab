// Signing in: who is signed in, the ways in, and the sessions of a user. A user is someone who signs in; `people` are
// those who call.
import type { Static } from 'typebox'
import { bodyWith } from './body.js'
import {
  described,
  email,
  type Field,
  flag,
  instant,
  line,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  uri,
  uuid,
} from './field.js'
import { limits } from './limits.js'
import { roles } from './scopes.js'

export const linkPurposes = ['sign_in', 'invitation', 'reset'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

const identity = object(
  { issuer: text(limits.urlLength), linkedAt: instant() },
  { issuer: 'The OpenID Connect provider.', linkedAt: 'Since when the user may sign in by it.' },
)

export const user = named(
  'User',
  object(
    {
      id: described(
        uuid(),
        'Names the user wherever someone acts: `approvedBy`, `assignedToId`, the actor of a history.',
      ),
      name: text(),
      email: nullable(email()),
      hasPassword: flag(),
      identities: list(identity),
    },
    {
      name: 'What the user is called.',
      email: 'Where the user gets mail, and signs in with a password.',
      hasPassword: 'Whether the user can sign in with a password.',
      identities: 'The providers that the user can sign in by.',
    },
  ),
)

export const sessionDocument = named(
  'SignedIn',
  object(
    {
      user: nullable(described(user, 'Null when nobody is signed in.')),
      organizations: list(
        object(
          { id: uuid(), name: text(), role: oneOf(roles) },
          {
            id: 'The organization.',
            name: 'What it is called.',
            role: 'What the user is in it.',
          },
        ),
        limits.members,
      ),
      session: nullable(
        object(
          { id: uuid(), createdAt: instant(), expiresAt: instant() },
          {
            id: 'The session.',
            createdAt: 'When the user signed in.',
            expiresAt: 'When it ends at the latest. Unused for some days, it ends sooner.',
          },
        ),
      ),
      signIn: object({
        openId: nullable(described(text(), 'The host of the OpenID Connect provider, where one is set.')),
        mail: described(flag(), 'Whether the server sends mail, so that a forgotten password can be replaced.'),
      }),
    },
    {
      organizations: 'The organizations that the user is in.',
      session: 'The session itself; null when nobody is signed in.',
      signIn: 'The ways in that this server has.',
    },
  ),
)
export type SessionDocument = Static<typeof sessionDocument>

const TOKEN = 'What stands after the `#` of a one-time link.'
const token = (): Field<string> => described(text(limits.nameLength), TOKEN)
const password = (): Field<string> =>
  ({ ...line(limits.passwordLength), minLength: limits.passwordLengthMin, writeOnly: true }) as Field<string>
/** Whatever was a good password once. */
const knownPassword = (): Field<string> => ({ ...line(limits.passwordLength), writeOnly: true }) as Field<string>

export const signInBody = bodyWith(
  { email: email(), password: knownPassword() },
  { about: { email: 'The address of the user.', password: 'The password of the user.' } },
)
export const exchangeBody = bodyWith({ token: token() })
export const exchangedLink = named(
  'ExchangedLink',
  object(
    {
      purpose: oneOf(linkPurposes),
      session: nullable(described(sessionDocument, 'Of whom a sign-in link has signed in; null for other links.')),
      link: nullable(
        object(
          {
            email: nullable(email()),
            organizationName: nullable(text()),
            role: nullable(oneOf(roles)),
            expiresAt: instant(),
          },
          {
            email: 'Whom it was made for.',
            organizationName: 'The organization that it invites to.',
            role: 'What whoever accepts becomes there.',
            expiresAt: 'When it stops working.',
          },
        ),
      ),
    },
    {
      purpose: 'What the link is for.',
      link: 'What an invitation or a reset is about; null for a sign-in.',
    },
  ),
)

export const invitationAcceptBody = bodyWith({
  token: token(),
  name: optional(described(text(), 'What to call a new user.')),
  password: optional(
    described(password(), 'A new one; where the invited address already has a user, the one of that user.'),
  ),
})
export const passwordResetBody = bodyWith(
  { token: token(), password: password() },
  { about: { password: 'The new password.' } },
)
export const forgottenPasswordBody = bodyWith(
  { email: email() },
  { about: { email: 'The address of the user; it gets a link by mail.' } },
)
export const openIdBody = bodyWith(
  {
    token: optional(described(text(limits.nameLength), 'Of an invitation, to accept it as whom the provider names.')),
    link: optional(described(flag(), 'Lets the signed-in user sign in this way from now on.')),
    returnTo: optional(described(text(limits.urlLength), 'The path of the page to come back to.')),
  },
  { required: false },
)
export const openIdStart = named('OpenIdStart', object({ url: described(uri(), 'Where the browser goes to sign in.') }))

export const userUpdateBody = bodyWith({
  name: optional(described(text(), 'What to call the user.')),
  email: optional(described(email(), 'Taken while the user has none.')),
})
export const passwordBody = bodyWith({
  password: described(password(), 'The new password.'),
  currentPassword: optional(described(knownPassword(), 'Needed by a user who has a password.')),
})

export const userSession = named(
  'UserSession',
  object(
    {
      id: uuid(),
      createdAt: instant(),
      lastUsedAt: instant(),
      expiresAt: instant(),
      userAgent: nullable(text(limits.nameLength)),
      address: nullable(text(limits.nameLength)),
      isCurrent: flag(),
    },
    {
      id: 'The session.',
      createdAt: 'When the user signed in.',
      lastUsedAt: 'When a request last came with it.',
      expiresAt: 'When it ends at the latest. Unused for some days, it ends sooner.',
      userAgent: 'The browser, as it names itself.',
      address: 'The IP address that the user signed in from.',
      isCurrent: 'Whether it is the one that asks.',
    },
  ),
)
