// The endpoints of the document, as the generator of the Python client needs to know them.
import { pascal, refName, snake } from './schema.mjs'

/** Where the plain rule gives no good name. */
const names = {
  sendSms: 'send',
  receiveSms: 'receive',
  getSchema: 'schema',
  getStats: 'stats',
  getOpenApi: 'openapi',
  getOpenApi30: 'openapi_3_0',
  findPersonByPhone: 'by_phone',
  findDuplicatePeople: 'duplicates',
  findDuplicateCustomers: 'duplicates',
  getPersonTimeline: 'timeline',
  getCustomerTimeline: 'timeline',
  getWorkRecordTimeline: 'timeline',
  getCallTranscript: 'transcript',
  getCallSurface: 'surface',
  getCallRecording: 'recording',
  getVoicemailRecording: 'recording',
  downloadRecording: 'download',
  getFactQuality: 'facts',
  readCalendar: 'read',
  receiveInbound: 'receive',
  listImportErrors: 'errors',
}
export function operationOf(document, path, method, operation, open) {
  const [, slug] = path.split('/')
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? document.components.parameters[refName(one)] : one,
  )
  const good = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status) && status !== '304')
  const types = good.flatMap(([, { content = {} }]) => Object.entries(content))
  return {
    id: operation.operationId,
    tag: operation.tags[0],
    slug,
    path,
    method: method.toUpperCase(),
    name: names[operation.operationId] ?? nameOf(operation.operationId, slug),
    docs: [operation.summary, operation.description].filter(Boolean).join('.\n\n'),
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    query: parameters.filter((one) => one.in === 'query'),
    body: operation.requestBody,
    json: [...new Set(types.filter(([type]) => type === 'application/json').map(([, { schema }]) => schema.$ref))],
    others: types.map(([type]) => type).filter((type) => type !== 'application/json'),
    isRedirect: good.some(([status]) => status === '302'),
    schemas: document.components.schemas,
    open,
  }
}

/** `listPersonMerges` of `people` is `list_merges`: what the property says already is left out. */
function nameOf(id, slug) {
  const own = pascal(slug)
  const singular = { People: 'Person', Parties: 'Party', Companies: 'Company' }[own] ?? own.replace(/s$/, '')
  const rest = [own, singular, own.replace(/ies$/, 'y')].reduce(
    (name, noun) => name.replace(new RegExp(`(?<=[a-z])${noun}(?=[A-Z]|$)`), ''),
    id,
  )
  return snake(rest)
}
