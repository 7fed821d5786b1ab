// Starts a workflow when something happens in Parley: subscribes the address of the workflow when it is activated,
// believes only what Parley signed, and unsubscribes when it is deactivated.
import type {
  IDataObject,
  IHookFunctions,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow'
import { NodeConnectionTypes } from 'n8n-workflow'
import { parleyRequest } from '../Parley/request'
import { isGenuine } from './verify'

/** What is kept with the node between activation and deactivation. */
interface Subscribed extends IDataObject {
  webhookId?: string
  secret?: string
}

export class ParleyTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Parley Trigger',
    name: 'parleyTrigger',
    icon: { light: 'file:parley.svg', dark: 'file:parley.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when a call ends, an SMS arrives, a draft is approved and more',
    defaults: { name: 'Parley Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'parleyApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'parley' }],
    properties: [
      {
        displayName: 'Event Names or IDs',
        name: 'events',
        type: 'multiOptions',
        required: true,
        typeOptions: { loadOptionsMethod: 'getEventTypes' },
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
        default: [],
      },
    ],
  }

  methods = {
    loadOptions: {
      /** Those that the service sends, whatever its version. */
      async getEventTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { eventTypes } = await parleyRequest(this, { method: 'GET', path: '/schema' })
        return (eventTypes as string[]).toSorted().map((value) => ({ name: titled(value), value }))
      },
    },
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node') as Subscribed
        if (webhookId === undefined || secret === undefined) return false
        const known = await parleyRequest(this, { method: 'GET', path: `/webhooks/${webhookId}`, mayBeGone: true })
        const events = this.getNodeParameter('events') as string[]
        const isSame = (types: unknown) => Array.isArray(types) && events.toSorted().join() === types.toSorted().join()
        return known.url === this.getNodeWebhookUrl('default') && known.status === 'active' && isSame(known.eventTypes)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Subscribed
        // One that is there with another address or other events would go on sending beside the new one.
        if (kept.webhookId !== undefined) await unsubscribe(this, kept)
        const made = await parleyRequest(this, {
          method: 'POST',
          path: '/webhooks',
          body: {
            url: this.getNodeWebhookUrl('default'),
            eventTypes: this.getNodeParameter('events') as string[],
            name: `n8n: ${this.getWorkflow().name ?? this.getWorkflow().id}`.slice(0, 255),
          },
        })
        kept.webhookId = String(made.id)
        kept.secret = String(made.secret)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await unsubscribe(this, this.getWorkflowStaticData('node') as Subscribed)
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData('node') as Subscribed
    const { rawBody, headers } = this.getRequestObject()
    if (secret === undefined || !isGenuine(secret, headers['x-service-signature'], rawBody)) {
      this.getResponseObject().status(401).json({ error: 'The signature does not fit' })
      return { noWebhookResponse: true }
    }
    return { workflowData: [[{ json: JSON.parse(rawBody.toString('utf8')) as IDataObject }]] }
  }
}

/** `work_record.created` is shown as "Work Record Created". */
function titled(type: string): string {
  const words = type.split(/[._]/)
  return words.map((word) => (word === 'sms' ? 'SMS' : word.charAt(0).toUpperCase() + word.slice(1))).join(' ')
}

/** What is gone already needs no unsubscribing. */
async function unsubscribe(context: IHookFunctions, kept: Subscribed): Promise<void> {
  if (kept.webhookId !== undefined)
    await parleyRequest(context, { method: 'DELETE', path: `/webhooks/${kept.webhookId}`, mayBeGone: true })
  delete kept.webhookId
  delete kept.secret
}
