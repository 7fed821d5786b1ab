// One request to the API of Parley with the credentials of the node.
import type {
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestMethods,
  INode,
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
}

export async function parleyRequest(
  context: IExecuteFunctions | IHookFunctions,
  { method, path, query, body, idempotencyKey }: ParleyRequest,
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
    throw refusalOf(context.getNode(), error as JsonObject)
  }
}

/** Parley says in its answer what is wrong and with which field; n8n shows that instead of a status. */
function refusalOf(node: INode, error: JsonObject): NodeApiError {
  const { response } = error as { response?: { data?: unknown; body?: unknown; status?: number; statusCode?: number } }
  const answer = (response?.data ?? response?.body) as { error?: { message?: string; details?: unknown } } | undefined
  const status = response?.status ?? response?.statusCode
  return new NodeApiError(node, error, {
    ...(answer?.error?.message && { message: answer.error.message }),
    ...(answer?.error?.details !== undefined && { description: JSON.stringify(answer.error.details) }),
    ...(status && { httpCode: String(status) }),
  })
}

export const statusOf = (error: unknown): string | null =>
  error instanceof NodeApiError ? (error.httpCode ?? null) : null
