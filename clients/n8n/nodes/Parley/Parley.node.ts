// Reads and writes the records of Parley: one request for each item that comes in.
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from 'n8n-workflow'
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow'
import { parleyRequest } from './request'
import { bodyOf, type Operation, propertiesOf, resources } from './resources'

/** As many as the API gives at once. */
const PAGE = 100

export class Parley implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Parley',
    name: 'parley',
    icon: { light: 'file:parley.svg', dark: 'file:parley.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Read and write calls, SMS, people, drafts and work in Parley',
    defaults: { name: 'Parley' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'parleyApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: resources.map(({ label, value }) => ({ name: label, value })),
        default: 'person',
      },
      ...resources.flatMap(propertiesOf),
      {
        displayName: 'Return All',
        name: 'returnAll',
        type: 'boolean',
        displayOptions: { show: { operation: ['getAll'] } },
        default: false,
        description: 'Whether to return all results or only up to a given limit',
      },
      {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
        typeOptions: { minValue: 1 },
        default: 50,
        description: 'Max number of results to return',
      },
      {
        displayName: 'Search',
        name: 'q',
        type: 'string',
        displayOptions: { show: { operation: ['getAll'] } },
        default: '',
        description: 'Words that every record must have, matched as prefixes',
      },
      {
        displayName: 'Filters',
        name: 'filters',
        type: 'json',
        displayOptions: { show: { operation: ['getAll'] } },
        default: '{}',
        description: 'Query parameters of the list, such as {"status": "open"}',
      },
    ],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = []
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        for (const json of await perform(this, item)) results.push({ json, pairedItem: { item } })
      } catch (error) {
        if (this.continueOnFail()) results.push({ json: { error: (error as Error).message }, pairedItem: { item } })
        else if (error instanceof NodeOperationError) throw new NodeOperationError(this.getNode(), error)
        else throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item })
      }
    }
    return [results]
  }
}

async function perform(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const read = (name: string, fallback?: unknown) => context.getNodeParameter(name, item, fallback) as string
  const resource = resources.find((one) => one.value === read('resource'))
  if (resource === undefined) throw new NodeOperationError(context.getNode(), 'Choose a resource', { itemIndex: item })
  const operation = read('operation') as Operation
  const { slug } = resource
  // n8n may run an item again after a crash: with the same key Parley answers with what was done.
  const idempotencyKey = `n8n-${context.getExecutionId()}-${context.getNode().id}-${item}`
  const one = () => `/${slug}/${encodeURIComponent(read('id').trim())}`
  const body = () => bodyOf(resource, (name) => read(name, ''), jsonOf(context, item, 'moreFields'))
  switch (operation) {
    case 'create':
    case 'send':
      return [await parleyRequest(context, { method: 'POST', path: `/${slug}`, body: body(), idempotencyKey })]
    case 'upsert':
      return [await parleyRequest(context, { method: 'POST', path: `/${slug}/upsert`, body: body(), idempotencyKey })]
    case 'get':
      return [await parleyRequest(context, { method: 'GET', path: one() })]
    case 'getAll':
      return listAll(context, item, slug)
    case 'update':
      return [await parleyRequest(context, { method: 'PATCH', path: one(), body: body(), idempotencyKey })]
    case 'delete':
      await parleyRequest(context, { method: 'DELETE', path: one() })
      return [{ id: read('id').trim(), deleted: true }]
    default:
      return [await parleyRequest(context, { method: 'POST', path: `${one()}/${operation}`, body: {}, idempotencyKey })]
  }
}

async function listAll(context: IExecuteFunctions, item: number, slug: string): Promise<IDataObject[]> {
  const isAll = context.getNodeParameter('returnAll', item, false)
  const wanted = isAll ? Number.POSITIVE_INFINITY : Number(context.getNodeParameter('limit', item, 50))
  const q = context.getNodeParameter('q', item, '')
  const found: IDataObject[] = []
  let cursor: unknown
  do {
    const page = await parleyRequest(context, {
      method: 'GET',
      path: `/${slug}`,
      query: {
        ...jsonOf(context, item, 'filters'),
        ...(q !== '' && { q }),
        limit: Math.min(PAGE, wanted - found.length),
        ...(typeof cursor === 'string' && { cursor }),
      },
    })
    found.push(...(page.data as IDataObject[]))
    cursor = (page.pagination as IDataObject).nextCursor
  } while (typeof cursor === 'string' && found.length < wanted)
  return found
}

function jsonOf(context: IExecuteFunctions, item: number, name: string): IDataObject {
  const given: unknown = context.getNodeParameter(name, item, '{}')
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given || '{}') : given
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as IDataObject
  } catch {
    // Said below, like any other value that is no object.
  }
  throw new NodeOperationError(context.getNode(), `${name} must be a JSON object`, { itemIndex: item })
}
