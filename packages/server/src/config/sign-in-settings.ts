// How people sign in.
import { duration, issuerUrl, mailAddress, type Setting, secretText, text, urlOf } from './setting-kinds.js'

const minute = 60_000
const day = 24 * 60 * minute

export const signInSettings = {
  oidcIssuer: {
    name: 'PARLEY_OIDC_ISSUER',
    kind: issuerUrl,
    meaning:
      'OpenID Connect issuer. With a client, people sign in there; with an audience, its own tokens ' +
      'are taken in the `__session` cookie.',
  },
  oidcAudience: {
    name: 'PARLEY_OIDC_AUDIENCE',
    kind: text,
    meaning: 'Audience that a token in the cookie must be made for. Goes with the issuer.',
  },
  oidcClientId: {
    name: 'PARLEY_OIDC_CLIENT_ID',
    kind: text,
    meaning:
      'Client that this server is at the issuer, for signing in. Its callback is `/sign-in/callback` ' +
      'under `PARLEY_PUBLIC_URL`.',
  },
  oidcClientSecret: {
    name: 'PARLEY_OIDC_CLIENT_SECRET',
    kind: secretText(8),
    meaning: 'Secret of that client.',
  },
  oidcOrgClaim: {
    name: 'PARLEY_OIDC_ORG_CLAIM',
    kind: text,
    default: 'org_id',
    meaning: 'Claim that holds the organization id.',
  },
  oidcRoleClaim: {
    name: 'PARLEY_OIDC_ROLE_CLAIM',
    kind: text,
    default: 'role',
    meaning: 'Claim that holds the role: `owner`, `agent` or `viewer`.',
  },
  smtpUrl: {
    name: 'PARLEY_SMTP_URL',
    kind: urlOf('smtp', 'smtps'),
    meaning: 'Server that mail goes out by: invitations and links to a new password. Unset: no mail is sent.',
  },
  smtpFrom: {
    name: 'PARLEY_SMTP_FROM',
    kind: mailAddress,
    meaning: 'Address that mail comes from. Goes with the server.',
  },
  sessionIdleMs: {
    name: 'PARLEY_SESSION_IDLE_TIMEOUT',
    kind: duration({ min: 1_000, max: 366 * day }),
    default: '168h',
    meaning: 'A session of someone who signed in here ends when it was not used for so long.',
  },
  sessionLifetimeMs: {
    name: 'PARLEY_SESSION_LIFETIME',
    kind: duration({ min: 1_000, max: 366 * day }),
    default: '720h',
    meaning: 'A session of someone who signed in here ends after so long, however much it is used.',
  },
} as const satisfies Record<string, Setting>
