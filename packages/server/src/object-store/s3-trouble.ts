// What an S3-compatible store answers when something is wrong, and what the operator can do about it.
import { type S3Address, showS3Address } from './s3-address.js'

/** `away` may be well again by itself; `refused` is for the operator to mend. */
type Kind = 'absent' | 'not_implemented' | 'refused' | 'away'

/** The message says what is wrong and what to do. */
export class S3Trouble extends Error {
  override readonly name = 'S3Trouble'

  constructor(
    readonly kind: Kind,
    message: string,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

export const isAbsent = (error: unknown): boolean => error instanceof S3Trouble && error.kind === 'absent'
/** Some stores have no list of unfinished uploads. */
export const isNotImplemented = (error: unknown): boolean =>
  error instanceof S3Trouble && error.kind === 'not_implemented'

/** Errors of the SDK have the store's own code as their name, and the status of the answer beside it. */
interface StoreFields extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number }
  readonly code?: string
}

export function explainS3(error: unknown, address: S3Address): S3Trouble {
  if (error instanceof S3Trouble) return error
  const {
    name,
    message,
    $metadata: metadata,
    code,
  }: StoreFields = error instanceof Error ? error : new Error(String(error))
  const status = metadata?.httpStatusCode
  const advice = advices[name]
  const isOurs = advice !== undefined || (status !== undefined && status >= 300 && status < 500)
  const kind = /^(NoSuchKey|NotFound|NoSuchUpload)$/.test(name)
    ? 'absent'
    : status === 501 || status === 405
      ? 'not_implemented'
      : isOurs
        ? 'refused'
        : 'away'
  const told = [status ?? code, name, message === name ? '' : message].filter(Boolean).join(' ')
  const why = advice ?? (kind === 'away' ? `cannot be reached, or is not well (${told})` : `refused (${told})`)
  return new S3Trouble(kind, `${showS3Address(address)}: ${why}`, error)
}

const unknownKey = 'the store does not know this access key; correct AWS_ACCESS_KEY_ID'
const otherRegion = 'the bucket is in another region; add ?region= with the one that it is in'

const advices: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; create it, or correct its name',
  InvalidAccessKeyId: unknownKey,
  // The Versity gateway says it in its own way.
  XAdminUserNotFound: unknownKey,
  SignatureDoesNotMatch: 'the secret does not belong to the access key; correct AWS_SECRET_ACCESS_KEY',
  CredentialsProviderError:
    'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  ExpiredToken: 'the credentials have expired; renew them',
  RequestTimeTooSkewed: "the clocks of this machine and the store differ too much; set this machine's clock",
  AccessDenied: 'access denied; allow this key to get, put, list and delete the objects of the bucket',
  PermanentRedirect: otherRegion,
  AuthorizationHeaderMalformed: otherRegion,
}
