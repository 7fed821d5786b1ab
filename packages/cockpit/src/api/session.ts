// Who is signed in, and the requests around that. One answer tells all: no request has to fail for it.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ownParley } from './client'

export type Role = 'owner' | 'agent' | 'viewer'

export interface SessionDocument {
  readonly user: {
    readonly id: string
    readonly name: string
    readonly email: string | null
    readonly hasPassword: boolean
    readonly identities: readonly { readonly issuer: string; readonly linkedAt: string }[]
  } | null
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: Role }[]
  readonly session: { readonly id: string; readonly createdAt: string; readonly expiresAt: string } | null
  readonly signIn: { readonly openId: string | null; readonly mail: boolean }
}

export interface LinkDocument {
  readonly purpose: 'sign_in' | 'invitation' | 'reset'
  readonly session: SessionDocument | null
  readonly link: {
    readonly email: string | null
    readonly organizationName: string | null
    readonly role: Role | null
    readonly expiresAt: string
  } | null
}

const post = <T>(path: string, body?: unknown): Promise<T> =>
  ownParley.request<T>({ method: 'POST', path: `/session${path}`, body, options: { maxRetries: 0 } })

export const session = {
  get: () => ownParley.request<SessionDocument>({ method: 'GET', path: '/session' }),
  signIn: (email: string, password: string) => post<SessionDocument>('', { email, password }),
  exchange: (token: string) => post<LinkDocument>('/exchange', { token }),
  acceptInvitation: (body: { token: string; name?: string; password?: string }) =>
    post<SessionDocument>('/invitation', body),
  reset: (token: string, password: string) => post<SessionDocument>('/reset', { token, password }),
  forgot: (email: string) => post<object>('/forgot', { email }),
  openId: (body: { token?: string; link?: true; returnTo?: string }) => post<{ url: string }>('/open-id', body),
  signOut: () => ownParley.request<void>({ method: 'DELETE', path: '/session' }),
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: session.get,
  staleTime: 60_000,
  retry: 1,
})

export const useSession = () => useQuery(sessionQuery).data
