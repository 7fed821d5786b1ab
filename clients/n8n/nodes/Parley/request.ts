// One request to the API of Parley with the credentials of the node.
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError } from 'n8n-workflow'

export interface ParleyRequest {
  method: IHttpRequestMethods
  path: string
  query?: IDataObject
  body?: IDataObject
  /** The same request with the same key happens once, however often n8n tries. */
  idempotencyKey?: string
  /** What is gone is no error: nothing is told of it. */
  mayBeGone?: true
}

export async function parleyRequest(
  context: IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions,
  { method, path, query, body, idempotencyKey, mayBeGone }: ParleyRequest,
): Promise<IDataObject> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>('parleyApi')
  try {
    const answer: unknown = await context.helpers.httpRequestWithAuthentication.call(context, 'parleyApi', {
      method,
      url: `${baseUrl.replace(/\/+$/, '')}/api/v1${path}`,
      ...(query && { qs: query }),
      ...(body && { body }),
      ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
      json: true,
      timeout: 30_000,
    })
    return (answer ?? {}) as IDataObject
  } catch (error) {
    const answer = answerIn(error)
    if (mayBeGone && answer.status === 404) return {}
    throw new NodeApiError(context.getNode(), error as JsonObject, {
      ...(answer.message && { message: answer.message }),
      ...(answer.details !== undefined && { description: JSON.stringify(answer.details) }),
      ...(answer.status && { httpCode: String(answer.status) }),
    })
  }
}

/** Parley says in its answer what is wrong and with which field; n8n shows that instead of a status. */
function answerIn(error: unknown): { status?: number; message?: string; details?: unknown } {
  const { response = {} } = error as {
    response?: { data?: unknown; body?: unknown; status?: number; statusCode?: number }
  }
  const answer = (response.data ?? response.body) as { error?: { message?: string; details?: unknown } } | undefined
  return { status: response.status ?? response.statusCode, ...answer?.error }
}
