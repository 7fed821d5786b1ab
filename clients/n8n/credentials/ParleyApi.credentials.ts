// An API key of Parley and the address of the service that it belongs to.
import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow'

export class ParleyApi implements ICredentialType {
  name = 'parleyApi'
  displayName = 'Parley API'
  icon: Icon = { light: 'file:parley.svg', dark: 'file:parley.dark.svg' }
  documentationUrl = 'https://github.com/parley/parley/blob/main/docs/guides/automation.md'
  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://parley.example.com',
      description: 'Where Parley runs, without /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key with scope WRITE: ak_test_… for the sandbox, ak_live_… for production',
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/api/v1/schema' },
  }
}
