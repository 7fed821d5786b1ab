// The users of an organization, with the role of each, and the invitations that are open.
import type { Static } from 'typebox'
import { bodyWith } from './body.js'
import { described, describedFields, email, instant, named, nullable, object, oneOf, text, uri, uuid } from './field.js'
import { type Parameters, pageParameters, searchParameter } from './query.js'
import { roles } from './scopes.js'

export const member = named(
  'Member',
  object(
    {
      id: described(uuid(), 'The id of the user.'),
      name: text(),
      email: nullable(email()),
      role: oneOf(roles),
      joinedAt: instant(),
      lastSeenAt: nullable(described(instant(), 'When the user was last here; null without a session.')),
    },
    {
      name: 'What the user is called.',
      email: 'Where the user gets mail.',
      role: 'What the user may do: an owner everything, an agent the daily work, a viewer nothing but look.',
      joinedAt: 'When the user came into the organization.',
    },
  ),
)
export type Member = Static<typeof member>

export const memberUpdateBody = bodyWith(
  { role: oneOf(roles) },
  {
    ignored: ['id', 'name', 'email', 'joinedAt', 'lastSeenAt'],
    about: { role: 'What the user may do from now on.' },
  },
)

export const memberParameters = {
  ...pageParameters,
  ...searchParameter('name, e-mail address and role'),
} satisfies Parameters

const invitationFields = describedFields(
  {
    id: uuid(),
    email: email(),
    role: oneOf(roles),
    invitedById: nullable(described(uuid(), 'The user or the key that invited.')),
    createdAt: instant(),
    expiresAt: instant(),
  },
  {
    id: 'Made by Parley.',
    email: 'Whom it invites.',
    role: 'What whoever accepts becomes.',
    createdAt: 'When it was made.',
    expiresAt: 'When it stops working.',
  },
)

export const invitation = named('Invitation', object(invitationFields))
export type Invitation = Static<typeof invitation>

/** As it is answered once, when it was made. */
export const madeInvitation = named(
  'MadeInvitation',
  object({
    ...invitationFields,
    url: described(uri(), 'The link to hand on: good once, shown here and never again.'),
  }),
)

export const invitationCreateBody = bodyWith(
  { email: email(), role: oneOf(roles) },
  {
    ignored: ['id', 'invitedById', 'createdAt', 'expiresAt', 'url'],
    about: { email: 'Whom it invites.', role: 'What whoever accepts becomes.' },
  },
)

export const invitationParameters = {
  ...pageParameters,
  ...searchParameter('e-mail address and role'),
} satisfies Parameters

export const resetLink = named(
  'ResetLink',
  object(
    {
      url: nullable(described(uri(), 'The link to hand on; null where it was mailed to the user instead.')),
      expiresAt: instant(),
    },
    { expiresAt: 'When it stops working.' },
  ),
)
