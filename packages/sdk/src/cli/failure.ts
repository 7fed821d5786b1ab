// Trouble, said in one sentence with the next step. Nobody at a terminal is helped by a stack trace.
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
} from '../errors.js'

/** Trouble that the command line itself found. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly nextStep: string = '',
  ) {
    super(message)
  }
}

/** The command was typed wrongly: exit code 2. */
export class UsageError extends CliError {}

export interface Failure {
  readonly message: string
  readonly nextStep: string
  readonly code?: string
  readonly requestId?: string | null
  readonly details?: unknown
}

export function failureOf(error: unknown, baseUrl: string | undefined): Failure {
  if (error instanceof CliError) return { message: error.message, nextStep: error.nextStep }
  if (error instanceof ApiError) {
    const { code, requestId, details } = error
    return { ...apiFailure(error), code, requestId, ...(details !== undefined && { details }) }
  }
  if (error instanceof ConnectionError) {
    return {
      message: `${baseUrl} did not answer. ${error.message}.`,
      nextStep:
        'Is the service running there? Check with `parley status`; name another with --profile or ' +
        '`parley login --base-url`.',
    }
  }
  if (error instanceof ParleyError)
    return {
      message: error.message,
      nextStep: 'Name the address of the service with `parley login --base-url`, or PARLEY_BASE_URL.',
    }
  const { message = String(error) } = error as Error
  return {
    message,
    nextStep: process.env['PARLEY_DEBUG']
      ? ((error as Error).stack ?? '')
      : 'Set PARLEY_DEBUG=1 to see where it happened.',
  }
}

function apiFailure(error: ApiError): { message: string; nextStep: string } {
  const { message, requestId } = error
  if (error instanceof AuthenticationError)
    return {
      message: 'The service does not know this key.',
      nextStep:
        'It may be revoked, expired or of another service: run `parley login` with a valid one, or give --api-key.',
    }
  if (error instanceof PermissionError) {
    const { requiredScope } = (error.details ?? {}) as { requiredScope?: string }
    return {
      message,
      nextStep: requiredScope
        ? `Use a key of scope ${requiredScope}, with --api-key or --profile; \`parley keys\` lists yours.`
        : 'Ask who runs the service.',
    }
  }
  if (error instanceof BadRequestError) {
    const issues = error.issues.map(({ path, message: why }) => `${path} ${why}`.trim())
    return {
      message: issues.length > 0 ? issues.join('; ') : message,
      nextStep: '`parley schema ENTITY` shows the fields and filters.',
    }
  }
  if (error instanceof NotFoundError)
    return {
      message: 'There is nothing like that that this key can see.',
      nextStep: 'Check the id and the key: sandbox keys see sandbox records only. --profile or --api-key take another.',
    }
  if (error instanceof RateLimitError) return { message, nextStep: 'Wait a moment and try again.' }
  if (error.status >= 500) return { message, nextStep: `Try again; if it stays, report the request id ${requestId}.` }
  if (error.code.startsWith('http_'))
    return {
      message: `${message}.`,
      nextStep: 'This does not look like a Parley service: check the address with `parley login --base-url`.',
    }
  return { message, nextStep: '' }
}
